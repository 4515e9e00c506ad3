/**
 * Passes the facts of a run on to those who only look: documents, the progress display, a caller's own listener.
 * Invariants: an append never waits for an observer and never fails because of one. Each observer hears every fact once,
 * in order. What it throws is reported once and changes nothing else. A slow one gets a share of the time at most, so its
 * facts queue up while the run goes on; whatever is still queued is passed on before the run is let go.
 */
import { messageOf } from '../errors.ts';
import type { Fact } from './facts.ts';

export interface Observer {
  /** For the report, as the subject of a sentence: `The progress display`. */
  readonly name: string;
  /** The facts since the last call, oldest first. */
  readonly take: (facts: readonly Fact[]) => void;
  /** Resolves when everything it does about the facts it took is done. Awaited before the run is let go. */
  readonly settled?: () => Promise<void>;
  /** Gets them one at a time instead of all at once. */
  readonly oneByOne?: boolean;
}

/** After a turn that took t, an observer rests for this many times t. */
const restFactor = 4;
/** An observer that gets its facts one by one goes on for this long before it rests. */
const turnMs = 10;
const longestRestMs = 2_000;

export class Observers {
  readonly #lines: readonly Line[];

  constructor(observers: readonly Observer[], report: (message: string) => void) {
    this.#lines = observers.map((observer) => new Line(observer, report));
  }

  /** Returns before any observer has heard of it. */
  tell(fact: Fact): void {
    for (const line of this.#lines) line.add(fact);
  }

  /** Passes on what is queued, now: before the run is left, or before somebody's answer is missed. */
  flush(): void {
    for (const line of this.#lines) line.flush();
  }

  /** Nothing is queued and nothing is under way when it resolves. */
  async settle(): Promise<void> {
    this.flush();
    for (const line of this.#lines) await line.settle();
  }
}

/** One observer and the facts it has not heard of yet. */
class Line {
  readonly #observer: Observer;
  readonly #report: (message: string) => void;
  #queue: Fact[] = [];
  #timer: NodeJS.Immediate | NodeJS.Timeout | undefined;
  #restUntil = 0;
  #reported = false;

  constructor(observer: Observer, report: (message: string) => void) {
    this.#observer = observer;
    this.#report = report;
  }

  add(fact: Fact): void {
    this.#queue.push(fact);
    this.#arm();
  }

  #arm(): void {
    if (this.#timer !== undefined) return;
    const rest = this.#restUntil - performance.now();
    this.#timer = rest > 0 ? setTimeout(() => this.#turn(), rest) : setImmediate(() => this.#turn());
  }

  flush(): void {
    while (this.#queue.length > 0) this.#pass(this.#queue.splice(0));
  }

  async settle(): Promise<void> {
    try {
      await this.#observer.settled?.();
    } catch (error) {
      this.#tellOnce(error);
    }
  }

  #turn(): void {
    this.#timer = undefined;
    const began = performance.now();
    const size = this.#observer.oneByOne === true ? 1 : this.#queue.length;
    let spent = 0;
    while (this.#queue.length > 0 && spent < turnMs) {
      this.#pass(this.#queue.splice(0, size));
      spent = performance.now() - began;
    }
    this.#restUntil = began + spent + Math.min(longestRestMs, spent * restFactor);
    if (this.#queue.length > 0) this.#arm();
  }

  #pass(facts: readonly Fact[]): void {
    const parts = this.#observer.oneByOne === true ? facts.map((fact) => [fact]) : [facts];
    for (const part of parts) {
      try {
        this.#observer.take(part);
      } catch (error) {
        this.#tellOnce(error);
      }
    }
  }

  #tellOnce(error: unknown): void {
    if (this.#reported) return;
    this.#reported = true;
    try {
      this.#report(`${this.#observer.name} failed: ${messageOf(error)}. The run is not affected.`);
    } catch {
      // Nobody is left to tell.
    }
  }
}

/** For a listener that hears one fact at a time. One it fails on does not cost it the others. */
export function eachFact(name: string, listen: (fact: Fact) => void): Observer {
  return { name, oneByOne: true, take: (facts) => facts.forEach(listen) };
}
