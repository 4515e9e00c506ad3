/** A client that means no good, or is broken: it is told so, nothing outside the project is touched, the server goes on. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject } from '../cli/support.ts';
import { tempDir } from '../support/temp.ts';
import { binary, connect } from './client.ts';

const refused: readonly (readonly [name: string, args: object])[] = [
  ['session_state', { action: 'load', runId: '../../etc/passwd' }],
  ['session_state', { action: 'load', runId: '..' }],
  ['session_state', { action: 'save', runId: 'a/b', state: {} }],
  ['session_state', { action: 'save', runId: 'x'.repeat(129), state: {} }],
  ['session_state', { action: 'save', runId: 'r1' }],
  ['session_state', { action: 'burn' }],
  ['iteration_state', { action: 'get', moduleId: '../x' }],
  ['iteration_state', { action: 'get', moduleId: 'm1', runId: '.' }],
  ['iteration_state', { action: 'update', moduleId: 'm1' }],
  ['forge_logs', { runId: '..' }],
  ['forge_logs', { limit: 1e9 }],
  ['validate', { moduleId: 'm1', files: ['../../etc/passwd'] }],
  ['validate', { moduleId: 'm1', files: ['/etc/passwd'] }],
  ['validate', { moduleId: 'm1', contractChecks: [{ exporter: '../x.js', importer: 'y.js' }] }],
  ['validate', { moduleId: 'm1', commands: ['npm test; rm -rf /'] }],
  ['validate', { moduleId: 'm1', commands: ['sh -c "true"'] }],
  ['validate', { moduleId: 'm1', commands: Array.from({ length: 51 }, () => 'true') }],
  ['validate', { commands: ['true'] }],
  ['validate', { moduleId: 'm1', nonsense: 1 }],
  ['validate_plan', { planPath: '../../../etc/passwd' }],
  ['validate_plan', { planPath: '/etc/passwd' }],
  ['memory_save', { pattern: 'x', category: 'gossip' }],
  ['memory_save', { pattern: 'x'.repeat(1001), category: 'convention' }],
  ['forge_status', { run: 'no-such-run' }],
  ['forge_answer', { option: 'yes' }],
  ['forge_run', { requirement: '' }],
  ['forge_run', { requirement: 'x', workflow: '../evil' }],
  ['forge_retry', { run: 'none', task: 'm1' }],
];

describe('arguments', () => {
  it('that cannot be taken are answered with a code and a hint, and the server goes on', async () => {
    const { call } = await connect(makeProject());
    for (const [name, args] of refused) {
      const told = await call(name, args);
      expect([name, args, told.isError]).toEqual([name, args, true]);
      expect(told.json()).toMatchObject({
        error: expect.any(String),
        code: expect.stringMatching(/^[a-z]+(-[a-z]+)*$/),
      });
    }
    expect((await call('forge_list')).json()).toEqual({ runs: [] });
    expect((await call('iteration_state', { moduleId: 'm1', action: 'get' })).json()).toMatchObject({ attempts: [] });
  });

  it('says of a directory that is nowhere, or elsewhere, that it cannot be validated', async () => {
    const project = makeProject();
    const elsewhere = tempDir('elsewhere');
    symlinkSync(elsewhere, join(project.root, 'way-out'));
    mkdirSync(join(project.root, 'inner/.git'), { recursive: true });
    const { call } = await connect(project);
    for (const cwd of [
      '/definitely/not',
      '/etc',
      elsewhere,
      join(project.root, 'way-out'),
      join(project.root, 'inner'),
    ]) {
      expect((await call('validate', { moduleId: 'm1', cwd, commands: ['true'] })).json()).toMatchObject({
        passed: false,
        score: 0,
        results: [{ type: 'cwd_check', passed: false, error: expect.any(String) }],
        attempt: 0,
        recommendation: 'ESCALATE',
      });
    }
    expect((await call('iteration_state', { moduleId: 'm1', action: 'get' })).json()).toMatchObject({ attempts: [] });
  });

  it('keeps its files in no place that the repository chose', async () => {
    const project = makeProject();
    const elsewhere = tempDir('elsewhere');
    symlinkSync(elsewhere, join(project.root, '.forge/mcp'));
    mkdirSync(join(elsewhere, 'sessions'));
    writeFileSync(join(elsewhere, 'sessions/secret.json'), '{"found": "it"}');
    const { call } = await connect(project);
    expect((await call('session_state', { action: 'list' })).json()).toEqual({ sessions: [] });
    const told = await call('session_state', { action: 'save', runId: 'r1', state: { a: 1 } });
    expect(told.json()).toMatchObject({ saved: true });
    expect(readdirSync(elsewhere, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
      'sessions',
      'sessions/secret.json',
    ]);
  });

  it('names the tool that was probably meant', async () => {
    const { client } = await connect(makeProject());
    await expect(client.callTool({ name: 'forge_stats', arguments: {} })).rejects.toThrow('Did you mean forge_status?');
  });
});

describe('a repository that nobody agreed to', () => {
  it('can be looked at, but none of its rules is used to run a command', async () => {
    const project = makeProject({ config: 'jail: { mode: none }\n', trusted: false });
    const { call } = await connect(project);
    expect((await call('validate', { moduleId: 'm1', files: ['package.json'] })).json()).toMatchObject({
      passed: true,
    });
    const told = await call('validate', { moduleId: 'm1', commands: ['true'] });
    expect(told.json()).toMatchObject({ code: 'not-trusted', hint: expect.stringContaining('forge trust') });
  });
});

describe('messages', () => {
  it('refuses one that is too long, and answers the next', async () => {
    const { client, call } = await connect(makeProject());
    const huge = { action: 'save', runId: 'r1', state: { text: 'x'.repeat(9 * 1024 * 1024) } };
    await expect(client.callTool({ name: 'session_state', arguments: huge })).rejects.toThrow('is too long');
    expect((await call('session_state', { action: 'list' })).json()).toEqual({ sessions: [] });
    const large = { action: 'save', runId: 'r1', state: { text: 'x'.repeat(5 * 1024 * 1024) } };
    expect((await call('session_state', large)).json()).toMatchObject({ code: 'bad-input' });
  });

  it('survives what is no message at all, and leaves when its input ends', async () => {
    const project = makeProject();
    const child = spawn(process.execPath, [binary, 'mcp'], { cwd: project.root, env: project.env });
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.write('garbage\n{"jsonrpc":"2.0"}\n[]\n\n');
    child.stdin.end('{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
    expect(await ended).toBe(0);
    expect(Buffer.concat(printed).toString()).toContain('"id":7');
  });
});

describe('outside a repository', () => {
  it('answers every call with what is wrong', async () => {
    const project = makeProject();
    const { call } = await connect({ root: tempDir('nowhere'), env: project.env });
    expect((await call('forge_list')).json()).toMatchObject({ code: 'not-a-repository', hint: expect.any(String) });
    const given = await connect({ root: tempDir('nowhere'), env: project.env }, ['--project', project.root]);
    expect((await given.call('forge_list')).json()).toEqual({ runs: [] });
  });
});
