/** The first settings of a project: from what is there, valid, with a schema, and never over something that exists. */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/policy/settings.ts';
import { makeProject } from './support.ts';

describe('forge init', () => {
  it('finds stack, checks and agents, and writes settings that can be read', async () => {
    const project = makeProject({
      config: null,
      files: { 'tsconfig.json': '{}\n', 'package-lock.json': '{}\n' },
    });
    project.write({
      '../bin/claude': '#!/bin/sh\n',
      '../bin/opencode': '#!/bin/sh\n',
      '../bin/codex': 'not a program\n',
    });
    for (const name of ['claude', 'opencode']) chmodSync(join(project.root, '../bin', name), 0o755);
    const path = `${join(project.root, '../bin')}:${project.env['PATH']}`;
    const { code, stdout, stderr } = await project.start(['init', '--json'], {
      PATH: path,
      OPENAI_API_KEY: 'planted-key-0123456789',
    }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      stack: ['TypeScript', 'Node.js'],
      checks: [{ run: ['npm', 'run', 'test'], from: 'package.json' }],
      setup: { run: ['npm', 'ci'], inputs: ['package.json', 'package-lock.json'], outputs: ['node_modules'] },
      root: project.root,
      agents: [
        { name: 'opencode', program: 'opencode', driver: 'acp', authenticated: true },
        { name: 'claude', program: 'claude', driver: 'command', authenticated: false },
      ],
      written: ['.forge/config.yaml', '.forge/config.schema.json'],
      kept: [],
    });
    const text = readFileSync(join(project.root, '.forge/config.yaml'), 'utf8');
    expect(text).toContain('# yaml-language-server: $schema=./config.schema.json\n');
    expect(parseSettings(text, 'config.yaml')).toMatchObject({
      agents: {
        claude: { driver: 'command', network: 'on', env: expect.arrayContaining(['ANTHROPIC_API_KEY']) },
        opencode: { driver: 'acp', agent: 'opencode' },
      },
      checks: { run: [{ run: ['npm', 'run', 'test'] }] },
      workspace: { setup: { run: ['npm', 'ci'] } },
    });
    expect(Object.keys(parseSettings(text, 'config.yaml').agents)[0]).toBe('opencode');
    expect(text).toContain('# budget: ');
    expect(text).not.toContain('planted-key');
    const schema = JSON.parse(readFileSync(join(project.root, '.forge/config.schema.json'), 'utf8')) as object;
    expect(schema).toMatchObject({ type: 'object', properties: { agents: {}, checks: {}, jail: {} } });
  });

  it('keeps what is there', async () => {
    const project = makeProject({ config: '# mine\n' });
    const { code, stdout } = await project.forge('init');
    expect(code).toBe(0);
    expect(stdout).toContain('Kept .forge/config.yaml as it is\n');
    expect(readFileSync(join(project.root, '.forge/config.yaml'), 'utf8')).toBe('# mine\n');
  });
});
