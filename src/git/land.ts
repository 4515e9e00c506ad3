/**
 * The result becomes visible: as a branch of its own, and, when the user asks, on a branch of theirs. Fast-forward
 * only; a checkout of the branch moves along when it is clean, and nothing moves when it is not. What moved is
 * returned, so that it can be undone.
 */
import { ForgeError } from '../errors.ts';
import type { RefMove, Repository } from './git.ts';
import { isAncestor, moveRef, readRef } from './refs.ts';
import { resultBranch } from './repository.ts';
import { git } from './run-git.ts';
import { checkoutsOf, moveCheckout, obstacle, type UserCheckout } from './user-checkout.ts';

/** `forge/<run>` at the commit: made, or moved forward. */
export async function publishBranch(repo: Repository, run: string, commit: string): Promise<RefMove> {
  const ref = `refs/heads/${await resultBranch(repo, run)}`;
  return advance(repo, { ref, before: await readRef(repo, ref), after: commit });
}

export async function landOn(
  repo: Repository,
  request: { readonly branch: string; readonly commit: string },
): Promise<readonly RefMove[]> {
  const ref = `refs/heads/${request.branch}`;
  const before = await requireBranch(repo, request.branch);
  const move = await advance(repo, { ref, before, after: request.commit });
  return move.before === move.after ? [] : [move];
}

/** What can be known beforehand: the branch is there, and a result built on the commit can be a later state of it. */
export async function requireLandable(
  repo: Repository,
  wish: { readonly branch: string; readonly base: string },
): Promise<void> {
  await requireForward(repo, { name: wish.branch, before: await requireBranch(repo, wish.branch), after: wish.base });
}

/** Where it is. Only a branch that is there is landed on: one that a typing error makes is nobody's. */
export async function requireBranch(repo: Repository, branch: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const valid = await git(['check-ref-format', ref], { cwd: repo.engineDir, answers: [0, 1] });
  const at = valid.code === 0 ? await readRef(repo, ref) : undefined;
  if (at !== undefined) return at;
  throw new ForgeError('land-refused', `There is no branch ${JSON.stringify(branch)} to land on`, {
    hint: 'If the name is right, make it first with git branch.',
  });
}

async function requireForward(
  repo: Repository,
  { name, before, after }: { readonly name: string; readonly before: string; readonly after: string },
): Promise<void> {
  if (await isAncestor(repo, before, after)) return;
  const to = after.slice(0, 12);
  throw new ForgeError('land-refused', `${name} can not be fast-forwarded to ${to}: it has commits of its own`, {
    hint: `Merge it yourself: git switch ${name} && git merge ${to}`,
  });
}

type Advance = RefMove & { readonly after: string };

async function advance(repo: Repository, move: Advance): Promise<RefMove> {
  const { ref, before, after } = move;
  const name = ref.slice('refs/heads/'.length);
  if (before === after) return move;
  if (before !== undefined) await requireForward(repo, { name, before, after });
  const checkouts = before === undefined ? [] : await readyCheckouts(repo, { ref, before, after }, name);
  for (const checkout of checkouts) await moveCheckout(checkout, { from: before ?? after, to: after });
  const outcome = await moveRef(repo, ref, { from: before, to: after });
  if (outcome.status === 'moved') return move;
  for (const checkout of checkouts) await moveCheckout(checkout, { from: after, to: before ?? after });
  throw new ForgeError('land-refused', `${name} was moved by somebody else just now`, {
    hint: 'Look at it and try again.',
  });
}

async function readyCheckouts(
  repo: Repository,
  move: { readonly ref: string; readonly before: string; readonly after: string },
  name: string,
): Promise<readonly UserCheckout[]> {
  const found = await checkoutsOf(repo, move.ref);
  if (found.status === 'blocked') throw new ForgeError('land-refused', `${name} can not be moved: ${found.reason}`);
  for (const checkout of found.checkouts) {
    const reason = await obstacle(repo, checkout, { from: move.before, to: move.after });
    if (reason === undefined) continue;
    throw new ForgeError('land-refused', `${name} can not be moved: ${reason}`, {
      hint: 'Commit, stash or move these files, then land again.',
    });
  }
  return found.checkouts;
}
