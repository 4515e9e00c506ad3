/** Runs of real workflows as their journals recorded them, for views to draw. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Fact } from '../../src/engine/facts.ts';
import { readJournal } from '../../src/engine/files/read-journal.ts';
import { type Chronicle, chronicleOf } from '../../src/views/chronicle.ts';

export const recordedRuns = ['everything', 'waves', 'modules'] as const;
export type RecordedName = (typeof recordedRuns)[number];

export function recordedFacts(name: RecordedName): readonly Fact[] {
  const file = resolve(import.meta.dirname, `../golden/${name}-format-1.jsonl`);
  return readJournal(readFileSync(file), { file }).facts;
}

export function recordedRun(name: RecordedName): Chronicle {
  return chronicleOf(recordedFacts(name));
}

/** The facts up to the first that fits, and that one. */
export function factsUntil(name: RecordedName, fits: (fact: Fact) => boolean): readonly Fact[] {
  const facts = recordedFacts(name);
  return facts.slice(0, facts.findIndex(fits) + 1);
}
