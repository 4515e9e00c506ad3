/**
 * The facts of a run, from a position on: those that are there, then each as it is written, until the run is over, is
 * suspended, or its process is gone. Looking on changes nothing.
 */
import { z } from 'zod';
import type { RunReader, RunSummary } from '../engine/engine.ts';
import { type Fact, factSchemas } from '../engine/facts.ts';
import { isHeld } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findSummary } from './find-run.ts';
import type { StreamOperation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({
  run: runName,
  after: z.number().int().min(0).default(0).describe('the number of the last fact you have: only later ones come'),
});

const common = { v: z.number().int(), seq: z.number().int(), at: z.string(), key: z.string(), hash: z.string() };

/** One line of a journal. */
const output = z.union(
  Object.entries(factSchemas).map(([type, data]) => z.strictObject({ ...common, type: z.literal(type), data })),
) as unknown as z.ZodType<Fact>;

export const attachRun: StreamOperation<typeof input, typeof output> = {
  name: 'attach-run',
  kind: 'stream',
  description: 'Gives every fact of a run after a position, then each as it is written, until nobody works on the run.',
  input,
  output,
  async *run(context, { run, after }) {
    const { engine } = await context.runs();
    const listing = await findSummary(context, { run, what: 'that is being worked on', fits: isHeld });
    for await (const fact of untilLeft(engine, listing, context.signal)) if (fact.seq > after) yield fact;
  },
};

/** The run that is meant, and its newest fact: what comes before is history. */
export async function attachableRun(
  context: ApiContext,
  run: string | undefined,
): Promise<{ readonly run: string; readonly from: number }> {
  const listing = await findSummary(context, { run, what: 'that is being worked on', fits: isHeld });
  return { run: listing.run, from: listing.seq };
}

/** How often the process at work is looked after. */
const lookMs = 2000;

async function* untilLeft(engine: RunReader, listing: RunSummary, signal: AbortSignal): AsyncGenerator<Fact> {
  const known = listing.seq;
  const left = new AbortController();
  const timer = setInterval(() => {
    engine.summarize(listing.run).then(
      (now) => {
        if (!isHeld(now)) left.abort();
      },
      () => left.abort(),
    );
  }, lookMs);
  try {
    for await (const fact of engine.watch(listing.run, AbortSignal.any([signal, left.signal]))) {
      yield fact;
      if (fact.seq < known) continue;
      if (fact.type === 'run.suspended' || (fact.seq === known && !isHeld(listing))) return;
    }
  } finally {
    clearInterval(timer);
  }
}
