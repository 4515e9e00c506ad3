/** Runs of real workflows as their journals recorded them, for views to draw. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { type Chronicle, chronicleOf } from '../../src/views/chronicle.ts';

export const recordedRuns = ['everything', 'waves', 'modules'] as const;

/** In the journal format of the version that recorded them. */
const golden = resolve(import.meta.dirname, '../golden');

export type RecordedName = (typeof recordedRuns)[number];

export function recordedFacts(name: RecordedName): readonly Fact[] {
  const file = readdirSync(golden).find((one) => one.startsWith(`${name}-format-`) && one.endsWith('.jsonl')) ?? '';
  return readJournalFile(join(golden, file)).facts;
}

export function recordedRun(name: RecordedName): Chronicle {
  return chronicleOf(recordedFacts(name));
}

/** The facts up to the first that fits, and that one. */
export function factsUntil(name: RecordedName, fits: (fact: Fact) => boolean): readonly Fact[] {
  const facts = recordedFacts(name);
  return facts.slice(0, facts.findIndex(fits) + 1);
}
