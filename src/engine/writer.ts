/**
 * A run's facts and the state folded from them, kept in step: the only way this process changes either.
 * An append is over once the fact is on disk and in the state; observers hear of it afterwards.
 */

import type { FactLog } from './fact-log.ts';
import type { Fact, FactInput, FactType } from './facts.ts';
import { Observers } from './observers.ts';
import { advanceRun, type RunState } from './run-state.ts';

export class Writer {
  readonly state: RunState;
  readonly #log: FactLog;
  readonly #observers: Observers;

  constructor(log: FactLog, state: RunState, observers = new Observers([], () => {})) {
    this.state = state;
    this.#log = log;
    this.#observers = observers;
  }

  append<T extends FactType>(type: T, key: string, data: FactInput<T>): void {
    const fact = this.#log.append(type, key, data) as unknown as Fact;
    advanceRun(this.state, fact);
    this.#observers.tell(fact);
  }

  /** Observers hear now what they have not heard yet. */
  flush(): void {
    this.#observers.flush();
  }

  /** The same, and what they do about it is done. */
  settle(): Promise<void> {
    return this.#observers.settle();
  }

  /** As the journal would hold it. */
  redacted<D>(data: D): D {
    return this.#log.redacted(data);
  }
}
