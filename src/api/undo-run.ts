/** Puts every branch that a run moved back to where it was. What is undone stays reachable below refs/forge. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import type { RefMove } from '../git/git.ts';
import { undoRefs } from '../git/undo.ts';
import { isHeld } from './choose-run.ts';
import { findRun } from './find-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional() });

export interface Undone {
  readonly run: string;
  /** Empty when there was nothing to put back. */
  readonly moves: readonly RefMove[];
}

export const undoRun: Operation<typeof input, Undone> = {
  name: 'undo-run',
  summary: 'put back every branch that a run moved',
  input,
  async run(context, { run }) {
    const { repo, engine } = await context.forge();
    const listing = await findRun(context, {
      run,
      what: 'that moved a branch',
      fits: ({ state }) => state !== undefined && state.refs.length > 0,
    });
    if (isHeld(listing)) {
      throw new ForgeError('undo-refused', `The run ${listing.run} is still going on`, {
        hint: `End it first: forge cancel ${listing.run}`,
      });
    }
    const { state } = listing;
    if (state === undefined) throw new ForgeError('journal-corrupt', listing.problem ?? 'the journal can not be read');
    const made = state.refs.map(({ ref, before, after }) => ({ ref, before, after }));
    const moves = await undoRefs(repo, listing.run, made);
    await engine.recordRefs(listing.run, moves);
    return { run: listing.run, moves };
  },
};
