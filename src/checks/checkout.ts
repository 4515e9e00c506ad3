/**
 * Where commands are run: a throw-away checkout of a commit, made anew for every check and removed after it. Commands
 * of one check follow each other in it, so that a test finds what the build before it made. But code under test ran
 * in between, so before each further command everything that judges is put back: tracked files, files that only the
 * judge may bring, setup outputs, the checkout's git directory, HOME and TMPDIR. What is left is build output.
 */
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJudgeFile } from '../evidence/judge-files.ts';
import type { RunnerShadow } from '../evidence/judge/runner-modules.ts';
import { prepareCheckout, removeCheckout } from '../git/checkout.ts';
import { hasRealParents, removeTree } from '../git/confined.ts';
import type { Workspace } from '../git/git.ts';
import { restoreTracked } from '../git/restore-tree.ts';
import type { CheckDeps } from './check.ts';

export interface CheckoutRequest {
  readonly run: string;
  /** Stable for the check, so that what a killed Forge left is found and replaced. */
  readonly name: string;
  readonly commit: string;
  /** The commit whose set-up outputs are used. */
  readonly judge: string;
  /**
   * What must come from the commit, whatever a command wrote: files, and directories without any tracked file, which
   * end in a slash.
   */
  readonly isJudge: (path: string) => boolean;
}

export async function withCheckout<T>(
  deps: CheckDeps,
  request: CheckoutRequest,
  signal: AbortSignal,
  work: (checkout: Workspace) => Promise<T>,
): Promise<T> {
  const checkout = await makeCheckout(deps, request, signal);
  try {
    return await work(checkout);
  } finally {
    await removeCheckout(deps.repo, checkout, deps.jail);
  }
}

/** As before the first command, but for build output. */
export async function restoreCheckout(
  deps: CheckDeps,
  request: CheckoutRequest,
  checkout: Workspace,
  signal: AbortSignal,
): Promise<void> {
  try {
    await restoreTree(deps, request, checkout);
  } catch {
    // Whatever was done to it, a new one is as good: only build output is lost.
    await makeCheckout(deps, request, signal);
    return;
  }
  await prepareTree(deps, request, checkout.tree, signal);
}

/**
 * May only the commit bring it? Directories are folded (they end in a slash): build output, but for packages that
 * would be imported in place of a runner, and places of configuration.
 */
export function isJudgePlace(path: string, shadows: RunnerShadow): boolean {
  return isJudgeFile(path) || shadows(path) !== undefined || /(?:^|\/)(?:\.cargo|\.config|\.yarn)\/$/.test(path);
}

async function makeCheckout(deps: CheckDeps, request: CheckoutRequest, signal: AbortSignal): Promise<Workspace> {
  signal.throwIfAborted();
  const { run, commit } = request;
  const workspace = await prepareCheckout(deps.repo, { run, name: request.name, commit, jail: deps.jail, signal });
  try {
    await cp(join(workspace.tree, '.git'), pristine(workspace), { recursive: true });
    await prepareTree(deps, request, workspace.tree, signal);
    return workspace;
  } catch (error) {
    await removeCheckout(deps.repo, workspace, deps.jail);
    throw error;
  }
}

async function prepareTree(
  deps: CheckDeps,
  request: CheckoutRequest,
  tree: string,
  signal: AbortSignal,
): Promise<void> {
  await deps.setup?.prepareTree({ judge: request.judge, tree }, signal);
}

function pristine(checkout: Pick<Workspace, 'engineDir'>): string {
  return join(checkout.engineDir, 'pristine.git');
}

async function restoreTree(deps: CheckDeps, request: CheckoutRequest, checkout: Workspace): Promise<void> {
  const { tree, home, tmp } = checkout;
  const planted = (await restoreTracked(deps.repo, checkout, request.commit)).filter(request.isJudge);
  await Promise.all(planted.map((path) => removeTree(join(tree, path))));
  for (const output of deps.setup?.outputs ?? []) {
    if (!(await hasRealParents(tree, output))) throw new Error(`a command moved what leads to ${output}`);
    await removeTree(join(tree, output));
  }
  await Promise.all([join(tree, '.git'), home, tmp].map(removeTree));
  await cp(pristine(checkout), join(tree, '.git'), { recursive: true });
  await Promise.all([mkdir(home), mkdir(tmp)]);
}
