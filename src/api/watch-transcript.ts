/** How long the transcript of one agent session is, each time it grows, until the session is over. Looking changes nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { transcriptName } from '../agents/transcript-name.ts';
import { liveRun } from './live-run.ts';
import type { StreamOperation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({
  run: runName,
  key: z.string().min(1).max(512).describe('the key of the agent session'),
  follow: z.boolean().default(true).describe('keep giving it while the session lasts; otherwise give it once'),
});

const output = z.strictObject({
  /** Entries so far. */
  total: z.number().int(),
  /** The agent is at work. */
  isOpen: z.boolean(),
});

const lookMs = 300;

export const watchTranscript: StreamOperation<typeof input, typeof output> = {
  name: 'watch-transcript',
  kind: 'stream',
  description: 'Says how many entries the transcript of an agent session has, each time it grows.',
  input,
  output,
  async *run(context, { run, key, follow }) {
    const { engine } = await context.runs();
    const live = await liveRun(context, run);
    const artifacts = engine.artifacts(live.run);
    let last = '';
    while (!context.signal.aborted) {
      const isOpen = live.page?.isLive === true && live.chronicle.state.effects.get(key)?.open !== undefined;
      const { total } = await artifacts.lines(transcriptName(key), 1, 1);
      const now = `${total} ${isOpen}`;
      if (now !== last) yield { total, isOpen };
      last = now;
      if (!isOpen || !follow) return;
      await sleep(lookMs, undefined, { signal: context.signal }).catch(() => undefined);
      await live.refresh();
    }
  },
};
