import { describe, expect, it } from 'vitest';
import { classifyRedGreen, type RedGreenRun } from '../../src/evidence/red-green.ts';
import { sample, sampleRoot } from './sample.ts';

function exited(argv: readonly string[], exit: number, name: string): RedGreenRun {
  const isErr = name.endsWith('.stderr.txt');
  return {
    status: 'exited',
    argv,
    exit,
    stdout: isErr ? '' : sample(name),
    stderr: isErr ? sample(name) : '',
    root: sampleRoot(name),
  };
}

describe('classifyRedGreen', () => {
  it.each([
    [
      'node:test',
      ['node', '--test'],
      'node20-tap.txt',
      '4 tests fail against the code before, first: a.test.mjs > fails \\ plainly.',
    ],
    [
      'node:test spec',
      ['node', '--test'],
      'node22-spec.txt',
      '1 test fails against the code before, first: test/a.test.mjs > outer > inner > deep bad.',
    ],
    [
      'vitest',
      ['npx', 'vitest', 'run'],
      'vitest-report.json.txt',
      '2 tests fail against the code before, first: a.test.ts > fails plainly.',
    ],
    [
      'jest',
      ['npx', 'jest'],
      'jest-text.txt',
      '2 tests fail against the code before, first: src/a.test.js > fails plainly.',
    ],
    ['pytest', ['pytest'], 'pytest-q.txt', '6 tests fail against the code before, first: test_a.py::TestC::test_m.'],
    [
      'go',
      ['go', 'test', './a'],
      'go-fail.txt',
      '2 tests fail against the code before, first: example.com/m/a TestPlain.',
    ],
    [
      'go -json',
      ['go', 'test', '-json'],
      'go-fail.json.txt',
      '2 tests fail against the code before, first: example.com/m/a TestPanics.',
    ],
  ])('%s: a test that loaded and failed is red', (_runner, argv, name, reason) => {
    expect(classifyRedGreen(exited(argv, 1, name), 'feature')).toEqual({ result: 'red', reason });
  });

  it.each([
    [
      'node:test',
      ['node', '--test', 'b.test.mjs'],
      'node20-absent-tap.txt',
      'Did not load against the code before: b.test.mjs.',
    ],
    [
      'node:test, no such file',
      ['node', '--test', 'x.mjs'],
      'node20-no-file.txt',
      "Did not load against the code before: Could not find '/tmp/sample/nodenone/nope.mjs'",
    ],
    ['vitest', ['npx', 'vitest', 'run'], 'vitest-absent.txt', 'Did not load against the code before: b.test.ts.'],
    ['vitest, no files', ['npx', 'vitest', 'run'], 'vitest-no-files.txt', 'No test ran against the code before.'],
    ['pytest', ['pytest'], 'pytest-collection.txt', 'Did not load against the code before: test_b.py, test_c.py.'],
    ['pytest, no such file', ['pytest'], 'pytest-no-file.txt', 'No test ran against the code before.'],
    ['go', ['go', 'test', './b'], 'go-absent.txt', 'Did not load against the code before: example.com/m/b.'],
    ['cargo', ['cargo', 'test'], 'cargo-absent.stderr.txt', 'Did not load against the code before: sample.'],
  ])('%s: what did not load is absent', (_runner, argv, name, reason) => {
    expect(classifyRedGreen(exited(argv, 1, name), 'feature')).toEqual({ result: 'absent', reason });
  });

  it('jest: a suite that failed to run is absent', () => {
    const text = sample('jest-text.txt');
    const stdout = `${text.slice(text.indexOf('FAIL src/b'), text.indexOf('PASS'))}Test Suites: 1 failed, 1 total\nTests:       0 total\n`;
    const run: RedGreenRun = { status: 'exited', argv: ['npx', 'jest'], exit: 1, stdout: '', stderr: stdout };
    expect(classifyRedGreen(run, 'fix')).toEqual({
      result: 'absent',
      reason: 'Did not load against the code before: src/b.test.js.',
    });
  });

  it('a script that asserts outside of any test is red, not absent', () => {
    const stdout = sample('node20-absent-tap.txt').replace(
      '# Error [ERR_MODULE_NOT_FOUND]: Cannot',
      '# AssertionError [ERR_ASSERTION]: Cannot',
    );
    const run: RedGreenRun = {
      status: 'exited',
      argv: ['node', '--test'],
      exit: 1,
      stdout,
      stderr: '',
      root: '/tmp/sample/node',
    };
    expect(classifyRedGreen(run, 'fix')).toEqual({
      result: 'red',
      reason: '1 test fails against the code before, first: b.test.mjs.',
    });
  });

  it('tests that pass without the work prove nothing, unless the task promises no new behaviour', () => {
    const run = exited(['pytest'], 0, 'pytest-ok.txt');
    const green = { result: 'green', reason: 'The test passes against the code before.' };
    const finding = {
      kind: 'vacuous-test',
      claim: 'The added or changed tests pass without the change, so they do not prove it.',
    };
    expect(classifyRedGreen(run, 'feature')).toEqual({ ...green, finding });
    expect(classifyRedGreen(run, 'fix')).toEqual({ ...green, finding });
    expect(classifyRedGreen(run, 'chore')).toEqual({ ...green, finding });
    for (const kind of ['refactor', 'test', 'docs'] as const) expect(classifyRedGreen(run, kind)).toEqual(green);
  });

  it('a run in which no test ran is absent even with exit 0', () => {
    const reason = 'No test ran against the code before.';
    expect(classifyRedGreen(exited(['node', '--test'], 0, 'node20-no-tests-tap.txt'), 'feature')).toEqual({
      result: 'absent',
      reason,
    });
    expect(classifyRedGreen(exited(['node', '--test'], 0, 'node20-zero-tap.txt'), 'feature')).toEqual({
      result: 'absent',
      reason,
    });
  });

  it('what cannot be told is not measured', () => {
    const run = (exit: number, stdout: string): RedGreenRun => ({
      status: 'exited',
      argv: ['./check.sh'],
      exit,
      stdout,
      stderr: '',
    });
    expect(classifyRedGreen({ status: 'no-runner' }, 'fix').result).toBe('not-measured');
    expect(classifyRedGreen({ status: 'timed-out' }, 'fix').result).toBe('not-measured');
    expect(classifyRedGreen({ status: 'broken', reason: 'Killed.' }, 'fix')).toEqual({
      result: 'not-measured',
      reason: 'Killed.',
    });
    expect(classifyRedGreen(run(1, 'something is wrong'), 'fix').result).toBe('not-measured');
    expect(classifyRedGreen(run(0, 'fine'), 'fix').result).toBe('not-measured');
    expect(classifyRedGreen(run(1, '1 passed in 0.1s'), 'fix').result).toBe('not-measured');
    expect(classifyRedGreen(run(2, 'src/a.ts(3,1): error TS2307: Cannot find module'), 'fix').result).toBe('absent');
  });
});
