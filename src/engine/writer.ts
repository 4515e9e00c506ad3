/** A run's facts and the state folded from them, kept in step: the only way this process changes either. */
import type { Fact, FactInput, FactType } from './facts.ts';
import type { Journal } from './journal.ts';
import { advance, type RunState } from './run-state.ts';

export class Writer {
  readonly state: RunState;
  readonly #journal: Journal;
  readonly #onFact: ((fact: Fact) => void) | undefined;

  constructor(journal: Journal, state: RunState, onFact?: (fact: Fact) => void) {
    this.state = state;
    this.#journal = journal;
    this.#onFact = onFact;
  }

  append<T extends FactType>(type: T, key: string, data: FactInput<T>): void {
    const fact = this.#journal.append(type, key, data) as unknown as Fact;
    advance(this.state, fact);
    this.#onFact?.(fact);
  }

  /** As the journal would hold it. */
  redacted<D>(data: D): D {
    return this.#journal.redacted(data);
  }
}
