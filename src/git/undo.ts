/**
 * Puts every ref back as it was, all of them or none. What is undone stays reachable under refs/forge/<run>/undone/.
 * Refused when somebody has built on a ref since, or when a checkout that would have to move back is not clean.
 */
import { ForgeError } from '../errors.ts';
import type { RefMove, Repository } from './git.ts';
import { lastNumber, undonePrefix } from './ref-name.ts';
import { listRefs, moveRefs, readRef } from './refs.ts';
import { checkoutsOf, type CheckoutStep, moveCheckout, obstacle, type UserCheckout } from './user-checkout.ts';

/** The moves of a run in the order they happened; answers what was moved now. */
export async function undoRefs(repo: Repository, run: string, moves: readonly RefMove[]): Promise<readonly RefMove[]> {
  const back: RefMove[] = [];
  for (const { ref, before, after } of netMoves(moves)) {
    const actual = await readRef(repo, ref);
    if (actual === before) continue;
    if (actual !== after) throw refused(`${ref} has moved since: somebody has built on it or removed it`);
    back.push({ ref, before: after, after: before });
  }
  const steps = await planCheckouts(repo, back);
  for (const { checkout, step } of steps) await moveCheckout(checkout, step);
  const stale = await moveRefs(repo, [...back, ...(await keepTips(repo, run, back))], 'forge: undo');
  if (stale === undefined) return back;
  for (const { checkout, step } of steps) await moveCheckout(checkout, { from: step.to, to: step.from });
  throw refused(`${stale.ref} was moved by somebody else just now`);
}

/** One move per ref: from where it first was to where it last went. Pure. */
export function netMoves(moves: readonly RefMove[]): readonly RefMove[] {
  const net = new Map<string, RefMove>();
  for (const move of moves) net.set(move.ref, { ...move, before: (net.get(move.ref) ?? move).before });
  return [...net.values()].filter((move) => move.before !== move.after);
}

async function planCheckouts(repo: Repository, back: readonly RefMove[]) {
  const steps: { checkout: UserCheckout; step: CheckoutStep }[] = [];
  for (const { ref, before, after } of back) {
    if (!ref.startsWith('refs/heads/') || before === undefined) continue;
    const found = await checkoutsOf(repo, ref);
    if (found.status === 'blocked') throw refused(`${ref} can not be moved: ${found.reason}`);
    for (const checkout of found.checkouts) {
      if (after === undefined)
        throw refused(`${ref} is checked out in ${checkout.root}`, 'Switch to another branch first.');
      const step = { from: before, to: after };
      const reason = await obstacle(repo, checkout, step);
      if (reason !== undefined)
        throw refused(`${ref} can not be moved back: ${reason}`, 'Commit, stash or move these files first.');
      steps.push({ checkout, step });
    }
  }
  return steps;
}

async function keepTips(repo: Repository, run: string, back: readonly RefMove[]): Promise<readonly RefMove[]> {
  const prefix = undonePrefix(run);
  const kept = await listRefs(repo, prefix);
  const known = new Set(kept.map((ref) => ref.commit));
  const tips = [...new Set(back.map((move) => move.before))].filter((tip) => tip !== undefined && !known.has(tip));
  const first = lastNumber(
    kept.map((ref) => ref.ref),
    prefix,
  );
  return tips.map((after, at) => ({ ref: `${prefix}${first + at + 1}`, before: undefined, after }));
}

function refused(message: string, hint = 'Nothing was changed.'): ForgeError {
  return new ForgeError('undo-refused', message, { hint });
}
