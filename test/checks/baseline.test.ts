import { describe, expect, it } from 'vitest';
import { runBaseline } from '../../src/checks/baseline.ts';
import { missingProgram } from '../../src/checks/missing-program.ts';
import { makeScene, never, nodeProject, testFile } from './support.ts';

async function baseline(
  files: Readonly<Record<string, string>>,
  entries: Parameters<typeof runBaseline>[1]['entries'],
) {
  const { deps, base } = await makeScene(files);
  return runBaseline(deps, { run: 'r', name: 'base', commit: base, entries }, never);
}

describe('the checks on the base', () => {
  it('stop the run when a program is missing, and name it', async () => {
    await expect(
      baseline(nodeProject, { part: 'plan' as const, plan: ['no-such-program-here --all'] }),
    ).rejects.toMatchObject({
      code: 'checks-cannot-start',
      exitCode: 5,
      message: 'the check "no-such-program-here --all" cannot start: no-such-program-here is not there',
      hint: 'Install no-such-program-here, or name a setup command (such as "npm ci") in the settings that provides it.',
    });
  });

  it('stop the run when what a package script calls is not set up', async () => {
    const files = { 'package.json': '{"scripts":{"test":"no-such-runner run"}}\n' };
    await expect(baseline(files, {})).rejects.toMatchObject({
      code: 'checks-cannot-start',
      message: 'the check "npm run test" cannot start: no-such-runner is not there',
    });
  });

  it('may be red: the report says what fails already', async () => {
    const report = await baseline({ ...nodeProject, 'test/old.test.js': testFile('old', 'sum(1, 1)', 3) }, {});
    expect([
      report.status,
      report.judge === report.commit,
      report.commands.map((command) => command.newFailures),
    ]).toEqual(['failed', true, [['test/old.test.js > old']]]);
  });

  it('may name what only a task will bring', async () => {
    const entries = {
      part: 'plan' as const,
      plan: ['node --test test/later.test.js', './scripts/later.sh', { run: 'node --test', cwd: 'later' }],
    };
    const report = await baseline(nodeProject, entries);
    expect(report.commands.map(({ status }) => status)).toEqual(['failed', 'unverified', 'unverified']);
  });
});

describe('a program is missing', () => {
  const cases: readonly (readonly [number, string, string | undefined])[] = [
    [127, 'sh: 1: vitest: not found', 'vitest'],
    [127, '> test\n> vitest run\n\nsh: 1: vitest: not found', 'vitest'],
    [127, 'sh: vitest: command not found', 'vitest'],
    [127, 'bash: line 1: pytest: command not found', 'pytest'],
    [127, '/bin/sh: 1: go: not found\nmore', 'go'],
    [127, 'zsh:1: command not found: cargo', 'cargo'],
    [127, '/usr/bin/env: ‘python3.9’: No such file or directory', 'python3.9'],
    [127, "env: 'ruby': No such file or directory", 'ruby'],
    [126, 'sh: 1: ./run.sh: Permission denied', './run.sh'],
    [2, 'make: vitest: No such file or directory\nmake: *** [Makefile:2: test] Error 127', 'vitest'],
    [1, '/usr/bin/python3: No module named pytest', 'pytest'],
    [1, 'npm error npx canceled due to missing packages and no YES option: ["vitest@4.0.0"]', 'vitest'],
    [
      1,
      "npm error request to https://registry.npmjs.org/vitest failed: cache mode is 'only-if-cached' but no",
      'vitest',
    ],
    [101, 'error: no such command: `nextest`', 'nextest'],
    // The same words where they mean something else.
    [1, 'sh: 1: vitest: not found', undefined],
    [127, 'the user was not found', undefined],
    [1, "ModuleNotFoundError: No module named 'app'", undefined],
    [1, 'Error: page not found', undefined],
    [127, '', undefined],
  ];
  it.each(cases)('exit %i, %j: %s', (exit, text, program) => {
    expect(missingProgram({ exit, stdout: '', stderr: `${text}\n` })).toBe(program);
    expect(missingProgram({ exit, stdout: `${text}\n`, stderr: '' })).toBe(program);
  });
});
