/**
 * Moves a branch of the user's to the result of a run, because they asked for it: forward only, and only over a clean
 * checkout. What a run merged before it failed needs the person's word a second time. A move is a fact before it is
 * made: if the process dies in between, undoing finds the ref where it was and leaves it alone.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import type { RefMove } from '../git/git.ts';
import { landOn } from '../git/land.ts';
import { readRef } from '../git/refs.ts';
import { resultOf } from '../views/landing.ts';
import { isHeld } from './choose-run.ts';
import { findRun } from './find-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({
  run: z.string().optional(),
  into: z.string().min(1),
  /** Also what a run merged that is not done. */
  force: z.boolean().default(false),
});

export interface Landed {
  readonly run: string;
  readonly branch: string;
  readonly commit: string;
  /** Empty when the branch was there already. */
  readonly moves: readonly RefMove[];
}

export const landRun: Operation<typeof input, Landed> = {
  name: 'land-run',
  summary: 'move a branch of yours to the result of a run',
  input,
  async run(context, { run, into: branch, force }) {
    const { repo, engine } = await context.forge();
    const listing = await findRun(context, { run, what: 'that is done', fits: ({ status }) => status === 'done' });
    const { state } = listing;
    if (isHeld(listing)) throw refused(`The run ${listing.run} is still going on`, `forge attach ${listing.run}`);
    if (listing.status !== 'done' && !force) {
      throw refused(
        `The run ${listing.run} is not done (${listing.status}${state?.reason ? `: ${state.reason}` : ''})`,
        'With --force, what it merged lands all the same.',
      );
    }
    const commit = state === undefined ? undefined : resultOf(state);
    if (commit === undefined) throw refused(`The run ${listing.run} merged nothing`, `forge show ${listing.run}`);
    const ref = `refs/heads/${branch}`;
    // A name that is no branch is for landOn to refuse.
    const before = /^[^-\s][^\s]*$/.test(branch) ? await readRef(repo, ref) : undefined;
    const meant: readonly RefMove[] = before === undefined || before === commit ? [] : [{ ref, before, after: commit }];
    const back = meant.map((move) => ({ ref, before: move.after, after: move.before }));
    await engine.recordRefs(listing.run, meant);
    try {
      const moves = await landOn(repo, { branch, commit });
      if (moves[0]?.before !== meant[0]?.before) {
        await engine.recordRefs(listing.run, [...back, ...moves]);
      }
      return { run: listing.run, branch, commit, moves };
    } catch (error) {
      await engine.recordRefs(listing.run, back);
      throw error;
    }
  },
};

function refused(message: string, hint: string): ForgeError {
  return new ForgeError('land-refused', message, { hint });
}
