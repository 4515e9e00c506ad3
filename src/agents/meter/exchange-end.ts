/**
 * When an exchange ends before its time: the agent leaves, its job is over, the provider is silent for too long, or it
 * all takes too long. One signal for all of them, and which it was.
 */
import type { ServerResponse } from 'node:http';
import type { RequestBounds } from './request-gate.ts';

export class ExchangeEnd {
  readonly signal: AbortSignal;
  readonly #left = new AbortController();
  readonly #overdue = new AbortController();
  readonly #silenceMs: number;
  readonly #longest: NodeJS.Timeout;
  #silence: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, closing: AbortSignal, { silenceMs, longestMs }: RequestBounds) {
    response.once('close', () => {
      if (!response.writableFinished) this.#left.abort();
    });
    this.signal = AbortSignal.any([this.#left.signal, closing, this.#overdue.signal]);
    this.#silenceMs = silenceMs;
    this.#longest = setTimeout(() => this.#overdue.abort(), longestMs);
    this.#longest.unref();
  }

  /** Nobody waits for the answer any more. */
  get gone(): boolean {
    return this.signal.aborted && !this.#overdue.signal.aborted;
  }

  /** The provider was heard, or is asked now. */
  heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#overdue.abort(), this.#silenceMs);
    this.#silence.unref();
  }

  done(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#longest);
  }
}
