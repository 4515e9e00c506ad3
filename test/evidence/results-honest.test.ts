/** Output that tries to look better than it is, and what stands behind a command. */
import { describe, expect, it } from 'vitest';
import { commandRunner } from '../../src/evidence/command-runner.ts';
import { dependencyChanges, isDependencyFile } from '../../src/evidence/judge/dependencies.ts';
import { provesNothing } from '../../src/evidence/proves-nothing.ts';
import { readResults } from '../../src/evidence/read-results.ts';

const jest = (passed: number) =>
  `{"numTotalTests":${passed},"numPassedTests":${passed},"numFailedTests":0,"testResults":[{"name":"a","status":"passed","assertionResults":[{"title":"t","status":"passed"}]}]}`;
const tap = 'TAP version 13\nnot ok 1 - adds\n1..1\n# tests 1\n# pass 0\n# fail 1\n';

describe('a result', () => {
  it('of an unknown runner is the one with the most failures', () => {
    const results = readResults({ argv: ['make', 'check'], stdout: `${jest(9)}\n${tap}`, stderr: '' });
    expect([results?.reader, results?.counts.failed]).toEqual(['tap', 1]);
  });

  it('of a known runner is its own, whatever else is printed', () => {
    const argv = ['npm', 'test'];
    const results = readResults({ argv, runner: 'node-test', stdout: `${jest(9)}\n${tap}`, stderr: '' });
    expect([results?.reader, results?.counts.failed]).toEqual(['tap', 1]);
  });

  it('of one suite is not undone by the next', () => {
    const vitest = [
      ' FAIL  a.test.ts > adds',
      'AssertionError: x',
      ' Test Files  1 failed (1)',
      '      Tests  1 failed (1)',
      ' Test Files  1 passed (1)',
      '      Tests  3 passed (3)',
    ].join('\n');
    expect(readResults({ argv: ['npx', 'vitest'], stdout: vitest, stderr: '' })?.counts).toMatchObject({ failed: 1 });
  });

  it('counts errors outside of any test', () => {
    const text = ' Test Files  1 passed (1)\n      Tests  3 passed (3)\n     Errors  2 errors\n';
    expect(readResults({ argv: ['npx', 'vitest'], stdout: text, stderr: '' })?.counts).toMatchObject({ failed: 2 });
    const json = '{"numTotalTests":0,"success":false,"testResults":[]}';
    expect(readResults({ argv: ['npx', 'jest', '--json'], stdout: json, stderr: '' })?.counts.failed).toBe(1);
  });
});

it.each<[string, string | undefined]>([
  ['npm test', 'vitest'],
  ['npm run unit', 'vitest'],
  ['npx jest', 'jest'],
  ['npm run loop', undefined],
  ['npm run piped', undefined],
  ['make check', undefined],
])('%s runs %s', (line, runner) => {
  const scripts = { test: 'npm run unit', unit: 'tsc && vitest run', loop: 'npm run loop', piped: 'vitest | cat' };
  expect(commandRunner(line.split(' '), scripts)).toBe(runner);
});

it.each<[string, boolean]>([
  ['true', true],
  ['/bin/true', true],
  ['echo ok', true],
  ['node --version', true],
  ['npx vitest --version', true],
  ['env A=1 true', true],
  ['timeout 5 sleep 1', true],
  ['node --test', false],
  ['npm test', false],
  ['test -f src/a.js', false],
  ['env A=1 npm test', false],
  ['make', false],
])('%s proves nothing: %s', (line, expected) => {
  expect(provesNothing(line.split(' '))).toBe(expected);
});

describe('packages', () => {
  it('are compared by name and version', () => {
    const before = { version: '1.0.0', dependencies: { a: '1.0.0', b: '1.0.0' }, devDependencies: { vitest: '1.0.0' } };
    const after = {
      version: '2.0.0',
      dependencies: { a: '2.0.0', c: 'file:./c' },
      devDependencies: { vitest: '1.0.0' },
    };
    expect(dependencyChanges('package.json', JSON.stringify(before), JSON.stringify(after))).toEqual([
      'dependencies: a 1.0.0 → 2.0.0, - b, + c file:./c',
    ]);
    expect(
      dependencyChanges('package.json', JSON.stringify(before), JSON.stringify({ ...before, version: '9' })),
    ).toEqual([]);
    expect(dependencyChanges('package.json', '{}', '{')).toHaveLength(1);
    expect(dependencyChanges('yarn.lock', 'a', 'b')).toEqual(['changes: it decides which packages are installed']);
  });

  it.each([
    ['package-lock.json', true],
    ['packages/a/package.json', true],
    ['requirements-dev.txt', true],
    ['test/fixtures/app/package.json', false],
    ['src/requirements.ts', false],
  ])('%s decides what is installed: %s', (path, expected) => expect(isDependencyFile(path)).toBe(expected));
});
