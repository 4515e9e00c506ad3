/** Waits until no process is at work on a run any more, for those who asked it to leave. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, RunListing } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { isHeld } from './choose-run.ts';

const lookMs = 100;
/** Agents get a few seconds to end; after this, something else is wrong. */
const longestMs = 120_000;

export async function untilReleased(engine: Engine, run: string): Promise<RunListing> {
  for (let waited = 0; ; waited += lookMs) {
    const listing = await engine.read(run);
    if (!isHeld(listing)) return listing;
    if (waited > longestMs) {
      const pid = listing.state?.opened?.holder.pid;
      throw new ForgeError('lease-held', `The run ${run} was told, but its process (pid ${pid}) has not left it yet`, {
        hint: 'Look at it with forge attach.',
      });
    }
    await sleep(lookMs);
  }
}
