/**
 * Killed anywhere, a run reaches the same end state and repeats nothing that was finished: with parallel tasks, a
 * conflict, a question, and at random times too.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { expected } from '../proof/scenario.ts';
import { type End, everything } from './everything.ts';
import { runToEnd, type Standing } from './kill.ts';
import { eachInParallel, everywhere, killEverywhere, thorough } from './matrix.ts';

let calm: { end: Standing<End>; facts: readonly Fact[] };

beforeAll(async () => {
  calm = await runToEnd(everything, { places: [] });
});

describe('a run that is killed', () => {
  it('ends as expected when nothing kills it', () => {
    expect(calm.end).toEqual({
      status: 'done',
      output: expected.outcomes,
      files: expected.files,
      shared: "export const names = ['b', 'c'];",
      history: ['Make T1', 'Make T2', 'Make T3', 'Make T4', 'first'],
      repeated: [],
      captured: ['try 1', 'try 2', 'try 3'],
      user: { head: calm.end.user.head, status: '', branch: 'main' },
      processes: [],
    });
  });

  it('reaches the same end when killed around an append', { timeout: 3_600_000 }, async () => {
    const matrix = { subject: everything, density: { before: 3, torn: 14 }, sampleRuns: 7, judge };
    const { chosen, kills } = await killEverywhere(calm.facts, matrix);
    expect(kills).toBeGreaterThanOrEqual(thorough ? chosen : 2);
  });

  it.runIf(thorough)('reaches the same end when killed again and again at random', { timeout: 3_600_000 }, async () => {
    const random = seeded(20_261_115);
    const runs = Array.from({ length: everywhere ? 20 : 6 }, () =>
      Array.from({ length: 14 }, () => 150 + Math.floor(random() * 1800)),
    );
    let kills = 0;
    await eachInParallel(runs, async (afterMs) => {
      const result = await runToEnd(everything, { afterMs });
      kills += result.kills;
      judge(result.end, afterMs);
    });
    console.log(`killed ${kills} processes at random`);
    expect(kills).toBeGreaterThan(7 * runs.length);
  });
});

/** Commit ids carry times, so they differ; everything a person can see does not. */
function judge(end: Standing<End>, deaths: unknown): void {
  expect({ deaths, end }).toEqual({ deaths, end: { ...calm.end, user: { ...calm.end.user, head: end.user.head } } });
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
