/**
 * Trees of a repository that are kept for the next job, so that a workspace costs what differs and not the whole
 * checkout. A tree is given back when its job is over and taken by one rename, so two takers cannot have the same.
 * Only a tree that never left the jail is given back, and only on file systems whose ctime can be relied on; it is
 * proven and brought to the wanted commit when it is taken (tree-seal.ts). Bounded in number and disk. Whatever goes
 * wrong costs the tree, never a job.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Jail } from '../process/jail.ts';
import { hasRealParents, removeTree } from './confined.ts';
import { pathsBelow, type WorkspacePaths } from './data-dir.ts';
import type { Repository, Workspace } from './git.ts';
import type { RawPath } from './raw-path.ts';
import { hasReliableTimes, isOfThisBoot, MountedTree, readSealHead, renewTree, sealUser } from './tree-seal.ts';

const mostTrees = 16;
/** Trees together take at most this share of what is free, and no more than the bytes. */
const shareOfFree = 0.1;
const mostBytes = 8 * 1024 ** 3;

/**
 * Fills the place of a workspace (tree, index, seal) from the pool and answers the directories of the tree; undefined
 * when there is no tree that can be used.
 */
export async function takeTree(
  repo: Repository,
  paths: WorkspacePaths,
  { commit, jail }: { readonly commit: string; readonly jail: Jail },
): Promise<readonly RawPath[] | undefined> {
  const pool = poolOf(repo);
  // The tree that came back last is likely to differ least.
  for (const name of (await freeTrees(pool)).toReversed()) {
    const head = await readSealHead(pathsBelow(join(pool, name)));
    if (head !== undefined && head.user !== sealUser(jail)) continue;
    const claimed = await rename(join(pool, name), paths.root).then(yes, no);
    if (!claimed) continue;
    try {
      if (head === undefined || !isOfThisBoot(head)) throw new Error('nobody vouches for the tree');
      await removeAllBut(paths.root, ['tree', 'engine']);
      return await renewTree(repo, paths, commit, jail);
    } catch (error) {
      await discard(pool, paths.root, error);
    }
  }
  return undefined;
}

/** Gives the tree of a workspace back; false when it has to be removed like any directory. */
export async function giveTree(repo: Repository, workspace: Workspace, jail: Jail): Promise<boolean> {
  const pool = poolOf(repo);
  if (jail.name === 'none') return false;
  const head = await readSealHead(workspace);
  if (head === undefined || head.user !== sealUser(jail) || !isOfThisBoot(head)) return false;
  await mkdir(pool, { recursive: true, mode: 0o700 });
  if (!(await hasRoom(pool, head.bytes))) return false;
  const name = newName();
  const aside = join(pool, `.${name}`);
  await rename(workspace.root, aside);
  try {
    const { tree } = pathsBelow(aside);
    await removeAllBut(aside, ['tree', 'engine']);
    for (const path of ['.git', ...workspace.provided]) {
      if (await hasRealParents(tree, path)) await removeTree(join(tree, path));
    }
    await rename(aside, join(pool, name));
  } catch {
    await removeTree(aside);
  }
  return true;
}

export async function hasFreeTree(repo: Repository): Promise<boolean> {
  return (await freeTrees(poolOf(repo))).length > 0;
}

/** Adds a sealed tree that was made in the pool's own directory, or removes it where there is no room. */
export async function addTree(repo: Repository, paths: WorkspacePaths): Promise<void> {
  const pool = poolOf(repo);
  const head = await readSealHead(paths);
  if (head !== undefined && (await hasRoom(pool, head.bytes))) await rename(paths.root, join(pool, newName()));
  else await removeTree(paths.root);
}

/** Names sort by the time at which the tree came. */
function newName(): string {
  return `${String(Date.now()).padStart(15, '0')}-${randomUUID()}`;
}

/** Removes every tree that nobody uses, and what was left when a process died. Answers how many there were. */
export async function emptyPool(repo: Repository): Promise<number> {
  const pool = poolOf(repo);
  const names = (await readdir(pool).catch(() => [])).filter((name) => !name.startsWith(mountedPrefix));
  let removed = 0;
  for (const name of names) {
    const aside = join(pool, `.removed-${randomUUID()}`);
    // Somebody else may have taken it a moment ago.
    if (!(await rename(join(pool, name), aside).then(yes, no))) continue;
    await removeTree(aside);
    removed += 1;
  }
  return removed;
}

export function poolOf(repo: Repository): string {
  return join(repo.dataDir, 'pool', repo.id);
}

async function freeTrees(pool: string): Promise<string[]> {
  const names = await readdir(pool).catch(() => []);
  return names.filter((name) => !name.startsWith('.')).sort();
}

async function hasRoom(pool: string, bytes: number): Promise<boolean> {
  if (!(await hasReliableTimes(pool))) return false;
  const { bavail, bsize } = await statfs(pool);
  const held = await Promise.all((await freeTrees(pool)).map((name) => readSealHead(pathsBelow(join(pool, name)))));
  if (held.length >= mostTrees) return false;
  const total = held.reduce((sum, head) => sum + (head?.bytes ?? 0), bytes);
  return total <= Math.min(mostBytes, bavail * bsize * shareOfFree);
}

const mountedPrefix = '.mounted-';

/** Removing a tree would remove what is mounted in it. */
async function discard(pool: string, root: string, error: unknown): Promise<void> {
  if (error instanceof MountedTree) await rename(root, join(pool, `${mountedPrefix}${randomUUID()}`)).catch(no);
  else await removeTree(root);
}

async function removeAllBut(directory: string, kept: readonly string[]): Promise<void> {
  const names = (await readdir(directory)).filter((name) => !kept.includes(name));
  await Promise.all(names.map((name) => removeTree(join(directory, name))));
}

const yes = (): boolean => true;
const no = (): boolean => false;
