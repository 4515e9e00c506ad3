/** Whether an agent can start, found out by starting it, in the jail, with nothing left behind. */
import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AgentProbe, probeAgent } from '../../../src/agents/acp/probe.ts';
import type { AcpProgram } from '../../../src/agents/acp/program.ts';
import { createRedactor } from '../../../src/process/redact.ts';
import type { Play } from '../acp-agent/play.ts';
import { playing } from '../acp-agent/record.ts';
import { makeWorkshop, processesWith, type Workshop } from '../workshop.ts';

let workshop: Workshop;
beforeEach(() => {
  workshop = makeWorkshop();
});
afterEach(() => {
  const left = processesWith(workshop.root);
  workshop.close();
  expect(left).toEqual([]);
});

function probe(play: Play, program?: AcpProgram['program']): Promise<AgentProbe> {
  const { tree, home, tmp } = workshop;
  const { jail, env } = workshop.job().workspace;
  const place = { tree, home, tmp, jail, env, network: 'loopback' as const, redactor: createRedactor({}) };
  return probeAgent({ record: playing(play), program }, place, new AbortController().signal);
}

describe('probing an agent', () => {
  test('tells what it is and can', async () => {
    expect(await probe({ steps: [], continues: ['load'] })).toEqual({
      status: 'ready',
      program: process.execPath,
      protocolVersion: 1,
      name: 'acp-agent',
      version: '1.2.3',
      canLoad: true,
      canResume: false,
      takesSystemPrompt: true,
      authMethods: ['a-key'],
    });
  });

  test('tells what is missing', async () => {
    expect(await probe({ steps: [] }, ['no-such-agent'])).toEqual({
      status: 'missing',
      reason: 'agent acp-agent: no program no-such-agent to run',
      hint: "Install no-such-agent, or correct the agent's command in the settings.",
    });
  });

  test('tells why it did not work', async () => {
    const fails = { initialize: { code: -32603, message: 'out of order' } };
    expect(await probe({ steps: [], fails })).toEqual({ status: 'failed', reason: 'out of order' });
    expect(await probe({ steps: [] }, ['sh', '-c', 'echo "cannot start" >&2; exit 4'])).toEqual({
      status: 'failed',
      reason: 'it ended before it answered ({"status":"exited","code":4})\ncannot start',
    });
  });

  test('ends one that does not answer', async () => {
    mkdirSync(join(workshop.tree, 'x'));
    writeFileSync(join(workshop.tree, 'x/agent'), '#!/bin/sh\nwhile :; do sleep 1000; done\n', { mode: 0o755 });
    const { tree, home, tmp } = workshop;
    const { jail, env } = workshop.job().workspace;
    const place = {
      tree,
      home,
      tmp,
      jail,
      env,
      network: 'loopback' as const,
      redactor: createRedactor({}),
      timeMs: 300,
    };
    const agent = { record: playing({ steps: [] }), program: ['./x/agent'] as const };
    const probed = await probeAgent(agent, place, new AbortController().signal);
    expect(probed).toMatchObject({ status: 'failed' });
  });
});
