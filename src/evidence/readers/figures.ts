/** Closing figures, as runners print them for people: words with numbers become totals. */
import { toReading, type Point, type Reading, type Totals } from './reading.ts';

/** `2 failed | 8 passed (10)` and its kind, with failures that were read from the text; a file that failed counts too. */
export function readSummaryLine(
  points: readonly (Point & { readonly suite: boolean })[],
  line: string | undefined,
  root: string | undefined,
): Reading {
  const figure = (word: string): number => Number(new RegExp(`(\\d{1,9}) ${word}\\b`).exec(line ?? '')?.[1] ?? 0);
  return toReading(points, root, {
    passed: figure('passed'),
    failed: figure('failed') + points.filter((point) => point.suite).length,
    skipped: figure('skipped') + figure('todo'),
  });
}

/** The figures of node's test runner, of which `tests` and `pass` must be there. */
export function nodeTotals(figures: ReadonlyMap<string, number>): Totals | undefined {
  const count = (key: string): number => figures.get(key) ?? 0;
  if (!figures.has('tests') || !figures.has('pass')) return undefined;
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
}
