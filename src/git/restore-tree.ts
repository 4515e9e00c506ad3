/**
 * Puts the tracked files of a workspace back, whatever was done to them, and says what lies beside them. Nothing that
 * is not tracked is touched: what of it may stay is the caller's to say.
 */
import { treeCall } from './engine-dir.ts';
import type { Repository, Workspace } from './git.ts';
import { decodePath, splitRaw } from './raw-path.ts';
import { git } from './run-git.ts';
import { removeChangedFiles } from './tree-seal.ts';

/** The untracked paths. A directory without any tracked file is one path that ends in a slash. */
export async function restoreTracked(
  repo: Repository,
  workspace: Pick<Workspace, 'engineDir' | 'tree'>,
  commit: string,
): Promise<readonly string[]> {
  const call = treeCall(repo, workspace);
  await removeChangedFiles(workspace);
  await git(['read-tree', '--reset', '-u', commit], call);
  const { stdout } = await git(['ls-files', '-z', '--others', '--directory'], call);
  return splitRaw(stdout).map(decodePath);
}
