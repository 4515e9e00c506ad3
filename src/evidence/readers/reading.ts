/**
 * What every result reader takes and gives, and how raw points become counts. A reading explains a run;
 * the exit code decides elsewhere. Names are stable across runs: no durations, no absolute paths. Names and
 * their number are bounded, because they come from the code under test and end up in the journal.
 */
import type { TestCounts } from '../../policy/check-report.ts';
import { namesRequirement } from '../../policy/traced-test.ts';
import { stableName } from './text.ts';

export interface RunOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Result files the command left (JUnit XML, JSON), if any. */
  readonly files?: readonly { readonly path: string; readonly content: string }[];
  /** Where the command ran; absolute paths below it become relative in names. */
  readonly root?: string;
}

export interface Reading {
  readonly counts: TestCounts;
  /** The part of `counts.failing` that never ran an assertion: files, packages or tests that did not load. */
  readonly unloaded: readonly string[];
  /** Tests that really ran, passed or failed; a file or package that did not load is none. */
  readonly ran: number;
}

/** One result as a reader saw it. */
export interface Point {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Failed because something did not load, or passed without containing a test. */
  readonly unloaded?: boolean;
}

/** The runner's own figures, which stay right when the middle of the output is missing. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const maxFailing = 2000;

export function toReading(points: readonly Point[], root: string | undefined, totals?: Totals): Reading {
  const failing = new Set<string>();
  const unloaded = new Set<string>();
  const passing = new Set<string>();
  const tally = { passed: 0, failed: 0, skipped: 0 };
  let ran = 0;
  let idlePasses = 0;
  for (const point of points) {
    tally[point.status] += 1;
    if (point.status !== 'skipped' && point.unloaded !== true) ran += 1;
    if (point.status === 'passed' && point.unloaded === true) idlePasses += 1;
    if (point.status === 'passed' && namesRequirement(point.name)) passing.add(stableName(point.name, root));
    if (point.status !== 'failed') continue;
    const name = stableName(point.name, root);
    failing.add(name);
    if (point.unloaded === true) unloaded.add(name);
    else unloaded.delete(name);
  }
  const { skipped } = totals ?? tally;
  // A command may run several suites and print figures for each: what failed in one is not undone by the next.
  const failed = totals === undefined ? tally.failed : Math.max(totals.failed, failing.size);
  // A file that ended well without registering a test is not a test that passed, though some runners count it as one.
  const passed = Math.max(0, (totals ?? tally).passed - idlePasses);
  const names = [...failing].sort().slice(0, maxFailing);
  return {
    counts: { passed, failed, skipped, failing: names, ...traced(passing) },
    unloaded: [...unloaded].sort().slice(0, maxFailing),
    ran: totals === undefined ? ran : Math.max(0, passed + failed - unloaded.size),
  };
}

/** Left out where there are none, as in most projects. */
function traced(passing: Iterable<string>): Pick<TestCounts, 'passing'> {
  const names = [...passing].sort().slice(0, maxFailing);
  return names.length === 0 ? {} : { passing: names };
}

/** Several reports of one command (one JUnit file per class, say) as one. */
export function mergeReadings(readings: readonly Reading[]): Reading | undefined {
  if (readings.length === 0) return undefined;
  const sum = (pick: (reading: Reading) => number): number => readings.reduce((total, each) => total + pick(each), 0);
  const union = (pick: (reading: Reading) => readonly string[]): string[] =>
    [...new Set(readings.flatMap(pick))].sort().slice(0, maxFailing);
  return {
    counts: {
      passed: sum((each) => each.counts.passed),
      failed: sum((each) => each.counts.failed),
      skipped: sum((each) => each.counts.skipped),
      failing: union((each) => each.counts.failing),
      ...traced(union((each) => each.counts.passing ?? [])),
    },
    unloaded: union((each) => each.unloaded),
    ran: sum((each) => each.ran),
  };
}
