/**
 * The steps of a run: what a workflow says it is doing while it does it. A step is a fact when it starts and another
 * when it ends; everything asked for inside of it carries its key, so that displays need no other source. Invariants:
 * a step runs again on replay, because its result lives in the workflow, but it is recorded once; a step that was cut
 * off has no end. Where something is asked follows the asynchronous calls of the workflow, not its keys.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Place, StepEndInput, StepOutline } from './facts.ts';
import type { Writer } from './writer.ts';

/** What a person reads about a step is worded where the step is made. */
export interface StepStart<T> {
  /** The sort of step: `plan`, `round`, `review`. Displays may draw some sorts differently. */
  readonly kind: string;
  readonly title: string;
  readonly detail?: string;
  /** How it ended, from what the work returned; without it the step is done. */
  readonly end?: (value: T) => StepEndInput;
}

export class Steps {
  readonly #writer: Writer;
  readonly #place = new AsyncLocalStorage<Place>();

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** The innermost step or task around the caller. */
  get place(): Place | undefined {
    return this.#place.getStore();
  }

  within<T>(place: Place | undefined, work: () => T): T {
    return place === undefined ? this.#place.exit(work) : this.#place.run(place, work);
  }

  start<T>(key: string, { kind, title, detail = '' }: StepStart<T>): void {
    if (this.#writer.state.steps.has(key)) return;
    this.#writer.append('step.started', key, { kind, title, detail, ...this.#here() });
  }

  end<T>(key: string, { end }: StepStart<T>, value: T): void {
    if (this.#writer.state.steps.get(key)?.end !== undefined) return;
    this.#writer.append('step.ended', key, end?.(value) ?? { status: 'done' });
  }

  announce(key: string, steps: readonly StepOutline[]): void {
    if (this.#writer.state.recorded.has(key)) return;
    this.#writer.append('steps.announced', key, { steps: [...steps], ...this.#here() });
  }

  #here(): { readonly within?: Place } {
    const { place } = this;
    return place === undefined ? {} : { within: place };
  }
}
