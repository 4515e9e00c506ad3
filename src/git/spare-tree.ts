/**
 * While an agent works, a tree is made for whoever needs the next one, so that a first check or a next task does not wait
 * for a whole checkout. Only where a checkout takes a while, only where no tree is free, and one at a time. Whatever goes
 * wrong costs the tree and nothing else.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Jail } from '../process/jail.ts';
import { listFiles } from './changes.ts';
import { removeTree } from './confined.ts';
import { pathsBelow } from './data-dir.ts';
import { treeCall, writeEngineDir } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { git } from './run-git.ts';
import { sealTree } from './tree-seal.ts';
import { addTree, hasFreeTree, poolOf } from './workspace-pool.ts';

/** Fewer are checked out in no time. */
const fewestFiles = 2000;
const making = new Set<string>();

/** Never rejects. Resolves when the tree is there, or when there is none to be made. */
export async function keepSpareTree(
  repo: Repository,
  { commit, jail, signal }: { readonly commit: string; readonly jail: Jail; readonly signal: AbortSignal },
): Promise<void> {
  const pool = poolOf(repo);
  if (jail.name === 'none' || making.has(pool)) return;
  making.add(pool);
  const paths = pathsBelow(join(pool, `.spare-${randomUUID()}`));
  try {
    if ((await listFiles(repo, commit)).length < fewestFiles || (await hasFreeTree(repo))) return;
    await mkdir(paths.root, { recursive: true, mode: 0o700 });
    await mkdir(paths.tree);
    await writeEngineDir(paths.engineDir, { objectFormat: repo.objectFormat, bare: false, exclude: '' });
    await git(['read-tree', '--reset', '-u', commit], { ...treeCall(repo, paths), signal });
    await sealTree(repo, paths, commit, jail);
    await addTree(repo, paths);
  } catch {
    await removeTree(paths.root).catch(() => undefined);
  } finally {
    making.delete(pool);
  }
}
