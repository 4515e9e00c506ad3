/** One piece of work through whatever its agents' providers do: who does it, in which session, at what cost. */
import { describe, expect, it } from 'vitest';
import type { AgentJob } from '../../src/agents/agent.ts';
import type { ConfiguredAgent } from '../../src/agents/open-agent.ts';
import { AccountGates } from '../../src/effects/account-gates.ts';
import { type DispatchDeps, dispatchAgent, type EarlierTurn } from '../../src/effects/dispatch-agent.ts';
import { openMetering } from '../../src/effects/metering.ts';
import { RunBudget } from '../../src/effects/run-budget.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { FileArtifacts } from '../../src/engine/files/file-artifacts.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { takeSnapshot } from '../../src/engine/run-snapshot.ts';
import { emptyState } from '../../src/engine/run-state.ts';
import { ForgeError } from '../../src/errors.ts';
import type { AgentOutcome } from '../../src/policy/agent-outcome.ts';
import type { PastWork } from '../../src/policy/forecast.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import type { UsageWindow } from '../../src/policy/usage-threshold.ts';

const usage = { inputTokens: 100, outputTokens: 10, costUsd: 0.01, turns: 1 };
const replied: AgentOutcome = { status: 'replied', reply: {}, usage, durationMs: 60_000, session: 'done' };
const trouble = (code: string, retryAfterMs?: number): AgentOutcome => ({
  status: 'trouble',
  trouble: { code, message: `${code}!`, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  usage,
  durationMs: 60_000,
  session: `session-${code}`,
});

interface Doing {
  readonly agent: string;
  readonly model: string | undefined;
  readonly session: EarlierTurn | undefined;
}

/** Agents of settings, each of whose jobs ends as its list says. */
function stage(
  settings: Readonly<Record<string, unknown>>,
  ends: Readonly<Record<string, readonly (AgentOutcome | Error)[]>>,
) {
  const parsed = settingsSchema.parse(settings);
  const done: Doing[] = [];
  const notes: string[] = [];
  const facts: Parameters<EffectContext['progress']>[0][] = [];
  const past: PastWork[] = [];
  const windows = new Map<string, readonly UsageWindow[]>();
  const left = new Map(Object.entries(ends).map(([name, list]) => [name, [...list]]));
  const agentOf = (name: string): ConfiguredAgent => ({
    driver: {
      name,
      canResume: true,
      run: async (_job, sink) => {
        const end = left.get(name)?.shift();
        if (end === undefined) throw new Error(`nothing is left for ${name}`);
        if (end instanceof Error) throw end;
        await sink.started({ pid: 1, startTime: '', bootId: '', host: '' });
        return end;
      },
    },
    network: 'on',
    counted: true,
    ownHome: true,
    account: name,
    metered: undefined,
    next: undefined,
  });
  const accounts = new Map<string, readonly (string | undefined)[]>();
  const deps: DispatchDeps = {
    settings: parsed,
    env: {},
    agent: async (name, account = name) => {
      if (account.startsWith('absent'))
        throw new ForgeError('agent-unavailable', `${account} has no key`, { hint: '' });
      return agentOf(account);
    },
    accountsFor: async (name) => accounts.get(name) ?? [],
    gates: new AccountGates(),
    budget: new RunBudget(parsed),
    metering: { ...openMetering(), windows: (account) => windows.get(account) ?? [] },
    history: { past: () => [], add: (work) => past.push(work) },
  };
  const leave = new AbortController();
  const state = emptyState();
  const context = (more: Partial<EffectContext> = {}): EffectContext => ({
    run: { id: 'r', title: '', workflowVersion: 1, base: '', branch: undefined, root: '', input: {}, settings: {} },
    key: 'T1/develop#1',
    attempt: 1,
    earlier: { interruptions: 0, session: undefined },
    tryNumber: 1,
    snapshot: takeSnapshot(state, 'agent.run', {}),
    facts: async () => [],
    artifacts: new FileArtifacts(''),
    clock: systemClock,
    signal: leave.signal,
    progress(data) {
      facts.push(data);
      if (data.note !== undefined) notes.push(data.note);
      if (data.wait !== undefined) state.waits.set(data.wait.account, data.wait.until);
      if (data.budget !== undefined) state.budget.push(data.budget);
    },
    ...more,
  });
  const dispatch = (more: Partial<EffectContext> = {}, agent = 'first') =>
    dispatchAgent(
      deps,
      {
        role: 'developer',
        agent,
        task: undefined,
        attempt: 1,
        jobFor: async (_agent, name, before) => {
          done.push({ agent: name, model: undefined, session: before });
          return {} as AgentJob;
        },
        sink: { started: async () => {}, session: async () => {}, usage: () => {}, entry: () => {} },
      },
      context(more),
    );
  return { dispatch, done, notes, facts, past, windows, accounts, state, leave, deps };
}

const own = { driver: 'builtin', provider: 'anthropic', model: 'm' };
const chain = { agents: { first: { ...own, next: 'second' }, second: { ...own, next: 'first' } } };

describe('trouble', () => {
  it('that passes is waited out in the same session, and all of it is paid for', async () => {
    const at = stage(chain, { first: [trouble('server', 1), trouble('rate_limit', 1), replied] });
    const { outcome } = await at.dispatch();
    expect(outcome).toMatchObject({ status: 'replied', usage: { inputTokens: 300, turns: 3 } });
    expect(at.done.map(({ session }) => session)).toEqual([
      undefined,
      { session: 'session-server' },
      { session: 'session-rate_limit' },
    ]);
    expect(at.notes).toEqual([
      'first: server (server!); again in 1 s',
      expect.stringMatching(/^first: rate_limit \(rate_limit!\); waiting until 20/),
      ...(at.notes.length > 2 ? [expect.stringMatching(/^waiting for the limit of first until 20/)] : []),
    ]);
    const paid = at.state.budget.flatMap((entry) => (entry.type === 'settled' ? [entry.amount.tokens] : []));
    expect(paid).toEqual([110, 110, 110]);
  });

  it('that does not pass hands over, without the session, and ends where everybody had a turn', async () => {
    const at = stage(chain, { first: [trouble('authentication')], second: [trouble('authentication')] });
    await expect(at.dispatch()).rejects.toMatchObject({
      code: 'agent-unavailable',
      message: 'authentication: authentication!',
      hint: expect.stringContaining('Log in to second again'),
    });
    expect(at.done.map(({ agent, session }) => [agent, session])).toEqual([
      ['first', undefined],
      ['second', { session: undefined }],
    ]);
    expect(at.notes).toEqual([
      'first: authentication (authentication!); second takes over',
      'second: authentication (authentication!); stopped',
    ]);
  });

  const gaps = {
    agents: {
      first: { ...own, next: 'absent' },
      absent: { ...own, next: 'uninstalled' },
      uninstalled: { ...own, next: 'second' },
      second: own,
    },
  };
  const noProgram = new ForgeError('program-missing', 'no program to run', { hint: '' });

  it.each([
    ['authentication', { session: undefined }],
    ['refusal', { session: undefined }],
  ])('that hands over passes over who is not there, and notes it: %s', async (code, session) => {
    const at = stage(gaps, { first: [trouble(code)], uninstalled: [noProgram], second: [replied] });
    expect(await at.dispatch()).toMatchObject({ outcome: { status: 'replied' }, route: { agent: 'second' } });
    expect(at.done.at(-1)).toMatchObject({ agent: 'second', session });
    expect(at.notes).toEqual([
      `first: ${code} (${code}!); absent takes over`,
      'absent cannot take over: absent has no key',
      `first: ${code} (${code}!); uninstalled takes over`,
      'uninstalled cannot take over: no program to run',
      `first: ${code} (${code}!); second takes over`,
    ]);
    // Who never started has used nothing.
    const paid = at.state.budget.flatMap((entry) => (entry.type === 'settled' ? [entry.amount.tokens] : []));
    expect(paid).toEqual([110, undefined, 110]);
  });

  it('that nobody can take over stands, and names who is not there', async () => {
    const { second: _left, ...rest } = gaps.agents;
    const uninstalled = { ...own };
    const at = stage({ agents: { ...rest, uninstalled } }, { first: [trouble('billing')], uninstalled: [noProgram] });
    await expect(at.dispatch()).rejects.toMatchObject({
      code: 'agent-unavailable',
      message: 'billing: billing!',
      hint: 'The account of first has nothing left to spend. Top it up or name another agent, then resume the run. Could not take over: absent (absent has no key); uninstalled (no program to run).',
    });
  });

  it('is not made up for by others where the agent that was asked for is not there', async () => {
    const at = stage(gaps, { first: [noProgram] });
    await expect(at.dispatch()).rejects.toThrow('no program to run');
    const gone = stage(gaps, { first: [trouble('server', 1), noProgram] });
    await expect(gone.dispatch()).rejects.toThrow('no program to run');
  });

  it('of the work itself is an outcome', async () => {
    const alone = { agents: { first: own } };
    const at = stage(alone, { first: [trouble('refusal')] });
    const { outcome } = await at.dispatch();
    expect(outcome).toMatchObject({ status: 'trouble', trouble: { code: 'refusal' } });
    const bare = { ...trouble('unknown'), trouble: { code: 'unknown', message: 'it went wrong' } } as const;
    expect((await stage(alone, { first: [bare] }).dispatch()).outcome).toMatchObject({
      trouble: {
        message:
          'it went wrong. The agent first reported an error that Forge does not recognize. The log shows its message.',
      },
    });
  });

  it('goes one tier up in the same session, and to another model in a fresh one', async () => {
    const tiers = { standard: 'mid', heavy: 'large' };
    const at = stage(
      { agents: { first: { ...own, tiers } } },
      { first: [trouble('prompt_too_long'), replied, trouble('refusal'), replied] },
    );
    expect((await at.dispatch()).route).toMatchObject({ tier: 'heavy', model: 'large' });
    expect((await at.dispatch({ attempt: 2 })).route).toMatchObject({ model: 'large' });
    expect(at.done.map(({ session }) => session)).toEqual([
      undefined,
      { session: 'session-prompt_too_long' },
      undefined,
      { session: undefined },
    ]);
  });
});

describe('a limit that is waited for', () => {
  it('is interrupted at once, and a later process waits on', async () => {
    const at = stage({ agents: { first: own } }, { first: [trouble('rate_limit', 300_000), replied] });
    const waiting = at.dispatch();
    await expect.poll(() => at.state.waits.get('first')).toBeDefined();
    at.leave.abort(new Error('paused'));
    await expect(waiting).rejects.toThrow('paused');
    const next = new AbortController();
    const gates = new AccountGates();
    const context = () => ({
      clock: systemClock,
      snapshot: takeSnapshot(at.state, 'agent.run', {}),
      signal: next.signal,
    });
    const told: string[] = [];
    const passing = gates.pass('first', { ...context(), progress: ({ note }) => void told.push(note ?? '') });
    await expect.poll(() => told).toEqual([`waiting for the limit of first until ${at.state.waits.get('first')}`]);
    next.abort(new Error('left'));
    await expect(passing).rejects.toThrow('left');
    // One that ends far away may have been mended meanwhile: the provider is asked again.
    at.state.waits.set('first', new Date(Date.now() + 3_600_000).toISOString());
    await gates.pass('first', { ...context(), signal: new AbortController().signal, progress: () => {} });
  });
});

describe('before the wall', () => {
  const full: readonly UsageWindow[] = [{ window: '5h', used: 95 }];

  it('hands new work over, and comes back to the first where all are near theirs', async () => {
    const at = stage(chain, { first: [replied, replied], second: [replied, replied] });
    at.windows.set('first', full);
    expect((await at.dispatch()).route.agent).toBe('second');
    // What goes the same way is no news.
    expect((await at.dispatch({ attempt: 2 })).route.agent).toBe('second');
    expect(at.notes).toEqual(['first has used 95 % of 5h: second takes over']);
    at.windows.set('second', full);
    expect((await at.dispatch({ attempt: 3 })).route.agent).toBe('first');
  });

  it('passes over who is not there', async () => {
    const agents = {
      first: { ...own, next: 'absent' },
      absent: { ...own, next: 'uninstalled' },
      uninstalled: { ...own, next: 'second' },
      second: own,
    };
    const uninstalled = [new ForgeError('program-missing', 'no program to run', { hint: '' })];
    const at = stage({ agents }, { uninstalled, second: [replied] });
    at.windows.set('first', full);
    expect((await at.dispatch()).route.agent).toBe('second');
    expect(at.notes).toEqual([
      'absent cannot take over: absent has no key',
      'first has used 95 % of 5h: uninstalled takes over',
      'uninstalled cannot take over: no program to run',
      'first has used 95 % of 5h: second takes over',
    ]);
  });
});

describe('several accounts', () => {
  const soon = (ms: number) => Date.now() + ms;

  it('hand over at the threshold, to the next in order that is free', async () => {
    const at = stage({ agents: { first: own } }, { work: [replied], home: [replied] });
    at.accounts.set('first', ['work', 'absent', 'full', 'home']);
    at.windows.set('work', [{ window: '5h', used: 92, resetsAt: soon(60_000) }]);
    at.windows.set('full', [{ window: '7d', used: 99, resetsAt: soon(60_000) }]);
    expect((await at.dispatch()).route.agent).toBe('first');
    expect(at.notes).toEqual([
      'first (account absent) cannot take over: absent has no key',
      'first (account work) has used 92 % of 5h: first (account home) takes over',
    ]);
    // Its window is over: back to the one in use.
    at.windows.set('work', [{ window: '5h', used: 92, resetsAt: soon(-1) }]);
    await at.dispatch({ attempt: 2 });
    expect(at.notes).toHaveLength(2);
  });

  it('hand over after a limit in the middle of work, before another agent does', async () => {
    const at = stage(chain, { work: [trouble('rate_limit', 3_600_000)], home: [replied], second: [] });
    at.accounts.set('first', ['work', 'home']);
    const { outcome, route } = await at.dispatch();
    expect([outcome.status, route.agent]).toEqual(['replied', 'first']);
    expect(at.done.map(({ session }) => session)).toEqual([undefined, { session: undefined }]);
    expect(at.notes).toEqual(['first (account work): rate_limit (rate_limit!); first (account home) takes over']);
    // New work does not begin on the closed one either.
    expect(
      at.deps.gates.closedUntil('work', { clock: systemClock, snapshot: takeSnapshot(at.state, 'agent.run', {}) }),
    ).toBeGreaterThan(Date.now());
  });

  it('are waited for when all are full, and one that is added meanwhile is used at once', async () => {
    const at = stage({ agents: { first: own } }, { work: [replied], added: [replied] });
    at.accounts.set('first', ['work']);
    at.windows.set('work', [{ window: '5h', used: 100, resetsAt: soon(3_600_000) }]);
    const working = at.dispatch();
    await expect.poll(() => at.state.waits.get('work')).toBeDefined();
    expect(at.notes).toEqual([
      expect.stringMatching(
        /^first \(account work\) has used 100 % of 5h, and nobody else can take over: waiting until 20/,
      ),
    ]);
    at.accounts.set('first', ['work', 'added']);
    expect((await working).outcome.status).toBe('replied');
    expect(at.notes.at(-1)).toBe('first (account work) has used 100 % of 5h: first (account added) takes over');
  }, 30_000);

  it('do not help where no account is to blame', async () => {
    const at = stage(chain, { work: [trouble('model_not_found')] });
    at.accounts.set('first', ['work', 'home']);
    await expect(at.dispatch()).rejects.toThrow('model_not_found');
  });

  it('go on with another one when a key is not valid any more', async () => {
    const at = stage(chain, { work: [trouble('authentication')], home: [replied] });
    at.accounts.set('first', ['work', 'home']);
    expect((await at.dispatch()).outcome.status).toBe('replied');
  });
});

describe('what is counted', () => {
  it('is nothing for work that never started, and everything where nobody can tell', async () => {
    const at = stage({ agents: { first: own } }, { first: [new Error('never started')] });
    await expect(at.dispatch()).rejects.toThrow('never started');
    expect(at.state.budget.at(-1)).toEqual({ type: 'settled', id: 'T1/develop#1@1.1.1', amount: {} });
  });

  it('is history only where there was a result', async () => {
    const at = stage(chain, { first: [trouble('server', 1), replied] });
    await at.dispatch();
    expect(at.past).toEqual([{ role: 'developer', tier: 'standard', model: 'm', usage, durationMs: 60_000 }]);
  });

  it('is told apart when a task is tried again', async () => {
    const at = stage({ agents: { first: own } }, { first: [replied, replied] });
    await at.dispatch();
    await at.dispatch({ tryNumber: 2 });
    expect(at.state.budget.flatMap((entry) => (entry.type === 'reserved' ? [entry.id] : []))).toEqual([
      'T1/develop#1@1.1.1',
      'T1/develop#1@2.1.1',
    ]);
  });
});
