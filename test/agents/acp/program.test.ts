/** Where an agent's program is found, what of it the jail shows, and how a login and a key get in. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AcpProgram, acpPlace, readyProgram } from '../../../src/agents/acp/program.ts';
import type { AgentJob } from '../../../src/agents/agent.ts';
import { playing } from '../acp-agent/record.ts';
import { makeWorkshop, type Workshop } from '../workshop.ts';

let workshop: Workshop;
beforeEach(() => {
  workshop = makeWorkshop();
});
afterEach(() => workshop.close());

const record = playing({ steps: [] });
const ready = (agent: Partial<AcpProgram>, job: Partial<AgentJob> = {}) => {
  const whole = { record, ...agent };
  return readyProgram(whole, workshop.job(job), acpPlace(whole, workshop.job(job), ''));
};

function put(path: string, text: string): string {
  const file = join(workshop.root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

describe('an agent’s program', () => {
  test('that is a package is shown with all packages around it, by its real path', async () => {
    const file = put('lib/node_modules/@x/agent/dist/index.js', '#!/usr/bin/env node\n');
    mkdirSync(join(workshop.root, 'bin'));
    symlinkSync(file, join(workshop.root, 'bin/agent'));
    const env = { PATH: join(workshop.root, 'bin') };
    const program = await ready({ program: ['agent', '--acp'], env });
    expect(program).toEqual({
      argv: [file, '--acp'],
      env: { PATH: `${env.PATH}:${dirname(process.execPath)}` },
      readable: [join(workshop.root, 'lib/node_modules')],
      hidden: [],
      mirror: undefined,
    });
  });

  test('of another kind is shown with its directory, or alone among others', async () => {
    const [own, among] = [put('tools/agent/agent', 'ELF'), put('tools/bin/agent', 'ELF')];
    expect((await ready({ program: [own] })).readable).toEqual([dirname(own)]);
    expect((await ready({ program: [among] })).readable).toEqual([among]);
    expect((await ready({ program: ['sh'] })).readable).toEqual([]);
    expect((await ready({ program: ['sh', own] })).readable).toEqual([dirname(own)]);
  });

  test('in the workspace is named from there and needs nothing shown', async () => {
    const file = put('tree/bin/agent', '#!/bin/sh\n');
    const program = await ready({ program: ['./bin/agent'] });
    expect([program.argv, program.readable]).toEqual([[realpathSync(file)], []]);
  });

  test('gets its configuration as private files, whatever was there', async () => {
    const configure = () => ({ env: { A: '1' }, files: { 'a/b/c.json': '{}' }, args: ['--quiet'] });
    put('home/a', 'a file where a directory has to be');
    const program = await ready({ record: { ...record, configure, readable: ['/x'] }, program: ['sh'] });
    const file = join(workshop.home, 'a/b/c.json');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['{}', 0o600]);
    expect(program.argv.slice(1)).toEqual(['--quiet']);
    expect([program.env['A'], program.readable]).toEqual(['1', ['/x']]);
  });

  test('gets copies of what a login needs in a directory of its own, and nothing else of it', async () => {
    put('login/token.json', '{"token":"first"}');
    put('login/settings.json', '{}');
    put('login/hooks/start', 'echo mine');
    const login = join(workshop.root, 'login');
    const own = join(workshop.home, '.agent');
    const named = {
      ...record,
      login: { directory: '.agent', variable: 'AGENT_HOME', credentials: ['token.json'], copies: ['settings.json'] },
    };
    const program = await ready({ record: named, program: ['sh'], login });
    expect([program.env['AGENT_HOME'], program.readable]).toEqual([own, []]);
    expect(readdirSync(own).sort()).toEqual(['settings.json', 'token.json']);
    expect(program.mirror?.stop()).toEqual([]);
    expect(readdirSync(own)).toEqual([]);
  });

  test('gets the provider’s key from what it was given, unless a meter stands in its place', () => {
    const env = { AGENT_API_KEY: 'of-the-environment' };
    const key = (agent: Partial<AcpProgram>, job: Partial<AgentJob> = {}) => {
      const place = acpPlace({ record, ...agent }, workshop.job(job), '');
      return [place.url, place.key];
    };
    expect(key({ env })).toEqual([undefined, 'of-the-environment']);
    expect(key({ env, key: 'given', url: 'http://x' })).toEqual(['http://x', 'given']);
    const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };
    const meter = { url: 'http://meter', key: 'for-the-job', usage: () => usage, trouble: () => undefined };
    expect(key({ env, key: 'given', url: 'http://x' }, { meter })).toEqual(['http://meter', 'for-the-job']);
  });
});
