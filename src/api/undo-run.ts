/**
 * Puts branches back that a run moved and that still stand where it left them. Every other branch is named and left
 * alone; with `revert`, a commit on top takes the run's changes back there. What is undone stays reachable below
 * refs/forge.
 */
import { z } from 'zod';
import { refMoveSchema } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import type { RefMove } from '../git/git.ts';
import { shortName } from '../git/move-branches.ts';
import { type LeftAlone, planUndo, revertCommand, revertLeft, undoRefs } from '../git/undo.ts';
import { isHeld } from './choose-run.ts';
import { findRun } from './find-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { settleInterrupted } from './settle-operations.ts';

const input = z.strictObject({
  run: runName,
  /** Where people have built on a landing: commit on top what takes it back. */
  revert: z.boolean().default(false),
});

const output = z.strictObject({
  run: z.string(),
  /** Empty when there was nothing to put back. */
  moves: z.array(refMoveSchema),
  /** Branches that were left alone, and why. */
  left: z.array(z.strictObject({ branch: z.string(), reason: z.string(), hint: z.string() })),
});
export type Undone = JsonOf<typeof output>;

export const undoRun: Operation<typeof input, typeof output> = {
  name: 'undo-run',
  kind: 'command',
  description: 'Puts back every branch that a run moved and that still stands where the run left it.',
  input,
  output,
  async run(context, { run, revert }) {
    const forge = await context.forge();
    const { repo, engine } = forge;
    await settleInterrupted(forge);
    const listing = await findRun(context, {
      run,
      what: 'that moved a branch',
      fits: ({ refs }) => refs.length > 0,
    });
    if (isHeld(listing)) {
      throw new ForgeError('undo-refused', `The run ${listing.run} is still running`, {
        hint: `End it first: forge cancel ${listing.run}`,
      });
    }
    const { state } = listing;
    if (state === undefined) throw new ForgeError('journal-corrupt', listing.problem ?? 'the journal cannot be read');
    const made = state.refs.map(({ ref, before, after, reverts }) => ({
      ref,
      before,
      after,
      ...(reverts === true ? { reverts } : {}),
    }));
    const { back, left } = await planUndo(repo, made);
    const operation = (known: number) => ({
      run: listing.run,
      known,
      record: (moves: readonly RefMove[]) => engine.recordRefs(listing.run, moves, known),
    });
    await undoRefs(repo, back, operation(made.length));
    const reverted = revert
      ? await revertLeft(repo, left, { ...operation(made.length + back.length), date: new Date() })
      : [];
    const open = left.filter(({ ref }) => !reverted.some((move) => move.ref === ref));
    const moves = [...back, ...reverted];
    if (moves.length === 0 && open[0] !== undefined) {
      const [first] = open;
      throw new ForgeError('undo-refused', `${explain(first)}: it was left alone`, {
        hint: hintFor(listing.run, first),
      });
    }
    return {
      run: listing.run,
      moves,
      left: open.map((one) => ({
        branch: shortName(one.ref),
        reason: explain(one),
        hint: hintFor(listing.run, one),
      })),
    };
  },
};

function explain({ ref, why, commits }: LeftAlone): string {
  const name = shortName(ref);
  if (why === 'gone') return `${name} was removed since`;
  if (why === 'elsewhere') return `${name} was moved since, and does not hold the result any more`;
  return `${name} has ${commits === 1 ? 'a commit' : `${commits} commits`} on top of what was landed`;
}

function hintFor(run: string, { why, landed }: LeftAlone): string {
  if (why !== 'built-on') return 'There is nothing of the run on it to take back.';
  return `To keep those and take the run's changes back with a new commit: forge undo ${run} --revert\nOr by hand, on that branch: ${revertCommand(landed)}`;
}
