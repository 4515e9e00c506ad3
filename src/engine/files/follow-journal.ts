/**
 * A journal as it grows, for those who only look: everything so far, then each fact when it is written.
 * Ends when the run is over. A take-over replaces the file; the follower goes on in the new one, without
 * repeating a fact.
 */
import { dirname } from 'node:path';
import type { Fact } from '../facts.ts';
import { JournalTail } from './journal-file.ts';
import { watchDirectory } from './watch-directory.ts';

/** Facts up to `after` are known to the caller. */
export async function* followJournal(file: string, signal: AbortSignal, after = 0): AsyncGenerator<Fact> {
  const changes = new Changes(dirname(file), signal);
  try {
    const tail = new JournalTail(file);
    let over = false;
    while (!signal.aborted) {
      for (const fact of tail.read()) {
        if (fact.seq > after) yield fact;
        // A run that was over may have been opened again since, and refs may have been moved for it.
        if (fact.type === 'run.ended' || fact.type === 'run.opened') over = fact.type === 'run.ended';
      }
      if (over) return;
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

/** Wakes when the directory may have changed since the last call. */
class Changes {
  readonly #unwatch: () => void;
  readonly #signal: AbortSignal;
  readonly #wake = (): void => {
    this.#changed = true;
    this.#resolve();
  };
  #changed = false;
  #resolve: () => void = () => {};

  constructor(directory: string, signal: AbortSignal) {
    this.#signal = signal;
    this.#unwatch = watchDirectory(directory, this.#wake);
    signal.addEventListener('abort', this.#wake);
  }

  async next(): Promise<void> {
    if (!this.#changed && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
    this.#changed = false;
  }

  close(): void {
    this.#unwatch();
    this.#signal.removeEventListener('abort', this.#wake);
  }
}
