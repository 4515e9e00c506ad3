/** What comes after a run that was not all done: a release that is blocked, a worker that is, nothing done at all. */
import { describe, expect, it } from 'vitest';
import { built, done, job, plan, reply, runModules, script, task, tell } from './modules-story.ts';
import { makeProject } from './support.ts';

const finding = { file: 'src/m1.js', line: 1, severity: 'error', element: 'm1', claim: 'm1 is too small' };
const blocked = (blocker: string): object => reply({ status: 'blocked', summary: '', blocker });
const learns = { when: { key: 'learn@try*' }, repeat: true, do: [reply({ lessons: [] })] };
/** What two lenses find in these rounds of the final review, the first time they look. */
const finds = (...rounds: readonly number[]): readonly object[] =>
  rounds.flatMap((round) =>
    ['A', 'B'].map((lens) => job(`final/review#${round}/${lens}`, reply({ findings: [finding] }))),
  );

describe('a release that is blocked', () => {
  it('is reviewed again once what mends it is tried again, and nothing else is done again', async () => {
    const larger = [...built('m1', { value: 2 }), done('m1', { filesChanged: ['src/m1.js'] })];
    const project = makeProject({
      script: script(
        [
          ...finds(1, 2, 3),
          ...[1, 2].map((n) => job(`final/fix#${n}/F${n}-1/develop#1`, blocked('Ada must say how large'))),
          { when: { key: 'final/fix#2/F2-1/develop#1@try2' }, do: larger },
          learns,
        ],
        plan([task('m1')]),
      ),
    });
    const first = await runModules(project, '--yes');
    expect([first.code, first.output?.release]).toEqual([1, 'blocked']);
    expect(first.stdout).toMatch(/\n {2}- ✗ Final review: one finding must be /);
    expect(first.stdout).toContain(`  forge retry ${first.run} F2-1\n`);
    expect(first.stdout).toContain(`  forge land ${first.run} --into main --force\n`);

    const again = await tell(project, 'retry', first.run, 'F2-1');
    expect([again.code, again.output?.release]).toEqual([0, 'clear']);
    expect(again.keys('task.started', /./).slice(first.keys('task.started', /./).length)).toEqual([
      'final/fix#2/F2-1',
      'final/review#3/A',
      'final/review#3/B',
      'final/review#3/C',
    ]);
    expect(project.git('show', `forge/${first.run}:src/m1.js`)).toBe('export const m1 = () => 2;');
    expect(again.stdout).not.toContain('forge retry');
  });

  it('is reviewed from the start when a module of the plan comes late', async () => {
    const project = makeProject({
      script: script(
        [...finds(1, 2, 3), job('m5/develop#1', blocked('Ada has the key')), learns],
        plan([task('m1'), task('m5')]),
      ),
    });
    const first = await runModules(project, '--yes');
    expect([first.code, first.output?.release]).toEqual([1, 'blocked']);
    const again = await tell(project, 'retry', first.run, 'm5');
    expect([again.code, again.output?.release]).toEqual([0, 'clear']);
    expect(again.keys('task.started', /^m/)).toEqual(['m1', 'm5', 'm5']);
    expect(again.statuses).toEqual({ m1: 'done', m5: 'done' });
  });

  it('has a lens nobody looked through looked through again', async () => {
    const project = makeProject({
      script: script(
        [
          { when: { key: 'final/review#1/C' }, do: [reply('I would rather not')] },
          { when: { key: 'final/review#1/C/recovery#[23]' }, repeat: true, do: [reply('Not now')] },
          learns,
        ],
        plan([task('m1')]),
      ),
    });
    const first = await runModules(project, '--yes');
    expect([first.code, first.output?.release]).toEqual([1, 'blocked']);
    expect(first.stdout).toContain('not reviewed through every lens (lens C: The reply is free text, not the result');
    const retry = ['retry', first.run, 'C'];
    expect(first.stdout).toContain(`  forge ${retry.join(' ')}\n`);
    const again = await tell(project, ...retry);
    expect([again.code, again.output?.release]).toEqual([0, 'clear']);
    expect(again.keys('task.started', /./)).toEqual([...first.keys('task.started', /./), 'final/review#1/C']);
  });
});

describe('modules that cannot be done', () => {
  it('hold up only what needs them, and say what is missing', async () => {
    const project = makeProject({ script: script([job('m2/develop#1', blocked('There is no network'))]) });
    const { code, stdout, statuses, reason } = await runModules(project, '--yes');
    expect([code, statuses]).toEqual([1, { m1: 'done', m2: 'blocked', m3: 'done', m4: 'skipped', m5: 'done' }]);
    expect([reason('m2'), reason('m4')]).toEqual(['There is no network', 'depends on m2, which is blocked']);
    expect(stdout).toContain('\n⊘ m2 Module m2: blocked, There is no network (');
  });

  it('leave a report of what went wrong and what to try when nothing was done', async () => {
    const project = makeProject({
      script: script(
        [job('m1/develop#1', blocked('There is no network')), job('m5/develop#1', blocked('Ada has the key'))],
        plan([task('m1'), task('m2', ['m1']), task('m5')]),
      ),
    });
    const { code, stdout, statuses, output, run } = await runModules(project, '--yes');
    expect([code, statuses, output?.branch]).toEqual([1, { m1: 'blocked', m2: 'skipped', m5: 'blocked' }, undefined]);
    expect(stdout).toContain('  - m5 Module m5 is blocked: Ada has the key.');
    for (const text of [stdout, (await project.forge('report', run)).stdout]) {
      expect(text).toContain('m1: There is no network; m2: depends on m1, which is blocked; m5: Ada has the key');
      expect(text).toContain(`forge logs ${run} m1`);
      for (const id of ['m1', 'm5']) expect(text).toContain(`forge retry ${run} ${id}`);
      expect(text).not.toContain(`forge retry ${run} m2`);
    }
  });
});
