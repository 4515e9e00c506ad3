/** What a cut-off attempt left is where the next one goes on, and all of it belongs to the effect's result. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentDriver, AgentJob } from '../../src/agents/agent.ts';
import { AccountGates } from '../../src/effects/account-gates.ts';
import { agentRun } from '../../src/effects/agent-run.ts';
import type { EffectDeps } from '../../src/effects/deps.ts';
import type { DispatchDeps } from '../../src/effects/dispatch-agent.ts';
import { openMetering } from '../../src/effects/metering.ts';
import { RunBudget } from '../../src/effects/run-budget.ts';
import { type EffectOutput, effectMap } from '../../src/engine/effect-map.ts';
import { FileArtifacts } from '../../src/engine/files/file-artifacts.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { takeSnapshot } from '../../src/engine/run-snapshot.ts';
import { emptyState } from '../../src/engine/run-state.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import type { Role } from '../../src/roles/role.ts';
import { jail, makeRepo, scratch } from '../git/support.ts';
import { countingClock } from '../support/clock.ts';

const noUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };

function dispatchTo(driver: AgentDriver): DispatchDeps {
  const settings = settingsSchema.parse({ agents: { worker: { driver: 'scripted', script: 'none' } } });
  const plain = { network: 'loopback', account: 'worker', metered: undefined, next: undefined } as const;
  return {
    settings,
    env: {},
    agent: async () => ({ ...plain, driver, counted: false, ownHome: false }),
    gates: new AccountGates(),
    budget: new RunBudget(settings),
    metering: openMetering(),
    history: { past: () => [], add: () => {} },
  };
}

/** An agent.run whose agent is a function; each call is one attempt of the same effect. */
async function setting(canResume = false, role?: Role) {
  const user = makeRepo();
  const repo = await user.open();
  const directory = scratch('run');
  const jobs: AgentJob[] = [];
  const attempt = (
    work: (tree: string) => void,
    earlier: Partial<EffectContext['earlier']> = {},
    session?: string,
  ): Promise<EffectOutput<'agent.run'>> => {
    const driver = {
      name: 'test',
      canResume,
      run: async (job: AgentJob) => {
        jobs.push(job);
        work(job.workspace.tree);
        return { status: 'replied' as const, reply: {}, usage: noUsage, durationMs: 1 };
      },
    };
    const deps = {
      repo,
      jail,
      settings: settingsSchema.parse({}),
      redactor: { redact: (text: string) => text },
      role: async () => role,
      tools: () => [],
      providerOf: () => 'scripted',
      dispatch: dispatchTo(driver),
    };
    const request = effectMap['agent.run'].input.parse({
      agent: 'worker',
      role: 'developer',
      task: 'T1',
      attempt: 1,
      workspace: 'T1',
      commit: repo.head,
      prompt: 'do it',
      ...(session === undefined ? {} : { session }),
    });
    const context: EffectContext = {
      run: {
        id: 'r1',
        title: '',
        workflowVersion: 1,
        base: repo.head,
        branch: 'main',
        root: repo.root,
        input: {},
        settings: {},
      },
      key: 'T1/develop#1',
      attempt: 1,
      earlier: { interruptions: 0, session: undefined, ...earlier },
      tryNumber: 1,
      snapshot: takeSnapshot(emptyState(), 'agent.run', request),
      facts: async () => [],
      artifacts: new FileArtifacts(directory),
      clock: countingClock(),
      signal: new AbortController().signal,
      progress: () => {},
    };
    // The rooms that agent.run has no use for are left out.
    return agentRun(deps as unknown as EffectDeps).perform(request, context);
  };
  return { attempt, jobs, user };
}

const writes = (name: string) => (tree: string) => writeFileSync(join(tree, name), `${name}\n`);

describe('agent.run and a role file', () => {
  const role: Role = {
    name: 'developer',
    description: '',
    model: 'small-one',
    access: 'read',
    text: 'Look, do not touch.',
    source: 'developer.md',
  };

  it('keeps a role from writing, whatever its workflow says, and uses its model', async () => {
    const { attempt, jobs, user } = await setting(false, role);
    const { commit, changes, route } = await attempt(writes('one.txt'));
    expect({ commit, changes }).toEqual({ commit: user.git('rev-parse', 'HEAD'), changes: [] });
    expect(jobs[0]).toMatchObject({ access: 'read', model: 'small-one' });
    expect(jobs[0]?.prompt).toMatch(/^Look, do not touch\./);
    expect(route?.model).toBe('small-one');
  });

  it('that says nothing leaves a role as its workflow has it', async () => {
    const { attempt, jobs } = await setting(false, { ...role, access: undefined, model: 'inherit' });
    const { changes, route } = await attempt(writes('one.txt'));
    expect(changes.map(({ path }) => path)).toEqual(['one.txt']);
    expect(jobs[0]?.access).toBe('write');
    expect(route?.model).toBeUndefined();
  });
});

describe('agent.run after it was cut off', () => {
  it('goes on from a snapshot whose fact was lost: the agent is told of it, and the result holds all of it', async () => {
    const { attempt, jobs, user } = await setting();
    await attempt(writes('one.txt'));
    const second = await attempt(writes('two.txt'), { interruptions: 1 });
    expect(jobs[1]?.prompt).toContain('- one.txt (added)');
    expect(second.changes).toEqual([
      { path: 'one.txt', status: 'added' },
      { path: 'two.txt', status: 'added' },
    ]);
    expect(user.git('ls-tree', '--name-only', second.commit).split('\n')).toEqual([
      'a.txt',
      'one.txt',
      'src',
      'two.txt',
    ]);
  });

  it('captures what an agent left that died before any snapshot', async () => {
    const { attempt, jobs } = await setting();
    const dies = attempt((tree) => {
      writes('one.txt')(tree);
      throw new Error('killed');
    });
    await expect(dies).rejects.toThrow('killed');
    const second = await attempt(() => {}, { interruptions: 1 });
    expect(jobs[1]?.prompt).toContain('- one.txt (added)');
    expect(second.changes).toEqual([{ path: 'one.txt', status: 'added' }]);
  });

  it('continues the latest session if the driver can, and none if it cannot', async () => {
    const able = await setting(true);
    await able.attempt(() => {}, {}, 's0');
    await able.attempt(() => {}, { interruptions: 1, session: 's1' }, 's0');
    expect(able.jobs.map(({ session, prompt }) => ({ session, prompt }))).toEqual([
      { session: 's0', prompt: 'do it' },
      { session: 's1', prompt: 'do it' },
    ]);
    const unable = await setting(false);
    await unable.attempt(writes('one.txt'), {}, 's0');
    await unable.attempt(() => {}, { interruptions: 1 }, 's0');
    expect(unable.jobs[1]?.session).toBeUndefined();
    expect(unable.jobs[1]?.prompt).toContain('- one.txt (added)');
  });
});
