/**
 * Commits the engine makes: an explicit identity, never signed, a date that the caller gives, so that the same
 * work gives the same id. Credit is kept in trailers. Messages and names are untrusted text.
 */
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { git, gitLine } from './run-git.ts';

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

const engineIdentity: Author = { name: 'Forge', email: 'forge@localhost' };
/** What a workspace's own git signs with when the caller names nobody: a placeholder, not someone to credit. */
export const agentIdentity: Author = { name: 'Forge agent', email: 'agent@forge.localhost' };

export async function writeCommit(repo: Repository, request: CommitRequest): Promise<string> {
  const call = objectCall(repo);
  const second = request.alsoParent === undefined ? [] : ['-p', request.alsoParent];
  return gitLine(['commit-tree', request.tree, '-p', request.parent, ...second, '-F', '-'], {
    ...call,
    stdin: messageText(request),
    env: { ...call.env, ...identityAt(Math.floor(request.date.getTime() / 1000), request.author) },
  });
}

/** Who is credited by the commits between two, oldest first: a merge makes one of them and must not forget anybody. */
export async function creditsBetween(repo: Repository, base: string, commit: string): Promise<readonly Author[]> {
  const format = '--format=%(trailers:key=Co-authored-by,valueonly,unfold)';
  const { stdout } = await git(['log', '--reverse', format, `${base}..${commit}`], objectCall(repo));
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const match = /^(.+) <([^<>]+)>$/.exec(line);
      return match === null ? [] : [{ name: match[1] ?? '', email: match[2] ?? '' }];
    });
}

/** Author and committer of everything the engine commits, at a second since 1970. */
export function identityAt(seconds: number, author: Author = engineIdentity): Readonly<Record<string, string>> {
  const { name, email } = engineIdentity;
  const date = `@${seconds} +0000`;
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
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
