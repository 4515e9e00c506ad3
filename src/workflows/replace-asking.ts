/** A bench that asks its questions in another way and is otherwise the bench it is made from. Pure. */
import type { Bench } from '../engine/bench.ts';

export function replaceAsking(bench: Bench, ask: Bench['ask']): Bench {
  return {
    run: bench.run,
    signal: bench.signal,
    perform: (kind, key, input) => bench.perform(kind, key, input),
    step: (key, start, work) => bench.step(key, start, work),
    announce: (key, steps) => bench.announce(key, steps),
    schedule: (tasks, options, work) => bench.schedule(tasks, options, work),
    exclusive: (name, work) => bench.exclusive(name, work),
    record: (key, type, data) => bench.record(key, type, data),
    ask,
  };
}
