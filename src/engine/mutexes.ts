/** Named queues in one process: one piece of work at a time under a name, in the order asked. */
import type { NamedLocks } from './named-locks.ts';

export class Mutexes implements NamedLocks {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#tails.get(name) ?? Promise.resolve()).then(work);
    this.#tails.set(
      name,
      turn.catch(() => {}),
    );
    return turn;
  }
}
