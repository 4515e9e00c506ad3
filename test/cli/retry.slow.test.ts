/** `forge retry`: a wave that failed is tried again, what waited for it follows, and nothing of the first try is lost. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeProject, type Project, until } from './support.ts';
import { contentTesters, develops, learned, planned } from '../proof/two-waves.ts';

const failing = [1, 2, 3, 4].map((round) => ({
  when: { key: `W1/develop#${round}` },
  do: develops(['mul', 'neg'], ['mul']),
}));

describe('a wave that failed', () => {
  let project: Project;
  let run: string;

  beforeAll(async () => {
    project = makeProject({
      script: [
        planned,
        ...failing,
        { when: { key: 'W1/develop#1@try2' }, do: develops(['mul', 'neg']) },
        { when: { task: 'W2', role: 'developer' }, do: develops(['sub', 'sqr']) },
        ...contentTesters(8),
        learned,
        { ...learned, when: { key: 'learn@try2' } },
      ],
    });
    const ended = await project.forge('run', 'Add more arithmetic', '--yes');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain(']: skipped, depends on W1, which is failed');
    run = project.runs()[0] ?? '';
  });

  it('is refused for what is not there, is only a part, or waits for something else', async () => {
    const refused = (...words: string[]) => project.forge('retry', ...words);
    expect(await refused(run, 'W3')).toMatchObject({
      code: 2,
      stderr: 'forge: There is no task "W3" in this run\n  Known: W1, W2.\n',
    });
    expect(await refused(run, 'w1')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean W1?') });
    expect(await refused(run, 'T2')).toMatchObject({
      code: 2,
      stderr: `forge: T2 is part of W1, which is retried as a whole\n  forge retry ${run} W1\n`,
    });
    expect(await refused(run, 'W2')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Try W1 again: what was skipped is tried with it.'),
    });
    expect(await refused('nothing', 'W1')).toMatchObject({ code: 2 });
  });

  it('is done at the second try, with what waited for it, and lands', async () => {
    const captured = refsOf(project, run);
    const documents = join(project.root, '.forge');
    expect(existsSync(join(documents, 'add-more-arithmetic-metrics.json'))).toBe(true);
    const retried = await project.forge('retry', '--into', 'main');
    expect(retried).toMatchObject({ code: 0, stderr: `note: trying W1 of ${run} again\n` });
    expect(retried.stdout).toMatch(/Wave 1\/2 \[.*\]: tried again \(try 2\)/);
    const { status, tasks } = JSON.parse((await project.forge('status', run, '--json')).stdout) as Record<
      string,
      unknown
    >;
    expect({ status, tasks }).toMatchObject({
      status: 'done',
      tasks: [
        { task: 'W1', status: 'done' },
        { task: 'W2', status: 'done' },
      ],
    });
    for (const name of ['mul', 'neg', 'sub', 'sqr']) expect(project.git('show', `main:src/${name}.js`)).toContain(name);
    // What the first try had written can still be reached, under the refs it had.
    expect(refsOf(project, run)).toEqual(expect.arrayContaining([...captured]));
    expect(captured.length).toBeGreaterThan(0);
    const state = JSON.parse(readFileSync(join(documents, 'add-more-arithmetic-state.json'), 'utf8')) as object;
    expect(state).toMatchObject({ status: 'completed', fix_round: 0 });
    expect(project.git('status', '--short', '--', '.forge')).toBe('?? .forge/memory/');
    expect(await project.forge('retry', run, 'W1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('W1 is done'),
    });
    expect(await project.forge('retry')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no run in which a task failed'),
    });
    expect(await project.forge('retry', run)).toMatchObject({
      code: 2,
      stderr: `forge: No task of the run ${run} failed (done)\n  See the result: forge show ${run}\n`,
    });
  });

  it('was asked about nothing again, and undo takes everything back', async () => {
    const facts = project.facts(run);
    expect(facts.filter(({ type }) => type === 'question.asked').map(({ key }) => key)).toEqual(['approve']);
    const planning = facts.filter(
      ({ key, type }) => key.startsWith('plan#') && type.startsWith('effect.') && type !== 'effect.progressed',
    );
    expect(planning.map(({ type }) => type)).toEqual(['effect.started', 'effect.finished']);
    expect(facts.filter(({ type }) => type === 'run.ended')).toHaveLength(2);
    expect(await project.forge('undo', run)).toMatchObject({ code: 0 });
    expect(project.git('for-each-ref', 'refs/heads', '--format=%(refname:short)')).toBe('main');
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('first');
    expect(project.facts(run).at(-1)).toMatchObject({ type: 'ref.moved' });
    expect(existsSync(join(project.directory(run), 'moves.jsonl'))).toBe(false);
    expect(await project.forge('cleanup', run, '--force')).toMatchObject({ code: 0 });
    expect(readdirSync(join(project.root, '.forge')).sort()).toEqual([
      '.gitignore',
      'config.yaml',
      'memory',
      'script.yaml',
    ]);
  });
});

describe('a run that is worked on', () => {
  it('is not taken from its process, and a wave that was cut off is to be resumed', async () => {
    const project = makeProject({
      script: [planned, { when: { role: 'developer' }, do: [{ exec: ['sleep', '60'] }] }],
    });
    const going = project.start(['run', 'Add more arithmetic', '--yes']);
    const run = await until(() => project.runs()[0], 'a run');
    await until(
      () => project.facts(run).some((fact) => fact.key === 'W1/develop#1' && fact.type === 'effect.progressed'),
      'a developer',
    );
    const held = await project.forge('retry', run, 'W1');
    expect(held.code).toBe(5);
    expect(held.stderr).toContain(`A process is at work on the run ${run} (pid ${going.child.pid})`);
    expect(held.stderr).toContain(`forge pause ${run}`);
    going.child.kill('SIGKILL');
    await going.ended;
    expect(await project.forge('retry', run, 'W1')).toMatchObject({
      code: 2,
      stderr: 'forge: W1 is not over\n  Resume the run; it continues with this task.\n',
    });
    expect(await project.forge('cancel', run)).toMatchObject({ code: 0 });
  });
});

function refsOf(project: Project, run: string): readonly string[] {
  const all = project.git('for-each-ref', `refs/forge/${run}`, '--format=%(refname) %(objectname)').split('\n');
  return all.filter((line) => line.includes('/W1'));
}
