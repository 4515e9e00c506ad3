/**
 * Every place where a run can be killed, in few runs: each run is killed at several places far apart, one after the
 * other, so that a place costs little more than the way to the next. A place that such a run did not meet (tasks at
 * the same time do not always take turns alike) gets a run of its own, by its number.
 * `npm test` takes one such run, and more only if fewer than two processes died in it. FORGE_CRASH=sample
 * (`npm run test:crash`) takes a sample that is the same each time, and FORGE_CRASH=everywhere leaves out no place.
 */
import { availableParallelism } from 'node:os';
import type { Fact } from '../../src/engine/facts.ts';
import { type Death, placeOf } from '../proof/place.ts';
import { runToEnd, type Standing, type Subject } from './kill.ts';

export const everywhere = process.env['FORGE_CRASH'] === 'everywhere';
const sampled = process.env['FORGE_CRASH'] === 'sample';
/** More than the look that `npm test` takes. */
export const thorough = everywhere || sampled;

const manners = ['before', 'torn', 'after'] as const;
const killsPerRun = 10;

/** Every how many appends a manner is tried: after every one; before one is inside the effect that ends with it; a torn line is found alike wherever it is. */
export interface Density {
  readonly before: number;
  readonly torn: number;
}

export interface Matrix<End> {
  readonly subject: Subject<End>;
  readonly density: Density;
  /** How many runs a sample takes. Each is killed at places all over the run. */
  readonly sampleRuns: number;
  /** Called with every end; throws when it is not as it must be. */
  readonly judge: (end: Standing<End>, deaths: unknown) => void;
}

/** Returns how many places were chosen, and how many processes died. */
export async function killEverywhere<End>(
  facts: readonly Fact[],
  { subject, density, judge, sampleRuns }: Matrix<End>,
) {
  const places = facts.flatMap((fact, index) =>
    manners
      .filter((at) => at === 'after' || (index + 1) % density[at] === 0)
      .map((at) => ({ at, place: placeOf(fact), seq: index + 1 })),
  );
  const runs = Math.ceil(places.length / killsPerRun);
  const chains = Array.from({ length: runs }, (_, run) => places.filter((_place, index) => index % runs === run));
  let kills = 0;
  const take = async (deaths: readonly Death[]): Promise<readonly Death[]> => {
    const ended = await runToEnd(subject, { places: deaths });
    kills += ended.kills;
    judge(ended.end, deaths);
    return ended.unmet;
  };
  const missed: { at: Death['at']; seq: number }[] = [];
  const chosen = everywhere ? chains : sampled ? chains.slice(-sampleRuns) : [quickLook(chains)];
  await eachInParallel(chosen, async (chain) => {
    const unmet = await take(chain.map(({ at, place }) => ({ at, place })));
    missed.push(...chain.filter((one) => unmet.some((death) => isAt(death, one))).map(({ at, seq }) => ({ at, seq })));
  });
  await eachInParallel(thorough || kills < 2 ? missed : [], async (death) => {
    await take([death]);
  });
  if (thorough) console.log(`killed ${kills} processes at ${chosen.flat().length} of ${places.length} places`);
  return { chosen: chosen.flat().length, kills };
}

/** Every second place of one run: each costs a process that starts and replays. */
function quickLook<Place>(chains: readonly (readonly Place[])[]): readonly Place[] {
  return (chains.at(-1) ?? []).filter((_place, index) => index % 2 === 1);
}

function isAt(death: Death, { at, place }: { at: Death['at']; place: string }): boolean {
  return death.at === at && 'place' in death && death.place === place;
}

/** All of them, whatever comes of one; then the first that failed is thrown. */
export async function eachInParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
  if (failures.length > 1) console.log(`${failures.length} of ${items.length} failed; the first:`);
  if (failures.length > 0) throw failures[0];
}
