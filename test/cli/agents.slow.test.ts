/** `forge agents`: what there is, told without secrets, and a trial that goes the way all work goes. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../clients/model-server/server.ts';
import { makeProject, type Project } from './support.ts';

const key = 'planted-agent-key-7c11d9';
let model: ModelServer;
let project: Project;

beforeAll(async () => {
  model = await startModelServer([
    {
      name: 'trial',
      says: 'Make one file named hello.txt',
      answers: [
        { calls: [{ write: { path: 'hello.txt', content: 'hello\n' } }] },
        { calls: [{ submit: { status: 'success', summary: 'made it' } }] },
      ],
    },
  ]);
  const own = { driver: 'builtin', provider: 'anthropic', model: 'claude-haiku-4-5', baseUrl: model.url };
  const agents = {
    own: { ...own, key: 'OWN_KEY', next: 'stranger' },
    keyless: { ...own, key: 'NO_SUCH_KEY' },
    stranger: { driver: 'acp', run: ['no-such-agent-program'], tiers: { light: 'small-model' } },
  };
  project = makeProject({
    config: JSON.stringify({ agents, roles: { planner: 'stranger', reviewer: { agent: 'own', tier: 'max' } } }),
    env: { OWN_KEY: key },
    trusted: false,
  });
});
afterAll(() => model.close());

describe('forge agents', () => {
  it('starts nothing of settings that nobody agreed to', async () => {
    const { code, stdout } = await project.forge('agents');
    expect(code).toBe(0);
    expect(stdout).toContain('not tried: its settings were not agreed to (forge trust)');
    expect(await project.forge('agents', 'test', 'own')).toMatchObject({ code: 2 });
    expect(await project.forge('trust', '--yes')).toMatchObject({ code: 0 });
  });

  it('tells what starts, how it is paid for and what it does', async () => {
    const { code, stdout, stderr } = await project.forge('agents', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [own, keyless, stranger] = JSON.parse(stdout) as readonly Readonly<Record<string, unknown>>[];
    expect(own).toMatchObject({
      name: 'own',
      driver: 'builtin',
      configured: true,
      start: { status: 'ready' },
      means: [{ kind: 'key', variable: 'OWN_KEY', set: true }],
      limits: 'hard',
      models: { light: 'claude-haiku-4-5', max: 'claude-haiku-4-5' },
      unpriced: [],
      roles: expect.arrayContaining(['developer', 'tester', 'reviewer', 'auditor']),
      next: 'stranger',
    });
    expect(keyless).toMatchObject({ means: [{ kind: 'key', variable: 'NO_SUCH_KEY', set: false }], roles: [] });
    expect(stranger).toMatchObject({
      start: {
        status: 'missing',
        reason: 'agent no-such-agent-program: no program no-such-agent-program to run',
        hint: expect.stringContaining('Install no-such-agent-program'),
      },
      limits: 'soft',
      unpriced: ['small-model'],
      roles: expect.arrayContaining(['planner', 'architect']),
    });
    expect(stdout).not.toContain(key);
    const { stdout: text } = await project.forge('agents');
    expect(text).toMatch(/^✓ own: Forge's own agent \(Anthropic\)/m);
    expect(text).toContain('authentication: OWN_KEY is set');
    expect(text).toMatch(/^! keyless: /m);
    expect(text).toMatch(/^✗ stranger: /m);
  });

  it('has one make a file, step by step', async () => {
    const { code, stdout, stderr } = await project.forge('agents', 'test', 'own');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { inputTokens, outputTokens } = model.tally();
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^✓ forge-builtin .* starts \(/),
      expect.stringMatching(/^✓ works in its jail \(pid \d+\)$/),
      '✓ ended with claude-haiku-4-5; changed hello.txt',
      expect.stringContaining(`✓ 2 model calls, ${inputTokens} tokens in, ${outputTokens} out, $0.00`),
      '✓ it made the file and gave its result',
      '',
    ]);
    expect(project.runs()).toEqual([]);
  });

  it('says what to do where it does not work', async () => {
    const keyless = await project.forge('agents', 'test', 'keyless');
    expect(keyless.code).toBe(1);
    expect(keyless.stdout).toContain('✗ agent keyless: the variable NO_SUCH_KEY is not set\n    It has to hold');
    const stranger = await project.forge('agents', 'test', 'stranger');
    expect(stranger.code).toBe(1);
    expect(stranger.stdout).toContain('    Install no-such-agent-program');
    expect(await project.forge('agents', 'test', 'qwen')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('npm install -g @qwen-code/qwen-code@'),
    });
    expect(await project.forge('agents', 'test', 'owm')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean own?'),
    });
    expect(await project.forge('agents', 'tets')).toMatchObject({ code: 2 });
  });

  it('takes the first that is installed and can be paid for when a project begins', async () => {
    const fresh = makeProject({ config: null });
    fresh.write({ '../bin/claude-agent-acp': '#!/bin/sh\n', '../bin/codex-acp': '#!/bin/sh\n' });
    for (const name of ['claude-agent-acp', 'codex-acp']) chmodSync(join(fresh.root, '../bin', name), 0o755);
    const env = { PATH: `${join(fresh.root, '../bin')}:${fresh.env['PATH']}`, OPENAI_API_KEY: key };
    const { stdout } = await fresh.start(['init'], env).ended;
    expect(stdout).toContain('codex does the work, unless you name another agent under "roles".');
  });
});
