/**
 * Waits until no process is at work on a run any more, for those who asked it to leave. A process that cannot hear (it
 * was stopped by a signal) is named at once: nobody waits for it in silence.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunReader, RunSummary } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { isSuspended } from '../process/identity.ts';
import { isHeld } from './choose-run.ts';

const lookMs = 100;
/** Agents get a few seconds to end; after this, something else is wrong. */
const longestMs = 120_000;

export async function waitUntilReleased(engine: RunReader, run: string): Promise<RunSummary> {
  for (let waited = 0; ; waited += lookMs) {
    const listing = await engine.summarize(run);
    if (!isHeld(listing)) return listing;
    const { holder } = listing;
    if (holder !== null && isSuspended(holder)) {
      throw new ForgeError(
        'lease-held',
        `The process that works on ${run} (pid ${holder.pid}) is stopped, so it cannot react`,
        { hint: `The request is kept. Continue the process (fg in its terminal, or kill -CONT ${holder.pid}).` },
      );
    }
    if (waited > longestMs) {
      throw new ForgeError(
        'lease-held',
        `The run ${run} got the request, but its process (pid ${holder?.pid}) has not stopped yet`,
        { hint: 'Look at it with forge attach.' },
      );
    }
    await sleep(lookMs);
  }
}
