/** The tools for those who coordinate modules themselves, over the wire: what they answer, keep, and leave alone. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject } from '../cli/support.ts';
import { connect } from './client.ts';

const names = [
  'validate',
  'validate_plan',
  'memory_recall',
  'memory_save',
  'iteration_state',
  'forge_logs',
  'session_state',
  'forge_run',
  'forge_list',
  'forge_status',
  'forge_questions',
  'forge_answer',
  'forge_pause',
  'forge_cancel',
  'forge_resume',
  'forge_retry',
  'forge_wait',
  'forge_report',
];

describe('the server', () => {
  it('lists every tool with a schema, says how to use them, and prints nothing else', async () => {
    const { client, printed } = await connect(makeProject());
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual(names.toSorted());
    for (const tool of tools) {
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.inputSchema['additionalProperties']).toBe(false);
      expect(tool.description?.length).toBeGreaterThan(20);
    }
    expect(client.getServerVersion()).toMatchObject({ name: 'forge' });
    expect(client.getInstructions()).toContain('forge_run');
    expect(printed()).toBe('');
  });
});

describe('validate', () => {
  it('measures the directory as it is now, and changes nothing in it', async () => {
    const project = makeProject();
    const { call } = await connect(project);
    project.write({
      'src/twice.js': 'export const twice = (n) => n * 2;\n',
      'src/add.js': 'export const add = () => 0;\n',
    });
    const before = project.git('status', '--porcelain', '--ignored');
    const heard: string[] = [];
    const request = {
      moduleId: 'm1',
      runId: 'mine-1',
      files: ['src/twice.js', 'src/gone.js'],
      commands: ['node --test', 'touch made-by-a-check', 'test -e src/twice.js'],
    };
    const first = (await call('validate', request, (message) => heard.push(message))).json();
    expect(first).toMatchObject({ passed: false, attempt: 1, recommendation: 'RETRY_WITH_DEBUGGER', score: 4 / 6 });
    expect(first['results']).toMatchObject([
      { type: 'file_check', file: 'src/twice.js', passed: true },
      { type: 'file_check', file: 'src/gone.js', passed: false },
      { type: 'syntax_check', file: 'src/twice.js', passed: true },
      { type: 'command', command: 'node --test', passed: false, error: expect.stringContaining('1 of 1 tests fail') },
      { type: 'command', command: 'touch made-by-a-check', passed: true },
      { type: 'command', command: 'test -e src/twice.js', passed: true },
    ]);
    expect(heard.length).toBeGreaterThanOrEqual(3);
    expect(existsSync(join(project.root, 'made-by-a-check'))).toBe(false);
    expect(project.git('status', '--porcelain', '--ignored')).toBe(before);

    project.write({ 'src/add.js': 'export const add = (a, b) => a + b;\n', 'src/gone.js': 'export {};\n' });
    const second = (await call('validate', request)).json();
    expect(second).toMatchObject({ passed: true, score: 1, attempt: 2, recommendation: 'PASS' });
    const { entries } = (await call('forge_logs', { runId: 'mine-1' })).json() as { entries: object[] };
    expect(entries).toMatchObject([
      { runId: 'mine-1', phase: 'validation', moduleId: 'm1', event: 'validate', severity: 'error' },
      { severity: 'info', data: { passed: true, score: 1, attempt: 2 } },
    ]);
  });

  it('lets no change of what judges pass unseen, and takes it only when told to', async () => {
    const project = makeProject();
    const { call } = await connect(project);
    const fake = { name: 'sums', type: 'module', scripts: { test: 'true' } };
    project.write({ 'package.json': JSON.stringify(fake), 'src/add.js': 'export const add = () => 0;\n' });
    const request = { moduleId: 'm1', commands: ['npm test'] };
    const old = (await call('validate', request)).json();
    expect(old).toMatchObject({ passed: false, checkChanged: [{ path: 'package.json' }] });
    expect((await call('validate', { ...request, acceptScripts: true })).json()).toMatchObject({ passed: true });
  });

  it('can be pointed at a linked worktree and at a directory below', async () => {
    const project = makeProject();
    project.git('worktree', 'add', '-q', '.claude/worktrees/w1', '-b', 'w1');
    const { call } = await connect(project);
    const place = join(project.root, '.claude/worktrees/w1');
    project.write({ '.claude/worktrees/w1/src/only-here.js': 'export {};\n' });
    const there = { moduleId: 'm1', cwd: place, files: ['src/only-here.js'], commands: ['test -e src/only-here.js'] };
    expect((await call('validate', there)).json()).toMatchObject({ passed: true });
    const below = { moduleId: 'm2', cwd: join(place, 'src'), files: ['add.js'], commands: ['test -e only-here.js'] };
    expect((await call('validate', below)).json()).toMatchObject({ passed: true });
    const main = { moduleId: 'm3', files: ['src/only-here.js'] };
    expect((await call('validate', main)).json()).toMatchObject({ passed: false, score: 0 });
  });

  it('runs commands in the jail: nothing of the person is there to be read or written', async () => {
    const project = makeProject();
    project.write({ 'secret.txt': 'mine', '.gitignore': 'secret.txt\n' });
    const { call } = await connect(project);
    const outside = join(project.root, 'written-from-the-jail');
    const commands = [`test -e ${project.root}/package.json`, 'test -e secret.txt', `touch ${outside}`];
    const { results } = (await call('validate', { moduleId: 'm1', commands })).json() as {
      results: { passed: boolean }[];
    };
    expect(results.slice(0, 2).map((result) => result.passed)).toEqual([false, false]);
    // Whatever the jail has at that path is its own.
    expect(existsSync(outside)).toBe(false);
  });
});

describe('what is kept', () => {
  it('remembers lessons once, by scope, as Markdown', async () => {
    const project = makeProject();
    const { call } = await connect(project);
    const lesson = { pattern: 'Run vitest with --run in CI', category: 'test_command', confidence: 0.9 };
    expect((await call('memory_save', lesson)).text).toBe(
      'Saved to project memory [test_command]: Run vitest with --run in CI',
    );
    expect((await call('memory_save', { ...lesson, pattern: 'run vitest with --run in CI.' })).text).toBe(
      'Duplicate pattern already in project memory, skipped.',
    );
    // A model does not write into a person's other projects.
    const wide = { pattern: 'Worktrees need their own vitest cache', category: 'convention', scope: 'global' };
    expect((await call('memory_save', wide)).json()).toMatchObject({
      code: 'bad-input',
      hint: expect.stringContaining('forge memory promote'),
    });
    await call('memory_save', { ...wide, scope: 'project' });
    const { memories } = (await call('memory_recall', { query: 'worktrees' })).json() as { memories: object[] };
    expect(memories).toHaveLength(1);
    const listed = JSON.parse((await project.forge('memory', '--json')).stdout) as {
      lessons: { id: string; text: string }[];
    };
    const { id = '' } = listed.lessons.find(({ text }) => text.startsWith('Worktrees')) ?? {};
    expect(await project.forge('memory', 'promote', id)).toMatchObject({ code: 0 });
    const recall = async (scope: string) =>
      (await call('memory_recall', { query: 'vitest', scope })).json()['memories'] as readonly object[];
    expect(await recall('project')).toMatchObject([{ ...lesson, scope: 'project' }, { scope: 'project' }]);
    expect(await recall('global')).toMatchObject([{ scope: 'global', category: 'convention' }]);
    expect((await recall('all')).length).toBe(2);
    const none = (await call('memory_recall', { query: 'zebra' })).json() as { message: string };
    expect(none.message).toContain('No keyword matches');
    expect(readFileSync(join(project.root, '.forge/memory/test-command.md'), 'utf8')).toContain('Run vitest');
  });

  it('counts attempts by run and module', async () => {
    const { call } = await connect(makeProject());
    const at = { moduleId: 'm1', runId: 'r1' };
    const empty = { attempts: [], scores: [], stagnant: false };
    expect((await call('iteration_state', { ...at, action: 'get' })).json()).toEqual(empty);
    const update = { status: 'failed', score: 0.5, issues: ['command x'], rootCause: 'a typo' };
    expect((await call('iteration_state', { ...at, action: 'update', update })).json()).toEqual({
      updated: true,
      attempt: 1,
      stagnant: false,
    });
    expect((await call('iteration_state', { ...at, action: 'update', update })).json()).toMatchObject({
      stagnant: true,
    });
    expect((await call('iteration_state', { ...at, action: 'get' })).json()).toMatchObject({
      scores: [0.5, 0.5],
      lastStatus: 'failed',
      lastRootCause: 'a typo',
      attempts: [{ issues: ['command x'] }, { stagnant: true }],
    });
    expect((await call('iteration_state', { moduleId: 'm1', action: 'get' })).json()).toEqual(empty);
    const reset = await call('iteration_state', { ...at, action: 'reset' });
    expect(reset.text).toBe('Reset iteration state for m1 (run r1)');
    expect((await call('iteration_state', { ...at, action: 'get' })).json()).toEqual(empty);
  });

  it('saves, loads and lists sessions', async () => {
    const { call } = await connect(makeProject());
    expect((await call('session_state', { action: 'list' })).json()).toEqual({ sessions: [] });
    const state = { currentPhase: 'execute', moduleStatuses: { m1: 'done', m2: 'running' }, completedModules: ['m1'] };
    const saved = (await call('session_state', { action: 'save', runId: 'r1', state })).json();
    expect(saved).toMatchObject({ saved: true, runId: 'r1' });
    const { lastUpdatedAt } = saved;
    expect((await call('session_state', { action: 'load', runId: 'r1' })).json()).toEqual({
      found: true,
      ...state,
      lastUpdatedAt,
    });
    expect((await call('session_state', { action: 'list' })).json()).toEqual({
      sessions: [{ runId: 'r1', lastUpdatedAt, currentPhase: 'execute', completedCount: 1, totalCount: 2 }],
    });
    // Who keeps only the numbers has them in the list too.
    await call('session_state', { action: 'save', runId: 'r2', state: { completedCount: 3, totalCount: 5 } });
    const { sessions } = (await call('session_state', { action: 'list' })).json() as { sessions: object[] };
    expect(sessions).toContainEqual(expect.objectContaining({ runId: 'r2', completedCount: 3, totalCount: 5 }));
  });

  it('reads the newest plan, one that is named, or one that is given', async () => {
    const project = makeProject();
    const { call } = await connect(project);
    const none = { valid: false, errors: [{ type: 'schema', message: 'No plan files found' }], warnings: [] };
    expect((await call('validate_plan')).json()).toEqual(none);
    const module = {
      id: 'm1',
      title: 't',
      objective: 'o',
      files: ['a.js'],
      verify: ['no-such-program x'],
      doneWhen: 'd',
    };
    project.write({ '.forge/plans/p.json': JSON.stringify({ modules: [module] }) });
    const missing = {
      type: 'missing_command',
      message: "Command 'no-such-program' not found on PATH (used in m1 verify)",
    };
    expect((await call('validate_plan')).json()).toEqual({ valid: false, errors: [missing], warnings: [] });
    const good = { modules: [{ ...module, verify: ['node --test'] }] };
    const valid = { valid: true, errors: [], warnings: [] };
    expect((await call('validate_plan', { plan: good })).json()).toEqual(valid);
    expect((await call('validate_plan', { plan: JSON.stringify(good) })).json()).toEqual(valid);
    project.write({ 'plans/q.json': JSON.stringify(good) });
    expect((await call('validate_plan', { planPath: 'plans/q.json' })).json()).toEqual(valid);
    symlinkSync('/etc/passwd', join(project.root, 'link.json'));
    expect((await call('validate_plan', { planPath: 'link.json' })).json()).toMatchObject({ code: 'bad-input' });
  });
});
