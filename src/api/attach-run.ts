/**
 * Watches a run that another process works on: every fact so far, then each as it is written, until the run is over,
 * is suspended, or its process is gone. Looking on changes nothing.
 */
import { z } from 'zod';
import type { Fact } from '../engine/facts.ts';
import type { RunReader, RunSummary } from '../engine/engine.ts';
import { isHeld } from './choose-run.ts';
import { findSummary } from './find-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional() });

export interface Attached {
  readonly run: string;
  /** The newest fact when it was attached to: what comes before is history. */
  readonly from: number;
  /** Ends by itself, or when the signal aborts. */
  facts(signal: AbortSignal): AsyncIterable<Fact>;
  /** How it stands now. */
  standing(): Promise<RunSummary>;
}

/** How often the process at work is looked after. */
const lookMs = 2000;

export const attachRun: Operation<typeof input, Attached> = {
  name: 'attach-run',
  summary: 'watch a run that another process works on',
  input,
  async run(context, { run }) {
    const { engine } = await context.runs();
    const listing = await findSummary(context, { run, what: 'that is being worked on', fits: isHeld });
    const standing = (): Promise<RunSummary> => engine.summarize(listing.run);
    return {
      run: listing.run,
      from: listing.seq,
      standing,
      facts: (signal) => untilLeft(engine, listing, standing, signal),
    };
  },
};

async function* untilLeft(
  engine: RunReader,
  listing: RunSummary,
  standing: () => Promise<RunSummary>,
  signal: AbortSignal,
): AsyncGenerator<Fact> {
  const known = listing.seq;
  const left = new AbortController();
  const timer = setInterval(() => {
    standing().then(
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
