/**
 * Killed anywhere, a run reaches the same end state and repeats nothing that was finished. `npm test` takes a
 * sample of the places; FORGE_CRASH=full (`npm run test:crash`) takes every append, before and after it and inside its line, and random kills.
 */
import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { expected } from '../proof/scenario.ts';
import { type Death, type EndState, runToEnd } from './kill.ts';

const full = process.env['FORGE_CRASH'] === 'full';
const manners = ['before', 'torn', 'after'] as const;
/** After every append. Before one is inside the effect that ends with it; a torn line is found alike wherever it is. */
const every = { after: 1, before: 3, torn: 14 } as const;

let calm: { end: EndState; appends: number };

beforeAll(async () => {
  const { end, facts } = await runToEnd([]);
  calm = { end, appends: facts.length };
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
    const deaths = pickDeaths();
    await eachInParallel(deaths, async (death) => {
      const { end } = await runToEnd([death]);
      expect({ death, end }).toEqual({ death, end: sameAs(end) });
    });
  });

  it('reaches the same end when killed again and again at random', { timeout: 3_600_000 }, async () => {
    const random = seeded(20_261_115);
    const runs = Array.from({ length: full ? 20 : 1 }, () =>
      Array.from({ length: full ? 14 : 4 }, () => ({ afterMs: 150 + Math.floor(random() * 1800) })),
    );
    let kills = 0;
    await eachInParallel(runs, async (deaths) => {
      const result = await runToEnd(deaths);
      kills += result.kills;
      expect({ deaths, end: result.end }).toEqual({ deaths, end: sameAs(result.end) });
    });
    if (full) console.log(`killed ${kills} processes at random`);
    expect(kills).toBeGreaterThan(full ? 150 : 1);
  });
});

/** Commit ids carry times, so they differ; everything a person can see does not. */
function sameAs(end: EndState): EndState {
  return { ...calm.end, user: end.user.status === '' && end.user.branch === 'main' ? end.user : calm.end.user };
}

function pickDeaths(): readonly NonNullable<Death>[] {
  const all = Array.from({ length: calm.appends }, (_, index) => index + 1).flatMap((seq) =>
    manners.filter((at) => seq % every[at] === 0).map((at) => ({ at, seq })),
  );
  if (full) return all;
  const step = Math.ceil(all.length / 5);
  return all.filter((_, index) => index % step === 1);
}

async function eachInParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
