/** Every code with every history that changes the answer, and that a dispatch always ends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterTrouble,
  type Alternatives,
  type PastTrouble,
  type TroubleAction,
  type TroubleLimits,
  type TroubleQuestion,
  troubleLimits,
} from '../../src/policy/after-trouble.ts';
import { troubleCodes } from '../../src/policy/trouble.ts';

const now = 1_000_000;
const nobody: Alternatives = { agents: [] };
const somebody: Alternatives = { tierUp: 'heavy', otherModel: 'big', agents: ['first', 'second'] };

function ask(code: string, rest: Partial<TroubleQuestion> & { retryAfterMs?: number } = {}): TroubleAction {
  const { retryAfterMs, ...question } = rest;
  const trouble = { code, message: '', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return afterTrouble({ trouble, history: [], agent: 'first', now, jitter: 0, alternatives: nobody, ...question });
}

function past(code: string, action: TroubleAction['action'], count = 1, agent = 'first'): PastTrouble[] {
  return Array.from({ length: count }, () => ({ agent, code, action }));
}

const retry = (delayMs: number) => ({ action: 'retry', delayMs });
const toSecond = { action: 'handoff', agent: 'second' };
const stop = { action: 'stop' };

describe('trouble that passes', () => {
  it.each([
    ['overloaded', [2000, 4000, 8000]],
    ['server', [2000, 4000, 8000]],
    ['network', [2000, 3000, 3000]],
    ['stream_cut', [2000, 4000, 8000]],
    ['rate_limit', [2000, 4000, 8000]],
  ])('%s is tried again, later and later, three times', (code, delays) => {
    expect(delays.map((_, done) => ask(code, { history: past(code, 'retry', done) }))).toEqual(delays.map(retry));
  });

  it.each(['overloaded', 'server', 'network', 'stream_cut'])(
    '%s that stays goes to the next agent, or to a person',
    (code) => {
      const history = past(code, 'retry', 3);
      expect(ask(code, { history, alternatives: somebody })).toEqual(toSecond);
      expect(ask(code, { history })).toMatchObject(stop);
    },
  );

  it('counts retries of whatever kind together, and each agent by itself', () => {
    const history = [...past('server', 'retry', 2), ...past('network', 'retry')];
    expect(ask('stream_cut', { history })).toMatchObject(stop);
    expect(ask('stream_cut', { history, agent: 'second' })).toEqual(retry(2000));
  });

  it('keeps to what the provider says, and takes a long one for a wait', () => {
    expect(ask('server', { retryAfterMs: 50 })).toEqual(retry(50));
    expect(ask('overloaded', { retryAfterMs: 20_000 })).toEqual(retry(20_000));
    expect(ask('overloaded', { retryAfterMs: 90_000 })).toEqual({ action: 'wait', until: now + 90_000 });
  });

  it('spreads by jitter: earlier than its own delay, later than a stated one', () => {
    expect(ask('server', { jitter: 0.5 })).toEqual(retry(1500));
    expect(ask('server', { jitter: 0.5, retryAfterMs: 1000 })).toEqual(retry(1050));
    expect(ask('rate_limit', { jitter: 0.5, retryAfterMs: 100_000 })).toEqual({ action: 'wait', until: now + 102_500 });
  });
});

describe('a rate limit', () => {
  it('with a reset is waited for', () => {
    expect(ask('rate_limit', { retryAfterMs: 1234 })).toEqual({ action: 'wait', until: now + 1234 });
    expect(ask('rate_limit', { retryAfterMs: 5 * 3_600_000 })).toEqual({ action: 'wait', until: now + 18_000_000 });
  });

  it('with a far reset is left to another agent, a near one is not', () => {
    expect(ask('rate_limit', { retryAfterMs: 18_000_000, alternatives: somebody })).toEqual(toSecond);
    expect(ask('rate_limit', { retryAfterMs: 60_000, alternatives: somebody })).toMatchObject({ action: 'wait' });
  });

  it('is not waited for beyond all measure', () => {
    expect(ask('rate_limit', { retryAfterMs: 9 * 86_400_000 })).toMatchObject(stop);
    expect(ask('rate_limit', { retryAfterMs: 1000, history: past('rate_limit', 'wait', 5) })).toMatchObject(stop);
  });

  it('without a reset is waited out, longer each time, when retries did not help and nobody takes over', () => {
    const retried = past('rate_limit', 'retry', 3);
    const waits = [0, 1, 2, 3, 4].map((done) =>
      ask('rate_limit', { history: [...retried, ...past('rate_limit', 'wait', done)] }),
    );
    expect(waits).toEqual(
      [60_000, 300_000, 1_500_000, 3_600_000, 3_600_000].map((ms) => ({ action: 'wait', until: now + ms })),
    );
    expect(ask('rate_limit', { history: retried, alternatives: somebody })).toEqual(toSecond);
    expect(ask('rate_limit', { history: [...retried, ...past('rate_limit', 'wait', 5)] })).toMatchObject(stop);
  });
});

describe('trouble that does not pass', () => {
  it.each(['authentication', 'billing'])('%s goes to each further agent once', (code) => {
    const alternatives = { agents: ['first', 'second', 'third'] };
    expect(ask(code, { alternatives })).toEqual(toSecond);
    const history = past(code, 'handoff');
    expect(ask(code, { alternatives, history, agent: 'second' })).toEqual({ action: 'handoff', agent: 'third' });
    const both = [...history, ...past(code, 'handoff', 1, 'second')];
    expect(ask(code, { alternatives, history: both, agent: 'third' })).toMatchObject(stop);
    expect(ask(code)).toMatchObject(stop);
  });

  it('what is too long goes one tier up, once', () => {
    expect(ask('prompt_too_long', { alternatives: somebody })).toEqual({ action: 'tier-up', tier: 'heavy' });
    const history = past('prompt_too_long', 'tier-up');
    expect(ask('prompt_too_long', { alternatives: { ...somebody, tierUp: 'max' }, history })).toMatchObject(stop);
    expect(ask('prompt_too_long', { alternatives: { agents: ['second'] } })).toMatchObject(stop);
  });

  it('a refusal goes to another model once, or to another agent once', () => {
    expect(ask('refusal', { alternatives: somebody })).toEqual({ action: 'other-model', model: 'big' });
    expect(ask('refusal', { alternatives: somebody, history: past('refusal', 'other-model') })).toMatchObject(stop);
    expect(ask('refusal', { alternatives: { agents: ['second'] } })).toEqual(toSecond);
    const history = past('refusal', 'handoff');
    expect(ask('refusal', { alternatives: somebody, history, agent: 'second' })).toMatchObject(stop);
  });

  it.each(['killed', 'hung'])('%s is tried once more', (code) => {
    expect(ask(code, { alternatives: somebody })).toEqual(retry(2000));
    expect(ask(code, { history: past(code, 'retry') })).toMatchObject(stop);
  });

  it('an agent that hangs again is replaced, one that is killed again is not', () => {
    expect(ask('hung', { history: past('hung', 'retry'), alternatives: somebody })).toEqual(toSecond);
    expect(ask('killed', { history: past('killed', 'retry'), alternatives: somebody })).toMatchObject(stop);
  });

  it.each(['model_not_found', 'limit_reached', 'tool_missing', 'unknown', 'script-exhausted', 'toString'])(
    '%s stops at once, whoever else there is',
    (code) => {
      expect(ask(code, { alternatives: somebody, retryAfterMs: 5 })).toMatchObject(stop);
    },
  );

  it('a script that is at its end is not called an unknown error', () => {
    expect(ask('script-exhausted')).toEqual({
      action: 'stop',
      hint: 'The script of first has no entry left for this work.',
    });
  });

  it.each(troubleCodes)('%s ends with a hint that names the agent or what to do', (code) => {
    const history = [...past(code, 'retry', 3), ...past(code, 'wait', 5)];
    const answer = ask(code, { history });
    expect(answer).toMatchObject(stop);
    const hint = answer.action === 'stop' ? answer.hint : '';
    expect(hint).toMatch(/[a-z].*\.$/);
    expect(hint).not.toContain('%');
  });
});

describe('whatever happens', () => {
  const code = fc.oneof(fc.constantFrom<string>(...troubleCodes), fc.string());
  const event = fc.record({
    code,
    retryAfterMs: fc.option(fc.oneof(fc.nat(100_000), fc.double({ min: 0, noNaN: true })), { nil: undefined }),
    jitter: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  const settings = fc.record({
    retries: fc.nat(5),
    waits: fc.nat(5),
    longestDelayMs: fc.nat(100_000),
    longestWaitMs: fc.nat(1_000_000),
    shortWaitMs: fc.nat(100_000),
  });

  it('a dispatch ends within its bound, and no delay is negative or too long', () => {
    fc.assert(
      fc.property(fc.infiniteStream(event), settings, fc.nat(3), (events, limits: TroubleLimits, others) => {
        const agents = Array.from({ length: others + 1 }, (_, place) => `agent-${place}`);
        const bound = agents.length * (Math.max(limits.retries, 2) + limits.retries + limits.waits + 3);
        const history: PastTrouble[] = [];
        let agent = 'agent-0';
        for (let step = 0; step <= bound; step++) {
          const next = events.next().value;
          if (next === undefined) throw new Error('the stream has an end');
          const { code: name, retryAfterMs, jitter } = next;
          const question = {
            trouble: { code: name, message: '', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
            history: [...history],
            agent,
            now,
            jitter,
            alternatives: { ...somebody, agents },
            limits,
          };
          const answer = afterTrouble(question);
          expect(afterTrouble(question)).toEqual(answer);
          if (answer.action === 'stop') return;
          if (answer.action === 'retry') {
            expect(answer.delayMs).toBeGreaterThanOrEqual(0);
            expect(answer.delayMs).toBeLessThanOrEqual(limits.longestDelayMs);
          }
          if (answer.action === 'wait') {
            expect(answer.until).toBeGreaterThanOrEqual(now);
            expect(answer.until).toBeLessThanOrEqual(now + Math.max(limits.longestWaitMs, 0) + 5001);
          }
          history.push({ agent, code: name, action: answer.action });
          if (answer.action === 'handoff') {
            expect(history.map((entry) => entry.agent)).not.toContain(answer.agent);
            agent = answer.agent;
          }
        }
        throw new Error(`no end after ${bound} troubles`);
      }),
    );
  });

  it('has limits of its own', () => {
    expect(troubleLimits).toEqual({
      retries: 3,
      waits: 5,
      longestDelayMs: 60_000,
      longestWaitMs: 691_200_000,
      shortWaitMs: 300_000,
    });
  });
});
