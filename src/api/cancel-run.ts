/** Ends a run for good; what was captured and merged stays. If nobody is at work on it, this process takes it and ends it. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { isFinished, isHeld, requireReadable } from './choose-run.ts';
import { findSummary } from './find-run.ts';
import { runLineSchema } from './list-runs.ts';
import type { Operation } from './operation.ts';
import { runLine } from './run-lines.ts';
import { runName } from './run-name.ts';
import { waitUntilReleased } from './wait-until-released.ts';

const input = z.strictObject({ run: runName, reason: z.string().max(2000).default('cancelled by a person') });

export const cancelRun: Operation<typeof input, typeof runLineSchema> = {
  name: 'cancel-run',
  kind: 'command',
  description:
    'Ends a run for good: it cannot be resumed. What it merged and kept stays. To stop it for now, pause it.',
  input,
  output: runLineSchema,
  tool: { name: 'forge_cancel', title: 'End a run', hints: { destructive: true, idempotent: true } },
  async run(context, { run, reason }) {
    const { engine } = await context.forge();
    const listing = await findSummary(context, {
      run,
      what: 'that is not over',
      fits: (one) => !isFinished(one),
      mustBeNamed: true,
    });
    requireReadable(listing);
    if (isFinished(listing)) {
      throw new ForgeError('bad-input', `The run ${listing.run} is over already (${listing.status})`, {
        hint: `To take its result back: forge undo ${listing.run}`,
      });
    }
    await engine.signal(listing.run, { type: 'cancel', reason });
    if (!isHeld(listing)) {
      // The message stands: whoever opens the run next ends it before anything else.
      const handle = await engine.resume(listing.run, { whenWaiting: 'leave' });
      const end = await handle.ended;
      if (end.status === 'stopped') throw end.error;
    }
    return runLine(await waitUntilReleased(engine, listing.run));
  },
};
