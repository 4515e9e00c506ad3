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
  const valid = await git(['check-ref-format', ref], { cwd: repo.engineDir, answers: [0, 1] });
  const before = valid.code === 0 ? await readRef(repo, ref) : undefined;
  if (before === undefined) throw new ForgeError('land-refused', `there is no branch ${request.branch} to land on`);
  const move = await advance(repo, { ref, before, after: request.commit });
  return move.before === move.after ? [] : [move];
}

type Advance = RefMove & { readonly after: string };

async function advance(repo: Repository, move: Advance): Promise<RefMove> {
  const { ref, before, after } = move;
  const name = ref.slice('refs/heads/'.length);
  if (before === after) return move;
  if (before !== undefined && !(await isAncestor(repo, before, after))) {
    throw new ForgeError(
      'land-refused',
      `${name} can not be fast-forwarded to ${after.slice(0, 12)}: it has commits of its own`,
      {
        hint: `Merge it yourself: git switch ${name} && git merge ${after.slice(0, 12)}`,
      },
    );
  }
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
