/**
 * Whole runs of `modules` through the real binary, with real tests: a diamond in parallel, a module mended by its
 * debugger, one that is blocked, an undeclared deletion, a conflict, a must-fix of the final review.
 */
import { describe, expect, it } from 'vitest';
import { makeProject } from './support.ts';
import { built, done, job, plan, reply, runModules, script, task } from './modules-story.ts';

const finding = (more: object): object => ({ file: 'src/m1.js', line: 1, severity: 'error', claim: 'wrong', ...more });

describe('modules', () => {
  it('builds a diamond, what can run at once at once, and starts no module before its dependencies are merged', async () => {
    const project = makeProject({ script: script() });
    const { code, stderr, statuses, output, seq, run } = await runModules(project, '--yes');
    expect([code, stderr]).toEqual([0, '']);
    expect(statuses).toEqual({ m1: 'done', m2: 'done', m3: 'done', m4: 'done', m5: 'done' });
    expect([output?.release, output?.retries]).toEqual(['clear', 0]);
    expect(seq('task.started', 'm2')).toBeGreaterThan(seq('task.ended', 'm1'));
    expect(seq('task.started', 'm4')).toBeGreaterThan(Math.max(seq('task.ended', 'm2'), seq('task.ended', 'm3')));
    // Both are under way before either is over.
    const [first, second] = [seq('task.started', 'm2'), seq('task.started', 'm3')];
    expect(Math.max(first, second)).toBeLessThan(Math.min(seq('task.ended', 'm2'), seq('task.ended', 'm3')));
    expect(project.git('log', '--format=%s', `main..forge/${run}`).split('\n').sort()).toEqual([
      'Module m1',
      'Module m2',
      'Module m3',
      'Module m4',
      'Module m5',
    ]);
    expect(project.git('status', '--porcelain')).toBe('?? .forge/memory/');
  });

  it('has a failing module mended, a blocked one reported, and skips only what needs it', async () => {
    const project = makeProject({
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
      ]),
    });
    const { code, stdout, statuses, output } = await runModules(project, '--yes');
    expect(code).toBe(1);
    // Nobody tried what the overseer calls blocked.
    expect([output?.retries, /\n {2}task +status +attempts +retries +score /.test(stdout)]).toEqual([1, true]);
    expect(statuses).toEqual({ m1: 'done', m2: 'blocked', m3: 'done', m4: 'skipped', m5: 'done' });
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

  it('refuses an undeclared deletion, and has a must-fix mended by a module of its own', async () => {
    const tasks = [task('m1'), task('m5')];
    const audit = (claim: string, file: string) => reply({ findings: [finding({ claim, file, element: 'm1' })] });
    const project = makeProject({
      files: { 'notes.md': 'Keep me.\n' },
      script: script(
        [
          job('m5/develop#1', ...built('m5'), { delete: 'notes.md' }, done('m5')),
          job('final/review#1/A', audit('m1 is too small', '/src/m1.js')),
          job('final/review#1/B', audit('m1 should be larger', '/any/where/src/m1.js')),
          { when: { role: 'worker', task: 'F1-1' }, do: [...built('m1', { value: 2 }), done('m1')] },
        ],
        plan(tasks),
      ),
    });
    const { code, statuses, output, run } = await runModules(project, '--yes');
    expect(code).toBe(1);
    expect(statuses).toEqual({ m1: 'done', m5: 'failed', 'F1-1': 'done' });
    expect(output?.release).toBe('clear');
    expect(project.git('show', `forge/${run}:src/m1.js`)).toBe('export const m1 = () => 2;');
    expect(output?.outcomes.find((one) => one.task === 'm5')?.reason).toContain('notes.md');
    expect(project.git('show', `forge/${run}:notes.md`)).toBe('Keep me.');
    const logs = await project.forge('logs', run, 'F1-1', '--json');
    const keys = logs.stdout.trim().split('\n');
    expect(keys.every((line) => line.includes('"final/fix#1/F1-1/'))).toBe(true);
    const shown = await project.forge('show', run, 'F1-1');
    expect(shown.stdout).toContain('final/fix#1/F1-1/develop#1');
  });
});
