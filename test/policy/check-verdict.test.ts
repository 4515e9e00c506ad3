import { describe, expect, it } from 'vitest';
import { type CheckRun, type CommandQuestion, judgeCommand, reportStatus } from '../../src/policy/check-verdict.ts';

const run = (exit: number | null, rest: Partial<CheckRun> = {}): CheckRun => ({
  exit,
  timedOut: false,
  limitMs: 120_000,
  ...rest,
});
const counts = (passed: number, ...failing: string[]) => ({ passed, failed: failing.length, skipped: 0, failing });
const ran = (exit: number | null, passed: number, ...failing: string[]) =>
  run(exit, { counts: counts(passed, ...failing) });
const green = (passed: number) => ({ exit: 0, status: 'passed' as const, counts: counts(passed) });
const base = (passed: number, ...failing: string[]) => ({
  exit: 1,
  status: 'failed' as const,
  counts: counts(passed, ...failing),
});

describe('judgeCommand', () => {
  it.each<[string, CommandQuestion, string, string, string[]]>([
    ['exit 0', { first: run(0) }, 'passed', 'exit 0', []],
    ['exit 0 with counts', { first: ran(0, 8) }, 'passed', 'exit 0, 8 tests pass', []],
    ['exit 0 where no test ran', { first: ran(0, 0) }, 'unverified', 'exit 0, but no test ran', []],
    [
      'fewer tests than the base',
      { base: green(8), first: ran(0, 3) },
      'unverified',
      'exit 0, but 3 tests ran, the base had 8',
      [],
    ],
    [
      'no count, and the base had some',
      { base: green(8), first: run(0), testsRemoved: Infinity },
      'unverified',
      'exit 0, but no test result was seen, the base had 8',
      [],
    ],
    [
      'fewer tests, as many as the commit removes',
      { base: green(8), first: ran(0, 6), testsRemoved: 2 },
      'passed',
      'exit 0, 6 tests pass',
      [],
    ],
    [
      'fewer tests than the commit removes',
      { base: green(8), first: ran(0, 5), testsRemoved: 2 },
      'unverified',
      'exit 0, but 5 tests ran, the base had 8, of which the commit removes 2',
      [],
    ],
    ['more tests', { base: green(8), first: ran(0, 9) }, 'passed', 'exit 0, 9 tests pass', []],
    ['no count on either side', { base: { exit: 0, status: 'passed' }, first: run(0) }, 'passed', 'exit 0', []],
    [
      'a red base, green now with fewer tests',
      { base: base(6, 'a', 'b'), first: ran(0, 5) },
      'unverified',
      'exit 0, but 5 tests ran, the base had 8',
      [],
    ],
    [
      'a failure that passes again with fewer tests',
      { base: green(8), first: ran(1, 7, 'a'), rerun: ran(0, 2) },
      'unverified',
      'exit 1, 1 of 8 tests fail; exit 0 when run again, but 2 tests ran, the base had 8',
      [],
    ],
    ['failed tests and exit 0', { first: ran(0, 0, 'a', 'b') }, 'failed', 'exit 0, 2 of 2 tests fail', ['a', 'b']],
    [
      'failed tests and exit 0, without names',
      { first: run(0, { counts: { ...counts(3), failed: 2 } }) },
      'failed',
      'exit 0, 2 of 5 tests fail',
      [],
    ],
    [
      'failed tests and exit 0 where the base was green',
      { base: green(8), first: ran(0, 7, 'a') },
      'failed',
      'exit 0, 1 of 8 tests fail',
      ['a'],
    ],
    [
      'failed tests and exit 0, all known from the base',
      { base: { ...base(7, 'a'), exit: 0 }, first: ran(0, 7, 'a') },
      'passed',
      'exit 0, 1 of 8 tests fail, all already failing on the base',
      [],
    ],
    [
      'failed tests and exit 0, one of them new',
      { base: { ...base(7, 'a'), exit: 0 }, first: ran(0, 6, 'a', 'b') },
      'failed',
      'exit 0, 2 of 8 tests fail, 1 of them new',
      ['b'],
    ],
    [
      'failed tests and exit 0, then none when run again',
      { first: ran(0, 7, 'a'), rerun: ran(0, 8) },
      'flaky',
      'exit 0, 1 of 8 tests fail; passed when run again',
      [],
    ],
    [
      'a failure, then failed tests and exit 0',
      { first: ran(1, 7, 'a'), rerun: ran(0, 7, 'a') },
      'failed',
      'exit 1, 1 of 8 tests fail',
      ['a'],
    ],
    ['a timeout', { first: run(124, { timedOut: true }) }, 'unverified', 'timed out after 120 s', []],
    ['a failure', { first: run(1) }, 'failed', 'exit 1', []],
    ['a signal', { first: run(null) }, 'failed', 'ended by a signal', []],
    ['a failure with names', { first: ran(1, 6, 'a', 'b') }, 'failed', 'exit 1, 2 of 8 tests fail', ['a', 'b']],
    [
      'the same failure twice',
      { first: ran(1, 7, 'a'), rerun: ran(1, 7, 'a') },
      'failed',
      'exit 1, 1 of 8 tests fail',
      ['a'],
    ],
    [
      'one of two again',
      { first: ran(1, 6, 'a', 'b'), rerun: ran(1, 7, 'b') },
      'failed',
      'exit 1, 2 of 8 tests fail',
      ['b'],
    ],
    [
      'another failure',
      { first: ran(1, 7, 'b'), rerun: ran(1, 7, 'a') },
      'failed',
      'exit 1, 1 of 8 tests fail',
      ['a', 'b'],
    ],
    ['a failure that passes again', { first: run(1), rerun: run(0) }, 'flaky', 'exit 1; passed when run again', []],
    ['again, but nothing ran', { first: run(1), rerun: ran(0, 0) }, 'failed', 'exit 1', []],
    ['again, but it timed out', { first: run(1), rerun: run(124, { timedOut: true }) }, 'failed', 'exit 1', []],
    ['a green base', { base: { exit: 0, status: 'passed' }, first: run(1) }, 'failed', 'exit 1', []],
    [
      'a flaky base excuses nothing',
      { base: { ...base(1, 'a'), status: 'flaky' }, first: ran(1, 1, 'a') },
      'failed',
      'exit 1, 1 of 2 tests fail',
      ['a'],
    ],
    ['a red base, green now', { base: base(1, 'a'), first: ran(0, 2) }, 'passed', 'exit 0, 2 tests pass', []],
    [
      'a red base, the same red',
      { base: base(7, 'a'), first: ran(1, 7, 'a') },
      'passed',
      'exit 1, 1 of 8 tests fail, all already failing on the base',
      [],
    ],
    [
      'a red base, less red',
      { base: base(6, 'a', 'b'), first: ran(1, 7, 'a') },
      'passed',
      'exit 1, 1 of 8 tests fail, all already failing on the base',
      [],
    ],
    [
      'a red base, new red',
      { base: base(7, 'a'), first: ran(1, 6, 'a', 'b') },
      'failed',
      'exit 1, 2 of 8 tests fail, 1 of them new',
      ['b'],
    ],
    [
      'a red base, new red that goes',
      { base: base(7, 'a'), first: ran(1, 6, 'a', 'b'), rerun: ran(1, 7, 'a') },
      'flaky',
      'exit 1, 2 of 8 tests fail; the new failures passed when run again',
      [],
    ],
    [
      'a red base, new red, rerun without names',
      { base: base(7, 'a'), first: ran(1, 6, 'a', 'b'), rerun: run(1) },
      'failed',
      'exit 1, 2 of 8 tests fail, 1 of them new',
      ['b'],
    ],
    [
      'a red base without names',
      { base: { exit: 1, status: 'failed' }, first: ran(1, 7, 'a') },
      'unverified',
      'exit 1, 1 of 8 tests fail; the base fails too, and the failures cannot be compared',
      [],
    ],
    [
      'no names now',
      { base: base(7, 'a'), first: run(1) },
      'unverified',
      'exit 1; the base fails too, and the failures cannot be compared',
      [],
    ],
    [
      'a base cut off by a timeout',
      { base: { ...base(7, 'a'), status: 'unverified' }, first: ran(1, 7, 'a') },
      'unverified',
      'exit 1, 1 of 8 tests fail; the base fails too, and the failures cannot be compared',
      [],
    ],
    [
      'a run that broke off after the known failure',
      { base: base(7, 'a'), first: ran(1, 2, 'a') },
      'unverified',
      'exit 1, 1 of 3 tests fail; the base fails too, and got further',
      [],
    ],
    [
      'a crash after the known failure',
      { base: base(7, 'a'), first: ran(null, 7, 'a') },
      'unverified',
      'ended by a signal, 1 of 8 tests fail; the base fails too, and got further',
      [],
    ],
    [
      'a failure without a name beside the known',
      { base: base(7, 'a'), first: run(1, { counts: { ...counts(6, 'a'), failed: 2 } }) },
      'unverified',
      'exit 1, 2 of 8 tests fail; the base fails too, and got further',
      [],
    ],
  ])('%s', (...row) => {
    const [, question, status, reason, newFailures] = row;
    expect(judgeCommand(question)).toEqual({ status, reason, newFailures });
  });
});

describe('reportStatus', () => {
  it.each([
    [[], 'unverified'],
    [['passed'], 'passed'],
    [['passed', 'flaky'], 'flaky'],
    [['flaky', 'unverified', 'passed'], 'unverified'],
    [['unverified', 'failed'], 'failed'],
  ] as const)('%j: %s', (statuses, wanted) => {
    expect(reportStatus(statuses.map((status) => ({ status })))).toBe(wanted);
  });
});
