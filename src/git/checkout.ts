/**
 * Throw-away checkouts of a commit, for checks. Made like any workspace, and never kept: what a check writes there is
 * nobody's work. Files of another commit (the one that judges) can be laid over the tree before anything runs; a
 * link that the commit under test put in their place is replaced, never followed.
 */
import { Buffer } from 'node:buffer';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, readFileAt } from './changes.ts';
import { makeParents, relativePath, removeTree } from './confined.ts';
import type { Repository, Workspace } from './git.ts';
import { prepareWorkspace, type WorkspaceRequest } from './workspace.ts';

export type CheckoutRequest = Omit<WorkspaceRequest, 'existing'>;

export async function prepareCheckout(repo: Repository, request: CheckoutRequest): Promise<Workspace> {
  const setup = request.setup === undefined ? undefined : { share: false, ...request.setup };
  return prepareWorkspace(repo, { ...request, setup, existing: 'discard' });
}

export async function removeCheckout(checkout: Workspace): Promise<void> {
  await removeTree(checkout.root);
}

export interface OverlayFile {
  readonly path: string;
  /** Undefined: the file is removed. */
  readonly content: Uint8Array | undefined;
  /** As in git: `100644` (default), `100755` or `120000`, a link to `content`. */
  readonly mode?: string;
}

export async function overlayFiles(checkout: Workspace, files: readonly OverlayFile[]): Promise<void> {
  for (const file of files) {
    const path = relativePath(file.path, 'the file to lay over');
    const target = join(checkout.tree, path);
    if (file.content === undefined) {
      if (await makeParents(checkout.tree, path)) await removeTree(target);
      continue;
    }
    await makeParents(checkout.tree, path, true);
    await removeTree(target);
    if (file.mode === '120000') await symlink(Buffer.from(file.content), target);
    else await writeFile(target, file.content, { flag: 'wx', mode: file.mode === '100755' ? 0o755 : 0o644 });
  }
}

/** Makes the named paths what they are in a commit: its content, or absent. */
export async function overlayFromCommit(
  repo: Repository,
  checkout: Workspace,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  const modes = new Map((await listFiles(repo, commit)).map((file) => [file.path, file.mode]));
  for (const path of paths) {
    const mode = modes.get(path);
    const content = mode === undefined ? undefined : await readFileAt(repo, commit, path);
    await overlayFiles(checkout, [{ path, content, ...(mode === undefined ? {} : { mode }) }]);
  }
}
