/**
 * Throw-away checkouts of a commit, for checks. Made like any workspace, and never kept: what a check writes there is
 * nobody's work.
 */
import { removeTree } from './confined.ts';
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
