/**
 * Commits as objects: read, walked back and written without a process. A walk answers only for a plain line of commits;
 * where there is a merge, a commit that is not here or a line that does not end soon, the caller asks git.
 */
import { Buffer } from 'node:buffer';
import { ForgeError } from '../errors.ts';
import type { Repository } from './git.ts';
import { isObjectName, readObjects } from './object-reader.ts';
import { requireObjects, writeObject } from './write-objects.ts';

export interface CommitObject {
  readonly id: string;
  readonly parents: readonly string[];
  /** `<name> <<address>>`. */
  readonly author: string;
  readonly committer: string;
  readonly message: string;
}

const longestLine = 50;

/** The commits after `from` up to `to`, newest first. Undefined unless they are a plain and short line. */
export async function readLine(
  repo: Repository,
  from: string,
  to: string,
): Promise<readonly CommitObject[] | undefined> {
  if (!isObjectName(from) || !isObjectName(to)) return undefined;
  const line: CommitObject[] = [];
  for (let id = to; id !== from; ) {
    const found = line.length === longestLine ? undefined : await readCommit(repo, id);
    const [parent, ...others] = found?.parents ?? [];
    if (found === undefined || parent === undefined || others.length > 0) return undefined;
    line.push(found);
    id = parent;
  }
  return line;
}

/** Undefined where it is none, or holds text in an encoding of its own. */
async function readCommit(repo: Repository, id: string): Promise<CommitObject | undefined> {
  const text = (await readObjects(repo, [id])).get(id)?.toString('utf8');
  const end = text?.indexOf('\n\n') ?? -1;
  if (text === undefined || !text.startsWith('tree ') || end === -1) return undefined;
  const lines = text.slice(0, end).split('\n');
  const valuesOf = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  if (valuesOf('encoding').length > 0) return undefined;
  const person = (name: string): string => (valuesOf(name)[0] ?? '').replace(/ -?\d+ [-+]\d+$/, '');
  return {
    id,
    parents: valuesOf('parent'),
    author: person('author'),
    committer: person('committer'),
    message: text.slice(end + 2),
  };
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: { readonly name: string; readonly email: string };
  readonly committer: { readonly name: string; readonly email: string };
  readonly seconds: number;
  /** Ends in a newline and holds no NUL. */
  readonly message: string;
}

export async function writeCommitObject(repo: Repository, commit: NewCommit): Promise<string> {
  const { tree, parents, author, committer, seconds, message } = commit;
  await requireObjects(repo, [tree], 'tree');
  await requireObjects(repo, parents, 'commit');
  const at = `${seconds} +0000`;
  const lines = [
    `tree ${tree}`,
    // Git names a parent once.
    ...[...new Set(parents)].map((parent) => `parent ${parent}`),
    `author ${personText(author)} ${at}`,
    `committer ${personText(committer)} ${at}`,
    '',
    message,
  ];
  return writeObject(repo, { type: 'commit', content: Buffer.from(lines.join('\n')) });
}

/** As git cleans names: nothing that could end the line or the address. */
function personText({ name, email }: NewCommit['author']): string {
  const [cleanName, cleanEmail] = [withoutCrud(name), withoutCrud(email)];
  if (cleanName === '') throw new ForgeError('git-failed', `the name ${JSON.stringify(name)} cannot sign a commit`);
  return `${cleanName} <${cleanEmail}>`;
}

function withoutCrud(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what git takes away
  return text.replaceAll(/^[\0- .,:;<>"\\']+|[\0- .,:;<>"\\']+$/g, '').replaceAll(/[\n<>\0]/g, '');
}
