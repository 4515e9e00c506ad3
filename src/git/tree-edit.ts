/**
 * Trees put together from entries of other trees, in git's object store and nowhere else. No file is written to a
 * checkout here, so no symlink that a commit plants can lead a write astray: git itself settles what happens where a
 * directory meets a file. Paths are bytes inside, text for whoever decides.
 */
import { Buffer } from 'node:buffer';
import { diffTrees, treeOf } from './changes.ts';
import type { Repository } from './git.ts';
import { readObjectInfo, readObjects } from './object-reader.ts';
import { decodePath, type RawPath } from './raw-path.ts';
import { writeObject } from './write-objects.ts';
import { type TreeEdit, writeEditedTree } from './write-trees.ts';

export interface TreeFile {
  /** `100644`, `100755`, `120000` (symlink) or `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
}

export interface EntryChange {
  readonly path: string;
  readonly raw: RawPath;
  readonly before: TreeFile | undefined;
  readonly after: TreeFile | undefined;
}

/** What differs between two commits, entry by entry. Renames are not guessed. */
export async function diffEntries(repo: Repository, from: string, to: string): Promise<readonly EntryChange[]> {
  const changes = await diffTrees(repo, from, to);
  return changes.map(({ raw, before, after }) => ({ path: decodePath(raw), raw, before, after }));
}

/** The tree of `from` with the edits made. Removals come first, so that a file may take a directory's place. */
export async function editTree(repo: Repository, from: string, edits: readonly TreeEdit[]): Promise<string> {
  const tree = await treeOf(repo, from);
  return edits.length === 0 ? tree : writeEditedTree(repo, tree, edits);
}

/** Stores a file's text and gives its id. */
export async function writeBlob(repo: Repository, content: string): Promise<string> {
  return writeObject(repo, { type: 'blob', content: Buffer.from(content) });
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
  const wanted = [...new Set(ids)];
  let room = limits.allBytes;
  const small: string[] = [];
  for (const info of await readObjectInfo(repo, wanted)) {
    if (info?.type !== 'blob' || info.size > Math.min(limits.eachBytes, room)) continue;
    room -= info.size;
    small.push(info.id);
  }
  return readObjects(repo, small);
}

/** Is this a plain file, executable or not? */
export function isPlainFile(kept: TreeFile | undefined): kept is TreeFile {
  return kept?.mode.startsWith('100') === true;
}
