/**
 * Tries a task of a run again that was not done, and goes on with the run from there, even if it was over. Plan and
 * approval stand; what was skipped on account of the task is tried with it. What the earlier try left stays captured.
 */
import { z } from 'zod';
import type { RunListing } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { waveWith } from '../views/waves-keys.ts';
import { isHeld } from './choose-run.ts';
import { findRun, readChronicle } from './find-run.ts';
import type { ApiContext, Operation } from './operation.ts';
import { type Resumed, landingSignals } from './resume-run.ts';
import { requireTrust } from './trust.ts';

const input = z.strictObject({
  run: z.string(),
  task: z.string().min(1),
  /** Take it from a process on another host that is gone for good. */
  takeOver: z.boolean().default(false),
  /** The user's branch that is to be moved to the result, instead of the one named before. */
  into: z.string().min(1).optional(),
});

export const retryRun: Operation<typeof input, Resumed> = {
  name: 'retry-run',
  summary: 'try a task of a run again, and go on from there',
  input,
  async run(context, { run, task, takeOver, into }) {
    const forge = await context.forge();
    const { engine, notices, repo } = forge;
    const listing = await retryableRun(context, run, task);
    requireTrust(forge, context.env);
    const posts = await landingSignals(repo, into);
    return { handle: await engine.retry(listing.run, task, { ...context.watcher, takeOver, posts }), notices };
  },
};

/** The run, unless a process is at work on it, or the task is only a part of what can be tried again. */
export async function retryableRun(context: ApiContext, run: string, task: string): Promise<RunListing> {
  const listing = await findRun(context, { run, what: 'here', fits: () => true });
  if (isHeld(listing)) {
    const pid = listing.state?.opened?.holder.pid;
    throw new ForgeError('lease-held', `A process is at work on the run ${listing.run} (pid ${pid})`, {
      hint: `Wait for its end (forge attach ${listing.run}), or pause it first: forge pause ${listing.run}`,
    });
  }
  const wave = waveWith(readChronicle(listing), task);
  if (wave === undefined) return listing;
  throw new ForgeError('bad-input', `${task} is part of ${wave}, which is tried as a whole`, {
    hint: `forge retry ${listing.run} ${wave}`,
  });
}
