/** Runs that went well as lines of memory, read back, and which of them tell something about a plan. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastPlan } from '../../src/policy/forecast.ts';
import { patternsOf, patternText, type RunPattern, readPattern, similarRuns } from '../../src/policy/run-pattern.ts';

const figure = fc.nat({ max: 999_999 });
const anyPattern: fc.Arbitrary<RunPattern> = fc.record({
  workflow: fc.constantFrom('modules', 'waves', './my/own.ts'),
  tasks: figure,
  depth: figure,
  files: figure,
  retries: figure,
  minutes: figure,
});
const run = (tasks: number, retries: number, minutes: number, workflow = 'modules'): RunPattern => ({
  workflow,
  tasks,
  depth: 1,
  files: tasks,
  retries,
  minutes,
});

describe('the line of a run', () => {
  it('reads back as it was', () => {
    expect(patternText(run(5, 1, 12))).toBe('modules: 5 tasks, 1 deep, 5 files, 1 retries, 12 min');
    fc.assert(
      fc.property(anyPattern, (pattern) => {
        expect(readPattern(patternText(pattern))).toEqual(pattern);
      }),
    );
  });

  it('is nothing to reckon with in other words, whatever they are', () => {
    for (const text of [
      '',
      'modules went well',
      'modules: 5 tasks',
      'modules: -5 tasks, 1 deep, 1 files, 0 retries, 1 min',
    ])
      expect(readPattern(text)).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readPattern(text)).toBeUndefined();
      }),
    );
  });
});

describe('runs like a plan', () => {
  it('are of its workflow and about its size, and at least three', () => {
    const known = [run(4, 0, 8), run(8, 4, 40), run(3, 3, 9), run(9, 1, 900), run(1, 1, 900), run(4, 1, 1, 'waves')];
    const plan = { workflow: 'modules', tasks: 4 };
    expect(similarRuns(known, plan)).toEqual({
      count: 3,
      minutes: { low: 8, likely: 12, high: 20 },
      retries: { low: 0, likely: 0.5, high: 1 },
    });
    expect(similarRuns(known.slice(1), plan)).toBeUndefined();
    expect(similarRuns([], plan)).toBeUndefined();
  });

  it('are in order and finite whatever memory holds, and a forecast with them too', () => {
    fc.assert(
      fc.property(fc.array(anyPattern), fc.nat({ max: 50 }), (patterns, tasks) => {
        const like = similarRuns(patterns, { workflow: 'modules', tasks });
        const often = { low: 0, likely: 0.3, high: 2 };
        const { minutes, tokens } = forecastPlan({
          dispatches: [{ role: 'debugger', tier: 'standard', times: often, onRetry: true }],
          history: [],
          like,
        });
        for (const { low, likely, high } of [minutes, tokens, ...(like === undefined ? [] : [like.retries])]) {
          expect([low, likely, high].every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
          expect(low <= likely && likely <= high).toBe(true);
        }
      }),
    );
  });

  it('do not depend on their order', () => {
    fc.assert(
      fc.property(fc.array(anyPattern), (patterns) => {
        const plan = { workflow: 'modules', tasks: 500_000 };
        expect(similarRuns(patterns.toReversed(), plan)).toEqual(similarRuns(patterns, plan));
      }),
    );
  });

  it('count every run, also those exactly alike, which memory keeps as one line', () => {
    const text = 'modules: 2 tasks, 1 deep, 2 files, 0 retries, 4 min';
    const like = (applied: number) => similarRuns(patternsOf([{ text, applied }]), { workflow: 'modules', tasks: 2 });
    expect([like(1), like(2)?.count, like(999_999_999)?.count]).toEqual([undefined, 3, 21]);
    expect(patternsOf([{ text: 'It went well.', applied: 7 }])).toEqual([]);
  });
});
