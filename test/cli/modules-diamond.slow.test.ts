/** A whole run of `modules` in which all goes well: a diamond, what can run at once at once, merged in order. */
import { expect, it } from 'vitest';
import { runModules, script } from './modules-story.ts';
import { makeProject } from './support.ts';

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
