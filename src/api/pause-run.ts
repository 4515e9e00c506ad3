/** Asks the process at work on a run to leave it in a state from which it can be resumed, and waits until it has. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { isFinished, isHeld } from './choose-run.ts';
import { findSummary } from './find-run.ts';
import { runLineSchema } from './list-runs.ts';
import type { Operation } from './operation.ts';
import { runLine } from './run-lines.ts';
import { runName } from './run-name.ts';
import { waitUntilReleased } from './wait-until-released.ts';

const input = z.strictObject({ run: runName });

export const pauseRun: Operation<typeof input, typeof runLineSchema> = {
  name: 'pause-run',
  kind: 'command',
  description: 'Stops a run for now, until it is resumed. What agents have done so far is kept.',
  input,
  output: runLineSchema,
  tool: { name: 'forge_pause', title: 'Pause a run', hints: { idempotent: true } },
  async run(context, { run }) {
    const { engine } = await context.reader();
    const listing = await findSummary(context, { run, what: 'that is being worked on', fits: isHeld });
    if (!isHeld(listing)) {
      throw new ForgeError('bad-input', `No process is working on the run ${listing.run} (${listing.status})`, {
        hint: isFinished(listing)
          ? `See the result: forge show ${listing.run}`
          : `Continue it: forge resume ${listing.run}`,
      });
    }
    await engine.signal(listing.run, { type: 'pause', reason: 'asked for by forge pause' });
    return runLine(await waitUntilReleased(engine, listing.run));
  },
};
