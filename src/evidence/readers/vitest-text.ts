/**
 * What vitest prints for people: ` FAIL  file > suite > test` with the error on the next line, and the
 * closing figures. A suite that failed as a whole (` FAIL  file [ file ]`) did not load.
 */
import { readSummaryLine } from './figures.ts';
import type { Point, Reading, RunOutput } from './reading.ts';
import { plainLines, saysNotLoaded } from './text.ts';

export function read(output: RunOutput): Reading | undefined {
  const lines = plainLines(`${output.stdout}\n${output.stderr}`);
  const files = lines.findLastIndex((line) => /^ *Test Files {2}(?:\d|no tests)/.test(line));
  const none = lines.findLastIndex((line) => line.startsWith('No test files found, exiting'));
  if (files === -1 && none === -1) return undefined;
  const tests = files === -1 ? undefined : lines.slice(files, files + 4).find((line) => /^ *Tests {2}/.test(line));
  const reading = readSummaryLine(failures(lines), tests, output.root);
  // An error outside of any test (`Errors  1 error`) fails the run as well.
  const stray = files === -1 ? undefined : lines.slice(files, files + 6).find((line) => /^ *Errors {2}\d/.test(line));
  const errors = Number(/(\d{1,9}) errors?\b/.exec(stray ?? '')?.[1] ?? 0);
  return { ...reading, counts: { ...reading.counts, failed: reading.counts.failed + errors } };
}

function failures(lines: readonly string[]): (Point & { readonly suite: boolean })[] {
  const found = new Map<string, Point & { suite: boolean }>();
  let suites = false;
  let pending: string[] = [];
  for (const line of lines) {
    if (/⎯ Failed (?:Suites|Tests) \d/.test(line)) suites = line.includes('Failed Suites');
    const match = /^ (?:FAIL|❯ FAIL) {2}(.+)$/.exec(line);
    if (match !== null) {
      pending.push((match[1] ?? '').trim());
      continue;
    }
    // Tests that fail with the same error share it: the error follows the last of their names.
    if (pending.length === 0 || line.trim() === '') continue;
    for (const name of pending) {
      const whole = /^(.*) \[ .* \]$/.exec(name);
      const key = whole?.[1] ?? name;
      const isSuite = whole !== null || suites;
      found.set(key, { name: key, status: 'failed', suite: isSuite, unloaded: whole !== null || saysNotLoaded(line) });
    }
    pending = [];
  }
  return [...found.values()];
}
