/**
 * Trees put together from entries of other trees, in git's object store and nowhere else. No file is written to a
 * checkout here, so no symlink that a commit plants can lead a write astray: git itself settles what happens where a
 * directory meets a file. Paths are bytes inside, text for whoever decides.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { treeOf } from './changes.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { decodePath, type RawPath, splitRaw } from './raw-path.ts';
import { answerAbout } from './object-answers.ts';
import { git, gitLine } from './run-git.ts';

export interface Entry {
  /** `100644`, `100755`, `120000` (symlink) or `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
}

export interface EntryChange {
  readonly path: string;
  readonly raw: RawPath;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** An entry to have at a path, or none. */
export interface TreeEdit {
  readonly raw: RawPath;
  readonly entry: Entry | undefined;
}

/** What differs between two commits, entry by entry. Renames are not guessed. */
export async function diffEntries(repo: Repository, from: string, to: string): Promise<readonly EntryChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff', '--no-textconv', '--full-index'];
  const fields = splitRaw(await answerAbout(repo, args, [from, to]));
  const changes: EntryChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const raw = fields[at + 1];
    const [before = '', after = '', beforeId = '', afterId = ''] = (fields[at] ?? '').slice(1).split(' ');
    if (raw === undefined) break;
    changes.push({ path: decodePath(raw), raw, before: entry(before, beforeId), after: entry(after, afterId) });
  }
  return changes;
}

/** The tree of `from` with the edits made. Removals come first, so that a file may take a directory's place. */
export async function editTree(repo: Repository, from: string, edits: readonly TreeEdit[]): Promise<string> {
  if (edits.length === 0) return treeOf(repo, from);
  const directory = join(repo.dataDir, 'checks');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const call = { ...objectCall(repo), indexFile: join(directory, `index-${randomUUID()}`) };
  try {
    await git(['read-tree', from], call);
    const absent = '0'.repeat(repo.objectFormat === 'sha256' ? 64 : 40);
    const removed = edits.filter((edit) => edit.entry === undefined).map((edit) => `0 ${absent}\t${edit.raw}\0`);
    const put = edits.flatMap(({ raw, entry: kept }) =>
      kept === undefined ? [] : `${kept.mode} ${kept.id}\t${raw}\0`,
    );
    const stdin = Buffer.from([...removed, ...put].join(''), 'latin1');
    await git(['update-index', '-z', '--add', '--replace', '--index-info'], { ...call, stdin });
    return await gitLine(['write-tree'], call);
  } finally {
    await rm(call.indexFile, { force: true });
  }
}

/** Stores a file's text and gives its id. */
export async function writeBlob(repo: Repository, content: string): Promise<string> {
  return gitLine(['hash-object', '-w', '-t', 'blob', '--stdin'], { ...objectCall(repo), stdin: content });
}

export interface ReadLimits {
  readonly eachBytes: number;
  /** First come, first read. */
  readonly allBytes: number;
}

/** Content by id, of those blobs that keep within the limits. */
export async function readBlobs(
  repo: Repository,
  ids: readonly string[],
  limits: ReadLimits,
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return found;
  const checked = await git(['cat-file', '--batch-check'], { ...objectCall(repo), stdin: `${wanted.join('\n')}\n` });
  let room = limits.allBytes;
  const small: string[] = [];
  for (const line of checked.stdout.toString('latin1').split('\n')) {
    const [id = '', type, size] = line.split(' ');
    if (type !== 'blob' || Number(size) > Math.min(limits.eachBytes, room)) continue;
    room -= Number(size);
    small.push(id);
  }
  if (small.length === 0) return found;
  const { stdout } = await git(['cat-file', '--batch'], { ...objectCall(repo), stdin: `${small.join('\n')}\n` });
  for (let at = 0; at < stdout.length; ) {
    const line = stdout.indexOf(10, at);
    const [id = '', , size = '0'] = stdout.toString('latin1', at, line).split(' ');
    const start = line + 1;
    found.set(id, stdout.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return found;
}

/** Is this a plain file, executable or not? */
export function isPlain(kept: Entry | undefined): kept is Entry {
  return kept?.mode.startsWith('100') === true;
}

function entry(mode: string, id: string): Entry | undefined {
  return mode === '000000' ? undefined : { mode, id };
}
