/**
 * Waves one after the other. A wave that has to wait for a person is parked and the next one that does not need it goes
 * on meanwhile; one whose dependencies were not done is skipped, with the reason. Outcomes come in the order of the
 * waves. Nothing of this must survive: on a replay the same questions park the same waves.
 * Invariants: there is an outcome for every wave, or this throws. What a wave throws is thrown from here, parked or not.
 * Between two steps it waits for something that is not over yet.
 */
import type { Bench, ScheduleOptions } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import { ForgeError } from '../../errors.ts';
import type { Task } from '../../plan/plan.ts';
import { replaceAsking } from '../replace-asking.ts';

/** `before` are the waves that are over when this one starts, in order. */
export type WaveWork = (bench: Bench, wave: Task, before: readonly TaskOutcome[]) => Promise<TaskOutcome>;

export async function runInOrder(
  bench: Bench,
  waves: readonly Task[],
  work: WaveWork,
  shown: Pick<ScheduleOptions, 'label' | 'parts'> = {},
): Promise<readonly TaskOutcome[]> {
  const known = new Set(waves.map(({ id }) => id));
  // A dependency that is not among the waves was met before, as in the scheduler.
  const needs = (wave: Task): readonly string[] => wave.depends.filter((id) => known.has(id));
  const over = new Map<string, TaskOutcome>();
  const running = new Map<string, Promise<void>>();
  const before = (): TaskOutcome[] => waves.flatMap(({ id }) => over.get(id) ?? []);
  const begin = async (wave: Task, lane: Bench): Promise<void> => {
    const [outcome] = await bench.schedule([{ ...wave, depends: [] }], { limit: 1, ...shown }, async () => {
      const missing = needs(wave)
        .map((id) => over.get(id))
        .find((one) => one?.status !== 'done');
      return missing === undefined ? work(lane, wave, before()) : skipped(wave, missing);
    });
    if (outcome === undefined) throw new Error(`the wave ${wave.id} ended without an outcome`);
    over.set(wave.id, outcome);
    running.delete(wave.id);
  };
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // It is waited for below, together with the rest; a wave may fail while nothing is.
  failed.catch(() => {});
  let left = [...waves];
  while (left.length > 0 || running.size > 0) {
    const next = left.find((wave) => needs(wave).every((id) => over.has(id)));
    if (next === undefined) {
      if (running.size === 0) throw stuck(left);
      await Promise.race([failed, ...running.values()]);
      continue;
    }
    left = left.filter((wave) => wave !== next);
    const parkedOrOver = new Promise<void>((resolve) => {
      running.set(next.id, begin(next, parking(bench, resolve)).then(resolve, fail));
    });
    await Promise.race([failed, parkedOrOver]);
  }
  return before();
}

function stuck(left: readonly Task[]): ForgeError {
  return new ForgeError('bad-plan', `These waves wait for each other: ${left.map(({ id }) => id).join(', ')}`, {
    hint: 'Remove one of the dependencies that close the cycle.',
  });
}

function skipped(wave: Task, missing: TaskOutcome): TaskOutcome {
  return { task: wave.id, status: 'skipped', reason: `depends on ${missing.task}, which is ${missing.status}` };
}

/** The bench as it is, but for telling when something is asked, answered before or not: so a replay parks alike. */
function parking(bench: Bench, parked: () => void): Bench {
  return replaceAsking(bench, (key, question) => {
    parked();
    return bench.ask(key, question);
  });
}
