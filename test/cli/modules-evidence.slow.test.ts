/** A module that takes tests away for a good reason: a person is asked, and what they say is what happens. */
import { describe, expect, it } from 'vitest';
import { built, done, job, plan, reply, runModules, script, task, tell } from './modules-story.ts';
import { makeProject } from './support.ts';

const old = {
  'src/old.js': 'export const old = () => 1;\n',
  'test/old.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { old } from '../src/old.js';\ntest('old', () => assert.equal(old(), 1));\n",
};

/** m1 replaces old code and its test; its debugger sees nothing to mend in that. */
const replacing = () =>
  makeProject({
    files: old,
    script: script(
      [
        job('m1/develop#1', ...built('m1'), ...Object.keys(old).map((path) => ({ delete: path })), done('m1')),
        job('m1/overseer#1', reply({ classification: 'stuck', evidence: 'It takes a test away' })),
        job('m1/debug#1', done('m1', { summary: 'old is replaced, its test goes with it' })),
      ],
      plan([task('m1', [], { writes: ['src/m1.js', 'test/m1.test.js', ...Object.keys(old)] })]),
    ),
  });

describe('a module that replaces code and its tests', () => {
  it('is put to a person once agents get no further, and merged when they accept it', async () => {
    const project = replacing();
    await runModules(project);
    const asked = await tell(project, 'answer', 'approve', '--option', 'yes');
    expect([asked.code, asked.keys('question.asked', /^m1/)]).toEqual([3, ['m1/validate#2/weakened']]);
    expect(asked.stderr).toContain('test/old.test.js: The test file is deleted');
    const { code, stderr, statuses, output, run } = await tell(project, 'answer', '--option', 'accept');
    expect([code, stderr, statuses, output?.release]).toEqual([0, '', { m1: 'done' }, 'clear']);
    expect(project.git('ls-tree', '-r', '--name-only', `forge/${run}`, 'test')).toBe(
      'test/add.test.js\ntest/m1.test.js',
    );
  });

  it('is not merged when they do not', async () => {
    const project = replacing();
    // The recommended answer is no.
    const { code, statuses, reason, output, facts } = await runModules(project, '--yes');
    expect([code, statuses]).toEqual([1, { m1: 'failed' }]);
    expect(reason('m1')).toContain('test/old.test.js: The test file is deleted');
    expect(output?.branch).toBeUndefined();
    expect(facts.some(({ key }) => key.startsWith('m1/integrate'))).toBe(false);
  });
});
