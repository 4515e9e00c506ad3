/**
 * What roles are served while they work, on the journal of a real run in which a module was mended by its debugger, and
 * through the bridge as an agent calls it.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JobTool } from '../../src/agents/agent.ts';
import { openBridge } from '../../src/agents/bridge/bridge.ts';
import { roleTools } from '../../src/effects/role-tools.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { openMemory } from '../../src/memory/memory-files.ts';
import { createRedactor } from '../../src/process/redact.ts';
import { connectMcp } from '../agents/acp-agent/mcp-client.ts';
import { built, done, job, plan, reply, script, task } from '../cli/modules-story.ts';
import { makeProject, type Project } from '../cli/support.ts';
import { connect } from './client.ts';

const secret = 'correct-horse-battery';
const deps = (project: Project) => ({
  memory: openMemory({ project: join(project.root, '.forge/memory'), user: undefined }),
  redactor: createRedactor({ API_TOKEN: secret }),
  storeRoot: project.root,
});

/** As much of an effect's surroundings as these tools look at. */
function contextOf(project: Project, run: string, key: string): EffectContext {
  const file = join(project.directory(run), 'journal.jsonl');
  return { run: { id: run }, facts: async () => readJournalFile(file).facts, key } as unknown as EffectContext;
}

async function ask(tools: readonly JobTool[], name: string, args: unknown) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no ${name}`);
  return tool.call(args, new AbortController().signal);
}

describe('roles', () => {
  let project: Project;
  let run = '';

  beforeAll(async () => {
    project = makeProject({
      script: script(
        [
          job('m1/develop#1', ...built('m1', { value: -1 }), done('m1')),
          job('m1/overseer#1', reply({ classification: 'stuck', evidence: 'm1() is negative' })),
          job('m1/debug#1', ...built('m1'), done('m1', { rootCause: `a wrong sign ${secret}` })),
        ],
        plan([task('m1')]),
      ),
    });
    await project.forge('run', 'One module', '--workflow', 'modules', '--yes');
    [run = ''] = project.runs();
  });

  it('are served by what they do', () => {
    const named = (role: string) =>
      roleTools(role, contextOf(project, run, 'x'), deps(project)).map((tool) => tool.name);
    expect(['architect', 'planner', 'overseer', 'debugger', 'worker', 'reviewer', 'tester'].map(named)).toEqual([
      ['memory_recall', 'validate_plan'],
      ['memory_recall', 'validate_plan'],
      ['iteration_state', 'forge_logs'],
      ['iteration_state', 'forge_logs'],
      [],
      [],
      [],
    ]);
  });

  it('see how their own module went, and nothing secret', async () => {
    const tools = roleTools('debugger', contextOf(project, run, 'm1/debug#1'), deps(project));
    const { text, isError } = await ask(tools, 'iteration_state', {});
    expect(isError).toBe(false);
    expect(text).not.toContain(secret);
    const state = JSON.parse(text) as { attempts: object[] };
    expect(state).toMatchObject({
      moduleId: 'm1',
      stagnant: false,
      lastStatus: 'done',
      attempts: [
        { status: 'failed', stagnant: false, rootCause: expect.stringContaining('a wrong sign') },
        { status: 'passed', score: 1, issues: [] },
      ],
    });
    expect(state.attempts[0]).toMatchObject({ issues: expect.arrayContaining(['command node --test']) });
    const told = await (await connect(project)).call('iteration_state', { moduleId: 'm1', runId: run, action: 'get' });
    expect(told.json()).toMatchObject({ scores: [expect.any(Number), 1], lastStatus: 'done' });
    const unknown = await ask(tools, 'iteration_state', { moduleId: 'm9' });
    expect(JSON.parse(unknown.text)).toEqual({ moduleId: 'm9', attempts: [], scores: [], stagnant: false });
  });

  it('find what went wrong in the logs of their run, within bounds', async () => {
    const tools = roleTools('overseer', contextOf(project, run, 'm1/overseer#1'), deps(project));
    const { text } = await ask(tools, 'forge_logs', { moduleId: 'm1', severity: 'error', phase: 'validation' });
    const { runId, entries } = JSON.parse(text) as { runId: string; entries: { data: { key: string } }[] };
    expect(runId).toBe(run);
    expect(entries.map((entry) => entry.data.key)).toEqual(['m1/review#1/check', 'm1/validate#1/check']);
    for (const args of [{ limit: 100_000 }, { runId: 'another' }, 'all', null, { moduleId: 'x'.repeat(1000) }]) {
      expect(await ask(tools, 'forge_logs', args)).toMatchObject({ isError: true });
    }
  });

  it('are told through the bridge whether a plan can be used, and what is remembered', async () => {
    const { memory, redactor } = deps(project);
    const date = '2026-01-02';
    await memory.save({
      lessons: [{ category: 'convention', keywords: [], text: 'Zebras are striped' }],
      applied: [],
      date,
    });
    const tools = roleTools('architect', contextOf(project, run, 'plan#1'), {
      memory,
      redactor,
      storeRoot: project.root,
    });
    const bridge = await openBridge({ resultSchema: { type: 'object' }, redactor, tools });
    const env = Object.entries(bridge.server.env).map(([name, value]) => ({ name, value }));
    const client = await connectMcp({ ...bridge.server, env });
    try {
      expect(client.listed.map((tool) => tool.name)).toEqual(['submit_result', 'memory_recall', 'validate_plan']);
      const good = { techStack: {}, tasks: [task('m1')], knowledgeApplied: [] };
      expect(JSON.parse((await client.call('validate_plan', { plan: good })).text)).toEqual({
        valid: true,
        errors: [],
        warnings: [],
      });
      const bad = { tasks: [task('m1', ['m2']), task('m2', ['m1'])] };
      expect(JSON.parse((await client.call('validate_plan', { plan: bad })).text)).toMatchObject({
        valid: false,
        errors: [{ type: 'cycle' }],
      });
      const recalled = JSON.parse((await client.call('memory_recall', { query: 'zebra' })).text) as object;
      expect(recalled).toMatchObject({ memories: [{ pattern: 'Zebras are striped', category: 'convention' }] });
    } finally {
      await bridge.close();
      await client.gone;
    }
  });
});
