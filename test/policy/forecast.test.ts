/** Ranges from history and from rough figures, what is set aside, and what is said about it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allotmentFor,
  describeForecast,
  forecastPlan,
  type PastWork,
  planDispatches,
  type PlannedDispatch,
} from '../../src/policy/forecast.ts';

const developer: PlannedDispatch = { role: 'developer', tier: 'standard', model: 'claude-sonnet-4-6' };

function work(costUsd: number, rest: Partial<PastWork> = {}): PastWork {
  const usage = { inputTokens: costUsd * 1000, outputTokens: costUsd * 100, costUsd, turns: costUsd * 10 };
  return {
    role: 'developer',
    tier: 'standard',
    model: 'claude-sonnet-4-6',
    usage,
    durationMs: costUsd * 60_000,
    ...rest,
  };
}
const history = [1, 2, 3, 4, 100].map((cost) => work(cost));

describe('a forecast', () => {
  it('takes the fifths and the middle of earlier runs', () => {
    expect(forecastPlan({ dispatches: [developer], history })).toEqual({
      usd: { low: 1, likely: 3, high: 4 },
      tokens: { low: 1100, likely: 3300, high: 4400 },
      turns: { low: 10, likely: 30, high: 40 },
      minutes: { low: 1, likely: 3, high: 4 },
      runs: 0,
      guess: false,
      unknown: [],
    });
  });

  it('adds up, times how often', () => {
    const times = { low: 0, likely: 2, high: 3 };
    const { usd } = forecastPlan({ dispatches: [developer, { ...developer, times }], history });
    expect(usd).toEqual({ low: 1, likely: 9, high: 16 });
  });

  it('is a guess without history, and says of what', () => {
    const found = forecastPlan({ dispatches: [developer], history: [] });
    expect(found).toMatchObject({
      tokens: { low: 205_000, likely: 918_000, high: 3_050_000 },
      minutes: { low: 3, likely: 10, high: 30 },
      guess: true,
      unknown: ['how much a developer uses here'],
    });
    expect(found.usd.likely).toBeCloseTo(0.9 * (0.05 * 3 + 0.85 * 0.3 + 0.1 * 3.75) + 0.018 * 15, 6);
  });

  it('does not take many requests for one large one, which may cost more per token', () => {
    const likely = (model: string) => forecastPlan({ dispatches: [{ ...developer, model }], history: [] }).usd.likely;
    expect(likely('claude-sonnet-4-5')).toBeCloseTo(likely('claude-sonnet-4-6'), 6);
  });

  it('is still a guess with two earlier runs, but they count', () => {
    const { tokens, guess } = forecastPlan({ dispatches: [developer], history: history.slice(0, 2) });
    expect([guess, tokens.low]).toEqual([true, 1100]);
  });

  it('prefers the same model, then the same tier, then the role', () => {
    const others = [5, 6, 7].map((cost) => work(cost, { model: 'other', tier: 'heavy' }));
    const likely = (dispatch: PlannedDispatch, past: readonly PastWork[]) =>
      forecastPlan({ dispatches: [dispatch], history: past }).tokens.likely;
    expect(likely(developer, [...others, ...history])).toBe(3300);
    expect(likely({ ...developer, model: 'fresh', tier: 'heavy' }, [...others, ...history])).toBe(6600);
    expect(likely(developer, others)).toBe(6600);
    expect(likely({ ...developer, role: 'tester' }, others)).toBe(459_000);
  });

  it('reckons by the price of the model to come, and says when there is none', () => {
    const dear = forecastPlan({ dispatches: [{ ...developer, model: 'claude-opus-4-8' }], history });
    expect(dear.unknown).toEqual([]);
    expect(dear.usd.likely).toBeLessThan(1);
    const strange = forecastPlan({ dispatches: [{ ...developer, model: 'strange' }], history });
    expect(strange).toMatchObject({ usd: { likely: 3 }, unknown: ['what strange costs'] });
    const free = { strange: { input: 0, output: 0 } };
    const local = forecastPlan({ dispatches: [{ ...developer, model: 'strange' }], history, prices: free });
    expect(local).toMatchObject({ usd: { low: 0, likely: 0, high: 0 }, unknown: [] });
  });

  it('does not take a run that was not counted for one that used nothing', () => {
    const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };
    const uncounted = Array.from({ length: 9 }, () => work(1, { usage }));
    expect(forecastPlan({ dispatches: [developer], history: uncounted })).toEqual(
      forecastPlan({ dispatches: [developer], history: [] }),
    );
  });

  it('is of elapsed time: the longest chain, or all of it shared', () => {
    const dispatches = ['a', 'b', 'c', 'd'].map((task) => ({ ...developer, task }));
    const minutes = (depends: Record<string, string[]>, parallel: number) =>
      forecastPlan({
        dispatches: [...dispatches, developer],
        history,
        tasks: ['a', 'b', 'c', 'd'].map((id) => ({ id, depends: depends[id] ?? [] })),
        parallel,
      }).minutes.likely;
    expect(minutes({}, 1)).toBe(15);
    expect(minutes({}, 2)).toBe(9);
    expect(minutes({}, 9)).toBe(6);
    expect(minutes({ b: ['a'], c: ['b'] }, 9)).toBe(12);
  });

  it('is made of the dispatches of a plan', () => {
    const tasks = [
      { id: 'T1', complexity: 'S' as const },
      { id: 'T2', complexity: 'M' as const, expectedMinutes: 1000 },
    ];
    const times = { low: 1, likely: 1, high: 3 };
    const found = planDispatches({
      tasks,
      perTask: [{ role: 'developer', times }],
      once: [{ role: 'learner' }],
      route: (role) => (role === 'learner' ? { tier: 'light' } : { tier: 'standard', model: 'm' }),
    });
    expect(found).toEqual([
      { role: 'developer', times, tier: 'standard', model: 'm', task: 'T1', size: 0.5 },
      { role: 'developer', times, tier: 'standard', model: 'm', task: 'T2', size: 6 },
      { role: 'learner', tier: 'light' },
    ]);
  });

  it('takes time and retries from runs like it, and no more retries than there may be', () => {
    const often = { times: { low: 0, likely: 0.3, high: 2 }, onRetry: true };
    const like = {
      count: 4,
      minutes: { low: 5, likely: 6, high: 9 },
      retries: { low: 0.5, likely: 1, high: 7 },
    };
    const found = forecastPlan({ dispatches: [developer, { ...developer, ...often }], history, like });
    expect(found).toMatchObject({
      usd: { low: 1.5, likely: 6, high: 12 },
      minutes: { low: 5, likely: 6, high: 9 },
      runs: 4,
    });
    expect(describeForecast(found)).toContain('6 (5 to 9) minutes (from earlier runs here; time as in 4 runs like it)');
  });

  it('is told in a sentence', () => {
    expect(describeForecast(forecastPlan({ dispatches: [developer], history }))).toBe(
      'about $3.00 ($1.00 to $4.00), 3k (1k to 4k) tokens, 3 (1 to 4) minutes (from earlier runs here)',
    );
    expect(describeForecast(forecastPlan({ dispatches: [{ role: 'learner', tier: 'light' }], history: [] }))).toContain(
      "(a guess, there is little history here; unknown: how much a learner uses here, what the agent's own model costs)",
    );
  });
});

describe('an allotment', () => {
  it('covers most earlier runs, not the worst', () => {
    expect(allotmentFor(developer, { history })).toEqual({
      want: { usd: 5, tokens: 5500, turns: 50, minutes: 5 },
      min: { usd: 1, tokens: 1100, turns: 10, minutes: 1 },
      guess: false,
      priced: true,
      unknown: [],
    });
  });

  it('is twice what is likely where little is known', () => {
    expect(allotmentFor({ role: 'overseer', tier: 'light' }, { history: [] })).toMatchObject({
      want: { tokens: 124_000, turns: 10, minutes: 2 },
      guess: true,
    });
  });
});

it('a range is in order and finite, whatever was before', () => {
  const count = fc.double({ min: 0, max: 1e9, noNaN: true });
  const past = fc.record({
    role: fc.constantFrom('developer', 'tester'),
    tier: fc.constantFrom('light', 'standard'),
    model: fc.constantFrom('claude-sonnet-4-6', 'strange'),
    usage: fc.record({ inputTokens: count, outputTokens: count, costUsd: count, turns: count }),
    durationMs: count,
  });
  const planned = fc.record({
    role: fc.constantFrom('developer', 'tester', 'nobody'),
    tier: fc.constantFrom('light' as const, 'standard' as const),
    model: fc.constantFrom('claude-sonnet-4-6', 'strange', undefined),
    size: fc.double({ min: 0.25, max: 6, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(past), fc.array(planned, { maxLength: 5 }), (before, dispatches) => {
      const found = forecastPlan({ dispatches, history: before });
      for (const { low, likely, high } of [found.usd, found.tokens, found.turns, found.minutes]) {
        expect(low).toBeGreaterThanOrEqual(0);
        expect(likely).toBeGreaterThanOrEqual(low);
        expect(high).toBeGreaterThanOrEqual(likely);
        expect(Number.isFinite(high)).toBe(true);
      }
      for (const dispatch of dispatches) {
        const { want, min } = allotmentFor(dispatch, { history: before });
        for (const measure of ['usd', 'tokens', 'turns', 'minutes'] as const) {
          expect(min[measure] ?? 0).toBeLessThanOrEqual(want[measure] ?? 0);
        }
      }
    }),
  );
});
