/** The settings of a project: from what is there, valid, with a schema; a person's own text is only ever added to. */
import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/policy/settings.ts';
import { builtinDefinitions } from '../../src/workflows/registry.ts';
import { makeProject, pathWith } from './support.ts';

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
    const path = `${join(project.root, '../bin')}:${pathWith('node', 'git', 'sh')}`;
    const { code, stdout, stderr } = await project.forgeWith(
      { PATH: path, OPENAI_API_KEY: 'planted-key-0123456789' },
      'init',
      '--json',
    );
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
      isNew: true,
      added: ['opencode', 'claude'],
      configured: ['opencode', 'claude'],
      written: ['.forge/config.yaml', '.forge/config.schema.json', '.forge/preferences.schema.json'],
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
    // Every option of every workflow, as help shows it.
    const options = JSON.parse(readFileSync(join(project.root, '.forge/preferences.schema.json'), 'utf8')) as {
      properties: Record<string, { properties: object; additionalProperties: boolean }>;
    };
    expect(Object.keys(options.properties)).toEqual(builtinDefinitions.map(({ name }) => name));
    for (const { name, options: specs } of builtinDefinitions) {
      const { properties, additionalProperties } = options.properties[name] ?? {};
      expect(Object.keys(properties ?? {})).toEqual(Object.keys(specs));
      expect(additionalProperties).toBe(false);
    }
    expect(options).toMatchObject({
      properties: {
        milestone: { properties: { 'plan-check': { type: 'string', enum: expect.arrayContaining(['blocking']) } } },
        modules: { properties: { barriers: { type: 'boolean' } } },
      },
    });
  });

  it('keeps what is there', async () => {
    const project = makeProject({ config: '# mine\n' });
    const { code, stdout } = await project.forge('init');
    expect(code).toBe(0);
    expect(stdout).toContain('Kept .forge/config.yaml as it is\n');
    expect(readFileSync(join(project.root, '.forge/config.yaml'), 'utf8')).toBe('# mine\n');
  });

  it('adds an agent that was installed since, and then there is one to run with', async () => {
    const project = makeProject({ config: null });
    const bin = join(project.root, '../bin');
    const path = `${bin}:${pathWith('node', 'git')}`;
    const forge = (...args: string[]) => project.forgeWith({ PATH: path }, ...args);
    expect(await forge('init')).toMatchObject({ code: 0, stdout: expect.stringContaining('run forge init again') });
    const refused = await forge('run', 'x');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('then run forge init') });
    const file = join(project.root, '.forge/config.yaml');
    const mine = `${readFileSync(file, 'utf8')}# my own remark\nparallel: 2\n`;
    writeFileSync(file, mine);
    chmodSync(file, 0o640);

    project.write({ '../bin/claude': '#!/bin/sh\n' });
    chmodSync(join(bin, 'claude'), 0o755);
    const added = await forge('init');
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Added claude to .forge/config.yaml; the rest is unchanged\n'),
    });
    const text = readFileSync(file, 'utf8');
    for (const line of mine.split('\n').filter((one) => one !== 'agents: {}')) expect(text).toContain(line);
    expect(parseSettings(text, file)).toMatchObject({ parallel: 2, agents: { claude: { driver: 'command' } } });
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect((await forge('run', 'x', '--agent', 'nobody')).stderr).toContain('There is no agent "nobody"');

    // Once more changes nothing.
    expect(await forge('init')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Kept .forge/config.yaml as it is\n'),
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(JSON.parse((await forge('init', '--json')).stdout)).toMatchObject({ added: [], configured: ['claude'] });
  });

  it('does not give consent to settings that nobody agreed to, and does not write through links', async () => {
    const project = makeProject({ config: 'agents: { own: { driver: command, run: [./own.sh] } }\n', trusted: false });
    const bin = join(project.root, '../bin');
    project.write({ '../bin/claude': '#!/bin/sh\n' });
    chmodSync(join(bin, 'claude'), 0o755);
    const env = { PATH: `${bin}:${pathWith('node', 'git', 'sh')}` };
    expect(await project.forgeWith(env, 'init')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Added claude'),
    });
    expect(await project.forgeWith(env, 'run', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('forge trust'),
    });

    const outside = join(project.root, '../outside.yaml');
    writeFileSync(outside, 'agents: {}\n');
    rmSync(join(project.root, '.forge/config.yaml'));
    symlinkSync(outside, join(project.root, '.forge/config.yaml'));
    expect(await project.forgeWith(env, 'init')).toMatchObject({ code: 2 });
    expect(readFileSync(outside, 'utf8')).toBe('agents: {}\n');
  });

  it('says what to add where it cannot', async () => {
    const project = makeProject({ config: '{ agents: {} }\n' });
    const bin = join(project.root, '../bin');
    project.write({ '../bin/claude': '#!/bin/sh\n' });
    chmodSync(join(bin, 'claude'), 0o755);
    const { code, stderr } = await project.forgeWith({ PATH: `${bin}:${pathWith('node', 'git')}` }, 'init');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Add below "agents": claude: {'),
    });
    expect(readFileSync(join(project.root, '.forge/config.yaml'), 'utf8')).toBe('{ agents: {} }\n');
  });
});
