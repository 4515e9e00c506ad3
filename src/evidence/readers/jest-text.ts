/**
 * What jest prints for people: `FAIL file`, then `  ● suite › test` for each failure, and the closing figures.
 * `● Test suite failed to run` means that the file did not load.
 */
import { readSummaryLine } from './figures.ts';
import type { Point, Reading, RunOutput } from './reading.ts';
import { plainLines, saysNotLoaded } from './text.ts';

const notTests =
  /^(?:Console|Cannot log after tests are done|Deprecation Warning|Validation (?:Warning|Error)|Snapshot Summary)/;

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(`${output.stdout}\n${output.stderr}`);
  const tests = lines.findLast((line) => /^Tests: {2,}.*\d+ total\s*$/.test(line));
  const none = lines.some((line) => line.startsWith('No tests found, exiting with code'));
  if (tests === undefined && !none) return undefined;
  return readSummaryLine(failures(lines), tests, output.root);
}

function failures(lines: readonly string[]): (Point & { readonly suite: boolean })[] {
  const found = new Map<string, Point & { suite: boolean }>();
  let file: string | undefined;
  let pending: string | undefined;
  for (const line of lines) {
    const header = /^(FAIL|PASS|RUNS) {1,2}(\S.*?)(?: \(\d+(?:\.\d+)? m?s\))?\s*$/.exec(line);
    if (header !== null) {
      file = header[1] === 'FAIL' ? header[2] : undefined;
      pending = undefined;
      continue;
    }
    const bullet = /^ {2}● (.+)$/.exec(line)?.[1]?.trim();
    if (bullet !== undefined && file !== undefined && !notTests.test(bullet)) pending = bullet;
    else if (pending !== undefined && file !== undefined && line.trim() !== '') {
      const suite = pending.startsWith('Test suite failed to run');
      const name = suite ? file : `${file} > ${pending.split(' › ').join(' > ')}`;
      found.set(name, { name, status: 'failed', suite, unloaded: suite || saysNotLoaded(line) });
      pending = undefined;
    }
  }
  return [...found.values()];
}
