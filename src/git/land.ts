/**
 * The result becomes visible: as a branch of its own, and, when the user asks, on a branch of theirs. Fast-forward
 * only; a checkout of the branch moves along when it is clean, and nothing moves when it is not. What moved is
 * returned, so that it can be undone.
 */
import { ForgeError } from '../errors.ts';
import type { RefMove, Repository } from './git.ts';
import { type MoveRequest, moveBranches, shortName } from './move-branches.ts';
import { isAncestor, readRef } from './refs.ts';
import { resultBranch } from './repository.ts';
import { git } from './run-git.ts';
import { checkoutsOf, whyBranchIsBusy } from './user-checkout.ts';

/** `forge/<run>` at the commit: made, or moved forward. */
export async function publishBranch(repo: Repository, run: string, commit: string): Promise<RefMove> {
  const ref = `refs/heads/${await resultBranch(repo, run)}`;
  const move = { ref, before: await readRef(repo, ref), after: commit };
  await advance(repo, move, { kind: 'publish', run });
  return move;
}

export interface LandRequest extends Pick<MoveRequest, 'record' | 'known'> {
  readonly run: string;
  readonly branch: string;
  readonly commit: string;
  /** The journal hears of it by the effect that asks, also after a kill. */
  readonly asEffect?: boolean;
}

/** Empty when the branch holds the result already. */
export async function landOn(repo: Repository, request: LandRequest): Promise<readonly RefMove[]> {
  const { run, branch, commit, record, known, asEffect = false } = request;
  const move = { ref: `refs/heads/${branch}`, before: await requireBranch(repo, branch), after: commit };
  if (await isAncestor(repo, commit, move.before)) return [];
  const recording = record === undefined ? {} : { record };
  await advance(repo, move, {
    kind: asEffect ? 'publish' : 'land',
    run,
    ...recording,
    ...(known === undefined ? {} : { known }),
  });
  return [move];
}

/**
 * Whether a branch can just move on to a commit. `since`: what the run was started from on this very branch. If the branch
 * does not hold that any more, somebody took commits off it, and these must not come back with the result.
 */
export async function isForward(
  repo: Repository,
  { from, to, since }: { readonly from: string; readonly to: string; readonly since: string | undefined },
): Promise<boolean> {
  if (!(await isAncestor(repo, from, to))) return false;
  return since === undefined || (await isAncestor(repo, since, from));
}

/** Whether the result has to be put on top of the branch, and nothing else is in the way of landing there. */
export async function hasBranchMoved(
  repo: Repository,
  { branch, commit, since }: { readonly branch: string; readonly commit: string; readonly since: string | undefined },
): Promise<boolean> {
  const at = await requireBranch(repo, branch);
  if ((await isAncestor(repo, commit, at)) || (await isForward(repo, { from: at, to: commit, since }))) return false;
  const reason = await whyBranchIsBusy(repo, `refs/heads/${branch}`);
  if (reason === undefined) return true;
  throw new ForgeError('land-refused', `${branch} cannot be moved: ${reason}`, {
    hint: 'Commit, stash or move these files, then land again.',
  });
}

/** Where it is. Only a branch that is there is landed on: one that a typing error makes is nobody's. */
export async function requireBranch(repo: Repository, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const valid = await git(['check-ref-format', ref], { cwd: repo.engineDir, answers: [0, 1] });
  const at = valid.code === 0 ? await readRef(repo, ref) : undefined;
  if (at !== undefined) return at;
  throw new ForgeError('land-refused', `There is no branch ${JSON.stringify(branch)} to land on`, {
    hint: 'If the name is right, create the branch first: git branch <name>',
  });
}

type Advance = RefMove & { readonly after: string };

async function advance(
  repo: Repository,
  move: Advance,
  operation: Pick<MoveRequest, 'kind' | 'run' | 'record' | 'known'>,
): Promise<void> {
  const { ref, before, after } = move;
  const name = shortName(ref);
  if (before === after) return;
  if (before !== undefined && !(await isAncestor(repo, before, after))) throw notForward(name, after);
  const found = before === undefined ? undefined : await checkoutsOf(repo, ref);
  const refuse: MoveRequest['refuse'] = (message, hint = 'Look at it and try again.') =>
    new ForgeError('land-refused', `${name} cannot be moved: ${message}`, { hint });
  if (found?.status === 'blocked') throw refuse(found.reason);
  const checkouts = (found?.checkouts ?? []).map((checkout) => ({ ...checkout, from: before ?? after, to: after }));
  await moveBranches(repo, { ...operation, moves: [move], checkouts, reason: 'forge', refuse });
}

function notForward(name: string, after: string): ForgeError {
  return new ForgeError(
    'land-refused',
    `${name} cannot be fast-forwarded to ${after.slice(0, 12)}: it has commits of its own`,
    { hint: 'Look at it and try again.' },
  );
}
