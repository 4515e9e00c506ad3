/**
 * A whole run of `modules` with real tests in which most things go wrong: a module mended by its debugger, one that is
 * blocked, what needs it, an undeclared deletion, a must-fix of the final review. One run, because runs are what costs.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { built, done, job, reply, runModules, script } from './modules-story.ts';
import { makeProject, type Project } from './support.ts';

const audit = (claim: string, file: string): object =>
  reply({ findings: [{ file, line: 1, severity: 'error', claim, element: 'm1' }] });

describe('modules', () => {
  let project: Project;
  let story: Awaited<ReturnType<typeof runModules>>;

  beforeAll(async () => {
    project = makeProject({
      files: { 'notes.md': 'Keep me.\n' },
      script: script([
        job('m1/develop#1', ...built('m1', { value: -1 }), done('m1')),
        job('m1/overseer#1', reply({ classification: 'stuck', evidence: 'm1() is negative' })),
        job(
          'm1/debug#1',
          ...built('m1'),
          done('m1', { status: 'done_with_concerns', concerns: 'm2 may be negative too', rootCause: 'a wrong sign' }),
        ),
        job('m2/develop#1', ...built('m2', { value: -9 }), done('m2')),
        job('m2/overseer#1', reply({ classification: 'blocked', evidence: 'no access', suggested_unblock: 'ask Ada' })),
        job('m5/develop#1', ...built('m5'), { delete: 'notes.md' }, done('m5')),
        job('final/review#1/A', audit('m1 is too small', '/src/m1.js')),
        job('final/review#1/B', audit('m1 should be larger', '/any/where/src/m1.js')),
        { when: { role: 'worker', task: 'F1-1' }, do: [...built('m1', { value: 2 }), done('m1')] },
      ]),
    });
    story = await runModules(project, '--yes');
  });

  it('has a failing module mended, a blocked one reported, and skips only what needs it', () => {
    const { code, stdout, statuses, output } = story;
    expect(code).toBe(1);
    expect(statuses).toEqual({
      m1: 'done',
      m2: 'blocked',
      m3: 'done',
      m4: 'skipped',
      m5: 'failed',
      'F1-1': 'done',
    });
    // Nobody tried what the overseer calls blocked.
    expect([output?.retries, /\n {2}task +status +attempts +retries +score /.test(stdout)]).toEqual([1, true]);
    expect(output?.outcomes.find((one) => one.task === 'm1')).toMatchObject({
      attempts: 2,
      retries: 1,
      score: 1,
      notes: [
        'cause: a wrong sign',
        'debugger: claims to have changed test/m1.test.js, which it did not',
        'debugger: concerns: m2 may be negative too',
      ],
    });
    expect(output?.outcomes.find((one) => one.task === 'm2')?.reason).toBe('no access. To unblock: ask Ada');
  });

  it('starts no module before its dependencies are merged, and what can run at once at once', () => {
    const { seq } = story;
    const [first, second] = [seq('task.started', 'm2'), seq('task.started', 'm3')];
    expect(Math.min(first, second)).toBeGreaterThan(seq('task.ended', 'm1'));
    // Both are under way before either is over.
    expect(Math.max(first, second)).toBeLessThan(Math.min(seq('task.ended', 'm2'), seq('task.ended', 'm3')));
  });

  it('refuses an undeclared deletion', () => {
    expect(story.output?.outcomes.find((one) => one.task === 'm5')?.reason).toContain('notes.md');
    expect(project.git('show', `forge/${story.run}:notes.md`)).toBe('Keep me.');
  });

  it('has a must-fix of the final review mended by a module of its own', async () => {
    const { run, output } = story;
    expect(output?.release).toBe('clear');
    expect(project.git('show', `forge/${run}:src/m1.js`)).toBe('export const m1 = () => 2;');
    const logs = await project.forge('logs', run, 'F1-1', '--json');
    const keys = logs.stdout.trim().split('\n');
    expect(keys.every((line) => line.includes('"final/fix#1/F1-1/'))).toBe(true);
    expect((await project.forge('show', run, 'F1-1')).stdout).toContain('final/fix#1/F1-1/develop#1');
  });
});
