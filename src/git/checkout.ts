/**
 * Throw-away checkouts of a commit, for checks. Made like any workspace, and never kept: what a check writes there is
 * nobody's work. The tree may serve again, once it is proven to hold nothing of it.
 */
import type { Jail } from '../process/jail.ts';
import { removeTree } from './confined.ts';
import type { Repository, Workspace } from './git.ts';
import { giveTree } from './workspace-pool.ts';
import { prepareWorkspace, type WorkspaceRequest } from './workspace.ts';

export type CheckoutRequest = Omit<WorkspaceRequest, 'existing'>;

export async function prepareCheckout(repo: Repository, request: CheckoutRequest): Promise<Workspace> {
  const setup = request.setup === undefined ? undefined : { share: false, ...request.setup };
  return prepareWorkspace(repo, { ...request, setup, existing: 'discard' });
}

/** `jail` is where programs ran in it. */
export async function removeCheckout(repo: Repository, checkout: Workspace, jail: Jail): Promise<void> {
  if (!(await giveTree(repo, checkout, jail))) await removeTree(checkout.root);
}
