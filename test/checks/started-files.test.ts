import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startedFiles } from '../../src/checks/started-files.ts';
import type { VerifyCommand } from '../../src/plan/command-line.ts';

const scripts: Readonly<Record<string, string>> = {
  test: 'node scripts/run.js && npm run more',
  pretest: './prepare.sh --fast',
  more: 'bash tools/more',
  loop: 'npm run loop',
  odd: 'cat x | sh',
};

function command(argv: readonly [string, ...string[]], cwd = '.'): VerifyCommand {
  return { status: 'resolved', argv, cwd, env: {}, timeoutMs: 1 };
}

const started = (argv: readonly [string, ...string[]], cwd?: string) =>
  startedFiles([command(argv, cwd)], () => scripts).map(({ path }) => path);

it.each([
  [['./scripts/verify.sh'], ['scripts/verify.sh']],
  [['sh', '-e', 'scripts/verify'], ['scripts/verify']],
  [['./bin/tool', '--help'], ['bin/tool']],
  [['node', '--enable-source-maps', 'tools/check.js', 'x.js'], ['tools/check.js']],
  [['python3', 'run_tests.py'], ['run_tests.py']],
  [['node', '--version'], []],
  [['deno', 'test'], []],
  [['/usr/bin/true'], []],
  [['../outside.sh'], []],
  [['make', 'check'], []],
  [['npm', 'run', 'loop'], []],
  [['npm', 'run', 'odd'], []],
  [
    ['npm', 'test'],
    ['prepare.sh', 'scripts/run.js', 'tools/more'],
  ],
] as const)('%j starts %j', (argv, expected) => {
  expect(started(argv)).toEqual(expected);
});

it('is relative to the directory of the command', () => {
  expect(started(['./verify.sh'], 'packages/a')).toEqual(['packages/a/verify.sh']);
  expect(started(['sh', '../../verify.sh'], 'packages/a')).toEqual(['verify.sh']);
});

it('never names a path outside the repository, whatever the words', () => {
  const word = fc.oneof(
    fc.constantFrom('sh', 'node', '..', '../..', './a.sh', '/etc/x', '-c', 'npm', 'test'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word), word, fc.constantFrom('.', 'a', 'a/b'), (rest, first, cwd) => {
      for (const path of started([first, ...rest], cwd)) expect(path).not.toMatch(/^(?:\/|\.\.(?:\/|$))/);
    }),
  );
});
