/**
 * How history is kept by setting: one commit for the run, or every commit. Either way a result lands, is taken back, a
 * module that was not done is tried again on top of it, and cleanup loses nothing that was not merged.
 */
import { describe, expect, it } from 'vitest';
import { built, job, plan, reply, runModules, script, task, tell } from './modules-story.ts';
import { makeProject, type Project, scriptedConfig } from './support.ts';

type History = 'run' | 'all';

const scene = (history: History, jobs: readonly object[] = []): Project =>
  makeProject({
    config: `${scriptedConfig}history: ${history}\n`,
    script: script(
      [...jobs, { when: { key: 'learn@try2' }, do: [reply({ lessons: [] })] }],
      plan([task('m1'), task('m5')]),
    ),
  });

const subjects = (project: Project, range: string): readonly string[] =>
  project.git('log', '--topo-order', '--reverse', '--format=%s', range).split('\n');

const captured = (id: string): string => `${id}: worker, as left by actor (${id}/develop#1)`;

const kept: Readonly<Record<History, { readonly part: readonly string[]; readonly whole: readonly string[] }>> = {
  run: { part: ['Five modules'], whole: ['Five modules', 'Five modules'] },
  all: {
    part: [captured('m1'), 'Module m1'],
    whole: [captured('m1'), 'Module m1', captured('m5'), 'Module m5'],
  },
};

describe.each(['run', 'all'] as const)('history: %s', (history) => {
  it('lands what is done, and after another try the rest on top of it', async () => {
    const blocked = reply({ status: 'blocked', summary: '', blocker: 'Ada has the key' });
    const project = scene(history, [job('m5/develop#1', ...built('m5'), blocked)]);
    const main = () => project.git('rev-parse', 'main');
    const before = main();
    const { code, run, statuses } = await runModules(project, '--yes');
    expect([code, statuses]).toEqual([1, { m1: 'done', m5: 'blocked' }]);
    expect(subjects(project, `main..forge/${run}`)).toEqual(kept[history].part);

    const refused = await project.forge('land', run, '--into', 'main');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('With --force') });
    expect(await project.forge('land', run, '--into', 'main', '--force')).toMatchObject({ code: 0, stderr: '' });
    expect(project.git('status', '--porcelain')).toBe('');
    expect(subjects(project, `${before}..main`)).toEqual(kept[history].part);

    const again = await tell(project, 'retry', run, 'm5', '--into', 'main');
    expect([again.code, again.stderr, again.statuses]).toEqual([0, '', { m1: 'done', m5: 'done' }]);
    expect(subjects(project, `${before}..main`)).toEqual(kept[history].whole);
    const landed = main();
    expect(await project.forge('undo', run)).toMatchObject({ code: 0 });
    expect([main(), project.git('status', '--porcelain', 'src')]).toEqual([before, '']);
    expect(await project.forge('land', run, '--into', 'main')).toMatchObject({ code: 0, stderr: '' });
    expect(main()).toBe(landed);
    expect(project.git('ls-tree', '-r', '--name-only', 'main', 'src')).toBe('src/add.js\nsrc/m1.js\nsrc/m5.js');

    const unmerged = await project.forge('cleanup', run);
    expect(unmerged).toMatchObject({ code: 2, stderr: expect.stringContaining(`refs/forge/${run}/m5/`) });
    expect(await project.forge('cleanup', run, '--force')).toMatchObject({ code: 0 });
    expect(project.git('for-each-ref', 'refs/forge')).toBe('');
  });

  it('is cleaned up without a word once all of it is merged', async () => {
    const project = scene(history);
    const { code, run } = await runModules(project, '--yes', '--into', 'main');
    expect(code).toBe(0);
    expect(await project.forge('cleanup', run)).toMatchObject({ code: 0, stderr: '' });
    expect([project.git('for-each-ref', 'refs/forge'), project.runs()]).toEqual(['', []]);
  });
});
