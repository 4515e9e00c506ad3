/**
 * Which commit each line of a file comes from, and what those commits say about themselves. Reads the user's repository with
 * the user's own settings; changes nothing and needs no state of Forge.
 */
import { ForgeError } from '../errors.ts';
import { git, type GitCall } from './run-git.ts';

export interface BlamedLine {
  readonly line: number;
  readonly commit: string;
  readonly text: string;
}

export interface CommitNote {
  readonly id: string;
  readonly subject: string;
  /** ISO 8601, of the author. */
  readonly at: string;
  /** The run that made it, where one did. */
  readonly run: string;
  readonly task: string;
}

const timeMs = 60_000;

function callAt(root: string): GitCall {
  return { cwd: root, config: 'user', timeMs };
}

/** The commit that a name stands for; undefined where there is none. */
export async function commitNamed(root: string, revision: string): Promise<string | undefined> {
  const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], {
    ...callAt(root),
    answers: [0, 1, 128],
  });
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

/** Paths of all files of a commit. */
export async function filesOfCommit(root: string, commit: string): Promise<readonly string[]> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], callAt(root));
  return stdout.toString('utf8').split('\0').filter(Boolean);
}

/** Undefined where the commit has no such file, or one that is larger than `most` bytes. */
export async function fileOfCommit(
  root: string,
  { commit, path, most }: { readonly commit: string; readonly path: string; readonly most: number },
): Promise<string | undefined> {
  const call = { ...callAt(root), answers: [0, 128] };
  const size = await git(['cat-file', '-s', `${commit}:${path}`], call);
  if (size.code !== 0 || Number(size.stdout.toString('utf8')) > most) return undefined;
  const { code, stdout } = await git(['cat-file', 'blob', `${commit}:${path}`], call);
  return code === 0 ? stdout.toString('utf8') : undefined;
}

/** All lines of a file as the commit has them, or one of them. */
export async function blame(
  root: string,
  { commit, path, line }: { readonly commit: string; readonly path: string; readonly line?: number },
): Promise<readonly BlamedLine[]> {
  const range = line === undefined ? [] : ['-L', `${line},${line}`];
  const { code, stdout, stderr } = await git(['blame', '--line-porcelain', ...range, commit, '--', path], {
    ...callAt(root),
    answers: [0, 128],
  });
  if (code !== 0) {
    const count = /has only (\d+) lines?/.exec(stderr)?.[1];
    throw new ForgeError(
      'bad-input',
      count === undefined ? `${path} cannot be read at ${commit.slice(0, 7)}` : `${path} has only ${count} lines`,
      { hint: count === undefined ? 'Name a text file of that commit.' : `Name a line from 1 to ${count}.` },
    );
  }
  return parsePorcelain(stdout.toString('utf8'));
}

/** Records of `git blame --line-porcelain`: a head, fields, and the line behind a tab. */
export function parsePorcelain(text: string): readonly BlamedLine[] {
  const found: BlamedLine[] = [];
  let head: { commit: string; line: number } | undefined;
  for (const row of text.split('\n')) {
    const start = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row);
    if (row.startsWith('\t')) {
      if (head !== undefined) found.push({ ...head, text: row.slice(1) });
      head = undefined;
    } else if (start !== null && head === undefined) head = { commit: start[1] ?? '', line: Number(start[2]) };
  }
  return found;
}

export async function readCommitNotes(
  root: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, CommitNote>> {
  const ids = [...new Set(commits)];
  if (ids.length === 0) return new Map();
  const trailer = (name: string): string => `%(trailers:key=${name},valueonly,unfold,separator=%x20)`;
  const format = ['%H', '%s', '%aI', trailer('Forge-Run'), trailer('Forge-Task')].join('%x00');
  const { stdout } = await git(['log', '--no-walk=unsorted', '--stdin', `--format=${format}%x00`], {
    ...callAt(root),
    stdin: `${ids.join('\n')}\n`,
  });
  const parts = stdout.toString('utf8').split('\0');
  const notes = new Map<string, CommitNote>();
  for (let at = 0; at + 4 < parts.length; at += 5) {
    const [id = '', subject = '', date = '', run = '', task = ''] = parts.slice(at, at + 5).map((part) => part.trim());
    notes.set(id, { id, subject, at: date, run, task });
  }
  return notes;
}
