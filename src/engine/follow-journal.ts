/**
 * A journal as it grows, for those who only look: everything so far, then each fact when it is written.
 * Ends when the run is over. A take-over replaces the file; the follower goes on in the new one, without
 * repeating a fact.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Fact } from './facts.ts';
import { readJournal } from './read-journal.ts';
import { watchDirectory } from './watch-directory.ts';

export async function* followJournal(file: string, signal: AbortSignal): AsyncGenerator<Fact> {
  const changes = new Changes(dirname(file), signal);
  try {
    const tail = new Tail(file);
    let over = false;
    while (!signal.aborted) {
      for (const fact of tail.read()) {
        yield fact;
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

/** Reads what was added since the last time, and only that. */
class Tail {
  readonly #file: string;
  #inode = 0;
  #offset = 0;
  #after: { hash: string; seq: number } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  read(): readonly Fact[] {
    const fd = openSync(this.#file, 'r');
    try {
      const { ino, size } = fstatSync(fd);
      const moved = this.#inode !== 0 && ino !== this.#inode;
      const seen = this.#after?.seq ?? 0;
      if (moved) this.#forget();
      this.#inode = ino;
      const added = Buffer.alloc(Math.max(0, size - this.#offset));
      const bytes = readSync(fd, added, 0, added.length, this.#offset);
      const content = readJournal(added.subarray(0, bytes), {
        file: this.#file,
        ...(this.#after === undefined ? {} : { after: this.#after }),
      });
      this.#offset += content.goodBytes;
      this.#after = { hash: content.hash, seq: (this.#after?.seq ?? 0) + content.facts.length };
      return content.facts.filter((fact) => fact.seq > seen);
    } finally {
      closeSync(fd);
    }
  }

  #forget(): void {
    this.#offset = 0;
    this.#after = undefined;
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
