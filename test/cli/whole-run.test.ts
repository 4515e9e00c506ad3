/** A whole run as a script sees it, and everything that can be done with one that is over. */
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeProject, type Project } from './support.ts';

interface Line {
  readonly seq: number;
  readonly type: string;
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const keys = (value: unknown): readonly string[] => Object.keys(value as object).sort();

describe('a run that goes well', () => {
  let project: Project;
  let base: string;
  let run: string;
  let facts: readonly Line[];
  const json = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await project.forge(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    project = makeProject({ files: { 'AGENTS.md': 'Be brief.\n' } });
    base = project.git('rev-parse', 'HEAD');
    const { code, stdout, stderr } = await project.forge('run', 'Add a multiplication', '--yes', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    facts = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    run = String(facts[0]?.data['run']);
  });

  it('prints one fact per line, from the first to the last', () => {
    expect(run).toMatch(/^add-multiplication-[a-z0-9]{4}$/);
    expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, index) => index + 1));
    expect(facts.at(-1)).toMatchObject({ type: 'run.ended', data: { status: 'done' } });
    expect(facts.find((fact) => fact.type === 'question.answered')).toMatchObject({
      key: 'approve',
      data: { option: 'yes', by: '--yes' },
    });
    expect(facts[0]?.data['input']).toMatchObject({
      requirement: 'Add a multiplication',
      slug: 'add-multiplication',
      agents: { planner: 'actor', developer: 'actor', tester: 'actor', learner: 'actor' },
      guidance: 'AGENTS.md:\nBe brief.',
    });
  });

  it('gives scripts the documented fields of every command, and nothing else', async () => {
    expect(keys(facts[0])).toEqual(['at', 'data', 'hash', 'key', 'seq', 'type', 'v']);
    const line = [
      'at',
      'createdAt',
      'questions',
      'reason',
      'run',
      'status',
      'title',
      'updatedAt',
      'usage',
      'where',
      'workflow',
    ];
    const [listed] = (await json('list')) as object[];
    expect(keys(listed)).toEqual(line);
    expect(keys(await json('status'))).toEqual(
      [...line, 'base', 'branch', 'budget', 'integration', 'isHeld', 'output', 'seq', 'tasks'].sort(),
    );
    const shown = (await json('show')) as { line: object; summary: object };
    expect(keys(shown)).toEqual(['line', 'output', 'plan', 'planText', 'receipts', 'summary']);
    expect(keys(shown.line)).toEqual(line);
    expect(shown.summary).toMatchObject({
      status: 'done',
      findings: [],
      lessons: { added: 1, applied: [], learned: [{ text: 'Use node --test.' }] },
      tasks: [{ key: 'W1', parts: ['T1'], figures: { rounds: 1, bugs: 0 } }],
    });
    const wave = (await json('show', 'W1')) as { task: object };
    expect(keys(wave.task)).toEqual(['effects', 'outcome', 'receipts', 'task']);
    const logs = await project.forge('logs', 'W1', '--json');
    for (const entry of logs.stdout.trimEnd().split('\n')) {
      expect(keys(JSON.parse(entry))).toEqual(['at', 'key', 'number', 'source', 'text', 'type']);
    }
    const findings = (await json('doctor')) as { name: string; ok: boolean }[];
    for (const finding of findings) expect(keys(finding)).toEqual(['detail', 'hint', 'name', 'ok', 'optional']);
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['node', 'jail', 'repository', 'settings', 'agents']),
    );
  });

  it('is listed, and can be named by its beginning or not at all', async () => {
    expect(await json('list')).toMatchObject([{ run, status: 'done', title: 'Add a multiplication', questions: [] }]);
    expect(await json('status', 'add')).toMatchObject({
      run,
      status: 'done',
      base,
      tasks: [{ task: 'W1', status: 'done' }],
    });
    const { stdout } = await project.forge('status');
    expect(stdout).toContain('✓ Wave 1/1 [T1]');
    expect(stdout).toContain(`${run}: done`);
  });

  it('shows what was built, a wave, and the plan', async () => {
    expect(await json('show')).toMatchObject({
      line: { run, status: 'done' },
      plan: { tasks: [{ id: 'T1' }] },
      receipts: [{ task: 'W1', before: base, changed: [{ path: 'src/mul.js' }, { path: 'test/mul.test.js' }] }],
      summary: { branch: `forge/${run}`, tasks: [{ key: 'W1', figures: { bugs: 0 } }] },
    });
    expect((await project.forge('show', 'W1')).stdout).toContain('  done  W1/develop#1 (agent.run)');
    expect((await project.forge('show', run, '--plan')).stdout).toContain('Multiply two numbers');
    expect(await project.forge('show', run, 'W7')).toMatchObject({ code: 2 });
  });

  it('has logs of agents and checks', async () => {
    const all = (await project.forge('logs')).stdout;
    expect(all).toContain('W1/develop#1\n');
    expect(all).toContain('Writing mul');
    expect(all).toContain('W1/verify#1/check\n');
    const { code, stdout } = await project.forge('logs', run, 'W1/develop#1', '--json');
    expect(code).toBe(0);
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string });
    expect(entries[0]).toMatchObject({ key: 'W1/develop#1', source: 'agent', type: 'text', text: 'Writing mul' });
    // A task of a wave has the logs of the wave; what there is nothing of is answered with what there is.
    const ofTask = await project.forge('logs', run, 'T1');
    expect(ofTask).toEqual(await project.forge('logs', run, 'W1'));
    expect(ofTask.stdout).toContain('Writing mul');
    expect(await project.forge('logs', run, 'T7')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /has no logs of "T7"\n {2}It has some of: W1, T1, baseline, plan#1, learn, final\.\n$/,
      ),
    });
    // What it said and did, what that used, what it changed, how it ended.
    expect(entries.map(({ type }) => type)).toEqual(['text', 'tool', 'tool', 'usage', 'changed', 'ended']);
  });

  it('left a lesson', async () => {
    expect(await json('memory')).toMatchObject({
      lessons: [{ category: 'Testing', text: 'Use node --test.', scope: 'project', confidence: 0.5, isTrusted: true }],
      problems: [],
    });
  });

  it('shows what it changed, as git does', async () => {
    const result = project.git('rev-parse', `forge/${run}`);
    expect(await project.forge('diff')).toMatchObject({
      code: 0,
      stdout: `${project.git('diff', '--no-color', base, result)}\n`,
      stderr: '',
    });
    expect((await project.forge('diff', 'W1', '--stat')).stdout).toContain('src/mul.js       | 1 +');
    expect(await json('diff', run, 'T1')).toEqual({
      run,
      task: 'W1',
      merged: true,
      ranges: [{ from: base, to: expect.stringMatching(/^[0-9a-f]{40}$/) }],
      files: [
        { path: 'src/mul.js', status: 'added', added: 1, removed: 0 },
        { path: 'test/mul.test.js', status: 'added', added: 4, removed: 0 },
      ],
    });
    expect(await project.forge('diff', run, 'w1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean W1?'),
    });
    // Nothing that the person's settings name takes part in what a script reads.
    project.git('config', 'diff.external', 'false');
    project.git('config', 'core.pager', 'false');
    expect(await project.forge('diff', '--stat')).toMatchObject({ code: 0, stderr: '' });
    project.git('config', '--unset', 'diff.external');
    project.git('config', '--unset', 'core.pager');
  });

  it('lands, is undone, lands again, and is cleaned up, in that order', async () => {
    const result = project.git('rev-parse', `forge/${run}`);
    project.write({ 'src/add.js': 'changed\n' });
    // Something of the user's is in the way only where the result changes it too.
    project.write({ 'src/mul.js': 'mine\n' });
    expect(await project.forge('land', '--into', 'main')).toMatchObject({ code: 2 });
    expect(project.git('rev-parse', 'main')).toBe(base);
    project.git('clean', '-fq', 'src');
    project.git('checkout', '-q', 'src/add.js');

    expect(await json('land')).toEqual({
      run,
      branch: 'main',
      commit: result,
      moves: [{ ref: 'refs/heads/main', before: base, after: result }],
    });
    expect(project.git('status', '--short', 'src', 'test')).toBe('');
    expect(await json('undo', '--yes')).toEqual({
      run,
      moves: [
        { ref: `refs/heads/forge/${run}`, before: result },
        { ref: 'refs/heads/main', before: result, after: base },
      ],
      left: [],
    });
    expect(project.git('for-each-ref', 'refs/heads', '--format=%(refname:short) %(objectname)')).toBe(`main ${base}`);
    expect(await json('undo', run)).toEqual({ run, moves: [], left: [] });

    // Undone and not merged: the only copy is below refs/forge.
    expect(await project.forge('cleanup', run)).toMatchObject({ code: 2 });
    expect(await json('land', '--into', 'main')).toMatchObject({ commit: result });
    expect(await json('cleanup', '--yes')).toMatchObject({
      run,
      refs: expect.arrayContaining([`refs/forge/${run}/integration`]),
    });
    expect(existsSync(project.directory(run))).toBe(false);
    expect(project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(await json('list')).toEqual([]);
  });
});
