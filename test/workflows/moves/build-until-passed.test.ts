/** The loop that every workflow builds with, on a real engine: who is asked when, what ends it, and what cannot pass. */
import { describe, expect, it } from 'vitest';
import type { Bench } from '../../../src/engine/bench.ts';
import type { ProgressPolicy } from '../../../src/policy/progress.ts';
import { buildUntilPassed } from '../../../src/workflows/moves/build-until-passed.ts';
import { repeatUntilPassed, type RoundEnd } from '../../../src/workflows/moves/repeat-until-passed.ts';
import { verify } from '../../../src/workflows/moves/verify.ts';
import { base, commit, outputOf, play, red, report, scope, task } from './support.ts';

/** Plays rounds that leave these numbers; `x` is a round that the infrastructure broke. */
async function playRounds<E extends string>(left: readonly (number | 'x')[], policy: ProgressPolicy<E>) {
  const log: string[] = [];
  const ended = await play(
    (bench) =>
      repeatUntilPassed<number, string, string, E>(bench, {
        policy,
        start: 0,
        step: ({ round }) => ({ key: `round#${round}`, kind: 'round', title: `Round ${round}` }),
        round: async ({ round, isLast, standing }): Promise<RoundEnd<number, string, string>> => {
          log.push(`round ${round} at ${standing}${isLast ? ', the last' : ''}`);
          const remaining = left[round - 1];
          if (remaining === 'x') return { status: 'infrastructure', standing, reason: 'no network' };
          if (remaining === undefined || remaining === 0) return { status: 'passed', result: 'good' };
          return { status: 'red', standing: round, reason: `${remaining} left`, remaining };
        },
        fix: async ({ standing }, { round }) => {
          log.push(`fix ${round}`);
          return { status: 'again', standing: standing + 10 };
        },
        escalate: async ({ to, stalledAt, round, standing }) => {
          log.push(`${to} after round ${round}: ${stalledAt}`);
          return to === 'give-up'
            ? { status: 'over', result: 'gave up' }
            : { status: 'again', standing: standing + 100 };
        },
      }),
    {},
  );
  return { log, output: outputOf(ended) };
}

describe('rounds', () => {
  it('pass, and what a fix leaves is where the next one starts', async () => {
    expect(await playRounds([2, 1, 0], { rounds: 4 })).toEqual({
      log: ['round 1 at 0', 'fix 1', 'round 2 at 11', 'fix 2', 'round 3 at 12'],
      output: { status: 'passed', result: 'good', rounds: 3 },
    });
  });

  it('stop when they are used up, and nothing is fixed that nobody looks at', async () => {
    expect(await playRounds([3, 2, 1], { rounds: 2 })).toEqual({
      log: ['round 1 at 0', 'fix 1', 'round 2 at 11, the last'],
      output: { status: 'stalled', stalledAt: 'ceiling', standing: 2, reason: '2 left', rounds: 2 },
    });
  });

  it('change the strategy when nothing improves, once each', async () => {
    const policy = { rounds: 20, flatRounds: 1, escalations: ['replan', 'give-up'] } as const;
    expect(await playRounds([3, 3, 4, 4, 1], policy)).toEqual({
      log: [
        'round 1 at 0',
        'fix 1',
        'round 2 at 11',
        'replan after round 2: progress',
        'round 3 at 102',
        'fix 3',
        'round 4 at 13',
        'give-up after round 4: progress',
      ],
      output: { status: 'over', result: 'gave up', rounds: 4 },
    });
  });

  it('that the infrastructure broke are repeated once, without counting', async () => {
    expect((await playRounds(['x', 2, 'x', 0], { rounds: 2 })).output).toMatchObject({ status: 'passed', rounds: 4 });
    expect((await playRounds(['x', 'x', 0], { rounds: 5 })).output).toEqual({
      status: 'stalled',
      stalledAt: 'infrastructure',
      standing: 0,
      reason: 'no network',
      rounds: 2,
    });
  });
});

async function build(bench: Bench, review: 'honest' | 'lenient') {
  const request = { task: task('T1'), checks: { source: 'settings', entries: [] }, scope: scope(), base } as const;
  return buildUntilPassed(bench, {
    ...request,
    judge: base,
    policy: { rounds: 2 },
    start: 1,
    work: async ({ round }) => ({ status: 'worked', commit: commit(round), leftBehind: [], note: `round ${round}` }),
    check: async (asked, { round }) => ({ verified: await verify(bench, `T1/verify#${round}`, asked) }),
    review: async ({ checked: { verified }, at }) => {
      if (verified.status === 'passed' || review === 'lenient') return { status: 'passed' };
      return { status: 'red', standing: at.round + 1, reason: verified.reason };
    },
  });
}

const evidence = { findings: [], redGreen: [] };

describe('building', () => {
  it('checks the commit of each round and hands over the one that passed', async () => {
    const played = await play((bench) => build(bench, 'honest'), {
      'check.run': [red(), report()],
      'evidence.measure': [evidence],
    });
    expect(outputOf(played)).toMatchObject({
      status: 'passed',
      rounds: 2,
      result: { passed: { status: 'passed', commit: commit(2), base }, worked: { note: 'round 2' } },
    });
    expect(played.asked.map(({ key, input }) => [key, input['commit']])).toEqual([
      ['T1/verify#1/check', commit(1)],
      ['T1/verify#2/check', commit(2)],
      ['T1/verify#2/evidence', commit(2)],
    ]);
  });

  it('passes nothing that the engine did not verify', async () => {
    const played = await play((bench) => build(bench, 'lenient'), { 'check.run': [red()] });
    expect(played.end).toMatchObject({
      status: 'stopped',
      error: { message: 'T1: a review passed what the engine did not' },
    });
  });
});
