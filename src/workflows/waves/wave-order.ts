/**
 * Waves one after the other. A wave that has to wait for a person is parked and the next one that does not need it goes
 * on meanwhile; one whose dependencies were not done is skipped, with the reason. Outcomes come in the order of the
 * waves. Nothing of this must survive: on a replay the same questions park the same waves.
 */
import type { Bench } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';

/** `before` are the waves that are over when this one starts, in order. */
export type WaveWork = (bench: Bench, wave: Task, before: readonly TaskOutcome[]) => Promise<TaskOutcome>;

export async function inOrder(bench: Bench, waves: readonly Task[], work: WaveWork): Promise<readonly TaskOutcome[]> {
  const over = new Map<string, TaskOutcome>();
  const running = new Map<string, Promise<void>>();
  const before = (): TaskOutcome[] => waves.flatMap(({ id }) => over.get(id) ?? []);
  const begin = async (wave: Task, lane: Bench): Promise<void> => {
    const [outcome] = await bench.schedule([{ ...wave, depends: [] }], { limit: 1 }, async () => {
      const missing = wave.depends.map((id) => over.get(id)).find((one) => one?.status !== 'done');
      return missing === undefined ? work(lane, wave, before()) : skipped(wave, missing);
    });
    if (outcome !== undefined) over.set(wave.id, outcome);
    running.delete(wave.id);
  };
  let left = [...waves];
  while (left.length > 0) {
    const next = left.find((wave) => wave.depends.every((id) => over.has(id)));
    if (next === undefined) {
      await Promise.race(running.values());
      continue;
    }
    left = left.filter((wave) => wave !== next);
    await new Promise<void>((resolve, reject) => {
      const task = begin(next, parking(bench, resolve)).then(resolve, reject);
      running.set(next.id, task);
    });
  }
  await Promise.all(running.values());
  return before();
}

function skipped(wave: Task, missing: TaskOutcome): TaskOutcome {
  return { task: wave.id, status: 'skipped', reason: `depends on ${missing.task}, which is ${missing.status}` };
}

/** The bench as it is, but for telling when something is asked, answered before or not: so a replay parks alike. */
function parking(bench: Bench, parked: () => void): Bench {
  return {
    run: bench.run,
    signal: bench.signal,
    perform: (kind, key, input) => bench.perform(kind, key, input),
    schedule: (tasks, options, work) => bench.schedule(tasks, options, work),
    exclusive: (name, work) => bench.exclusive(name, work),
    record: (key, type, data) => bench.record(key, type, data),
    ask: (key, question) => {
      parked();
      return bench.ask(key, question);
    },
  };
}
