/**
 * Python's unittest, as it writes to stderr: a header for each failure (`FAIL: test_x (mod.Case.test_x)`), then
 * `Ran 8 tests in 0.1s` and `OK` or `FAILED (failures=1, errors=2, skipped=1)`. Expected failures count as skipped,
 * as with pytest. Subtests fail under the name of their test; a module that could not be imported did not load.
 */
import { toReading, type Point, type Reading, type RunOutput } from './reading.ts';
import { plainLines } from './text.ts';

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(output.stderr);
  const end = lines.findLastIndex((line) => ranLine.test(line));
  if (end === -1) return undefined;
  const verdict = lines.slice(end + 1).find((line) => line.trim() !== '') ?? '';
  const [, word, details = ''] = /^(OK|FAILED|NO TESTS RAN)(?: \(([\w =,]{1,200})\))?\s*$/.exec(verdict) ?? [];
  if (word === undefined) return undefined;
  const figure = (name: string): number => Number(new RegExp(`(?:^|, )${name}=(\\d{1,9})`).exec(details)?.[1] ?? 0);
  const points = failures(lines.slice(0, end));
  // A test with failing subtests fails once for each of them, and ran once.
  const failed = new Set(points.map((point) => point.name)).size;
  const skipped = figure('skipped') + figure('expected failures');
  const unexpected = figure('unexpected successes');
  const ran = Number(ranLine.exec(lines[end] ?? '')?.[1] ?? 0);
  return toReading(points, output.root, {
    passed: Math.max(0, ran - failed - skipped - unexpected),
    failed: failed + unexpected,
    skipped,
  });
}

const ranLine = /^Ran (\d{1,9}) tests? in \d[\d.]*s\s*$/;

function failures(lines: readonly string[]): Point[] {
  return lines.flatMap((line, index) => {
    if (!/^={20,}$/.test(lines[index - 1] ?? '')) return [];
    const [, test = '', place = ''] = /^(?:FAIL|ERROR): (\S+) \(([^()]{1,400})\)/.exec(line) ?? [];
    if (test === '') return [];
    const unloaded = place.startsWith('unittest.loader._FailedTest');
    // Since Python 3.11 the place ends in the test's own name.
    const owner = place.endsWith(`.${test}`) ? place.slice(0, -test.length - 1) : place;
    return [{ name: unloaded ? test : `${owner}.${test}`, status: 'failed', unloaded } satisfies Point];
  });
}
