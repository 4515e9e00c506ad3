/**
 * Commits the engine makes: an explicit identity, never signed, a date that the caller gives, so that the same
 * work gives the same id. Credit is kept in trailers. Messages and names are untrusted text.
 */
import { readLine, writeCommitObject } from './commit-object.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { git } from './run-git.ts';

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface CommitRequest {
  readonly tree: string;
  readonly parent: string;
  /** A second one, whose history stays visible. */
  readonly alsoParent?: string | undefined;
  readonly message: string;
  readonly run: string;
  readonly task?: string | undefined;
  readonly authors: readonly Author[];
  /** Whose commit it is, where a person wants their own name on it; Forge is the committer in any case. */
  readonly author?: Author | undefined;
  readonly date: Date;
}

/** The committer of everything the engine makes. */
export const engineIdentity: Author = { name: 'Forge', email: 'forge@localhost' };
/** What a workspace's own git signs with when the caller names nobody: a placeholder, not someone to credit. */
export const agentIdentity: Author = { name: 'Forge agent', email: 'agent@forge.localhost' };

export async function writeCommit(repo: Repository, request: CommitRequest): Promise<string> {
  const { tree, parent, alsoParent, author = engineIdentity, date } = request;
  return writeCommitObject(repo, {
    tree,
    parents: alsoParent === undefined ? [parent] : [parent, alsoParent],
    author,
    committer: engineIdentity,
    seconds: Math.floor(date.getTime() / 1000),
    message: messageText(request),
  });
}

/** A commit that only says what a tree comes from, the same each time it is made. */
export async function writeBareCommit(repo: Repository, tree: string, parents: readonly string[]): Promise<string> {
  const message = 'merge base\n';
  return writeCommitObject(repo, {
    tree,
    parents,
    author: engineIdentity,
    committer: engineIdentity,
    seconds: 0,
    message,
  });
}

/** Who is credited by the commits between two, oldest first: a merge makes one of them and must not forget anybody. */
export async function creditsBetween(repo: Repository, base: string, commit: string): Promise<readonly Author[]> {
  const line = await readLine(repo, base, commit);
  if (line?.every(({ message }) => !/co-authored-by/i.test(message)) === true) return [];
  const format = '--format=%(trailers:key=Co-authored-by,valueonly,unfold)';
  const { stdout } = await git(['log', '--reverse', format, `${base}..${commit}`], objectCall(repo));
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((trailer) => {
      const match = /^(.+) <([^<>]+)>$/.exec(trailer);
      return match === null ? [] : [{ name: match[1] ?? '', email: match[2] ?? '' }];
    });
}

/** Subject and body as given, then one block of trailers. Pure. */
export function messageText(request: Omit<CommitRequest, 'tree' | 'parent' | 'date'>): string {
  const body = request.message.replaceAll('\0', '').replaceAll('\r\n', '\n').trim() || 'Work captured by Forge';
  const trailers = [
    `Forge-Run: ${oneLine(request.run)}`,
    ...(request.task === undefined ? [] : [`Forge-Task: ${oneLine(request.task)}`]),
    ...creditedAuthors(request.authors)
      .filter(({ email }) => email.toLowerCase() !== request.author?.email.toLowerCase())
      .map((author) => `Co-authored-by: ${author.name} <${author.email}>`),
  ];
  return `${body}\n\n${trailers.join('\n')}\n`;
}

/** Cleaned, without the engine's own names and without duplicates; a flood of names is cut. Pure. */
export function creditedAuthors(authors: readonly Author[]): readonly Author[] {
  const seen = new Map<string, Author>();
  for (const raw of authors) {
    const author = { name: personal(raw.name), email: personal(raw.email).replaceAll(' ', '') };
    if (author.name === '' || author.email === '') continue;
    if ([engineIdentity, agentIdentity].some((own) => own.email === author.email)) continue;
    const key = author.email.toLowerCase();
    if (!seen.has(key)) seen.set(key, author);
  }
  return [...seen.values()].slice(0, mostAuthors);
}

const mostAuthors = 20;

function personal(text: string): string {
  return oneLine(text.replaceAll(/[<>]/g, '')).slice(0, 200);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
