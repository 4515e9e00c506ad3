/**
 * Time that passes only when nobody has anything to do: makespans without waiting for them, the same on a busy machine as
 * on a quiet one. What is measured is the order that the program chooses, not how fast it chooses.
 */
import { setImmediate as turn } from 'node:timers/promises';

export class VirtualTime {
  now = 0;
  readonly #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  sleep(time: number): Promise<void> {
    return new Promise((wake) => void this.#sleepers.push({ at: this.now + time, wake }));
  }

  /** Runs something to its end and answers the time that passed. */
  async measure(work: () => Promise<unknown>): Promise<number> {
    const start = this.now;
    const state = { isOver: false };
    const over = work().finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) {
      // Several turns: one piece of work may hand over to the next through timers of its own.
      for (let turns = 0; turns < 4; turns += 1) await turn();
      const next = Math.min(...this.#sleepers.map(({ at }) => at));
      if (state.isOver || next === Number.POSITIVE_INFINITY) continue;
      this.now = next;
      for (const { wake } of this.#sleepers.filter(({ at }) => at === next)) wake();
      this.#sleepers.splice(0, this.#sleepers.length, ...this.#sleepers.filter(({ at }) => at !== next));
    }
    await over;
    return this.now - start;
  }
}
