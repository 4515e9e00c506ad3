/** What a page of `forge watch` is, and the scrolling that they share. */
import type { Look } from '../../views/spans.ts';
import type { Key } from './key-input.ts';

/** Room for a page, and what its lines are drawn with. */
export interface Canvas extends Look {
  readonly rows: number;
  /** Turns the spinner of what is at work. */
  readonly frame: number;
  readonly now: number;
}

export interface View {
  /** At most `rows` lines. */
  draw(canvas: Canvas): readonly string[];
  /** Keys that mean something here, with what they do, the most useful first. */
  keys(): readonly KeyHelp[];
  /** False: it means nothing here. */
  press(key: Key): boolean;
  close(): void;
}

export type KeyHelp = readonly [key: string, does: string];

/** A place in a list that is longer than the screen. The marked entry is always in sight. */
export class ListPlace {
  marked = 0;
  #top = 0;
  #rows = 1;
  #count = 0;

  /** Which entries are in sight, when there are so many of them and so many rows. */
  window(count: number, rows: number): { readonly from: number; readonly to: number } {
    this.#rows = Math.max(1, rows);
    this.#count = count;
    this.marked = Math.min(Math.max(0, this.marked), Math.max(0, count - 1));
    if (this.marked < this.#top) this.#top = this.marked;
    if (this.marked >= this.#top + this.#rows) this.#top = this.marked - this.#rows + 1;
    this.#top = Math.max(0, Math.min(this.#top, count - this.#rows));
    return { from: this.#top, to: Math.min(count, this.#top + this.#rows) };
  }

  move(key: Key): boolean {
    const step = stepOf(key, this.#rows, this.#count);
    if (step === undefined) return false;
    this.marked = Math.min(Math.max(0, this.marked + step), Math.max(0, this.#count - 1));
    return true;
  }
}

/** A place in a text that is longer than the screen; it can hold on to the end while that moves. */
export class TextPlace {
  isAtEnd = false;
  top = 0;
  #rows = 1;
  #count = 0;

  window(count: number, rows: number): { readonly from: number; readonly to: number } {
    this.#rows = Math.max(1, rows);
    this.#count = count;
    const last = Math.max(0, count - this.#rows);
    this.top = this.isAtEnd ? last : Math.min(Math.max(0, this.top), last);
    return { from: this.top, to: Math.min(count, this.top + this.#rows) };
  }

  move(key: Key): boolean {
    const step = stepOf(key, this.#rows, this.#count);
    if (step === undefined) return false;
    const last = Math.max(0, this.#count - this.#rows);
    this.top = Math.min(Math.max(0, this.top + step), last);
    this.isAtEnd = this.top >= last && step > 0;
    return true;
  }
}

function stepOf({ name }: Key, rows: number, count: number): number | undefined {
  const page = Math.max(1, rows - 1);
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    'wheel-up': -3,
    'wheel-down': 3,
    pageup: -page,
    b: -page,
    pagedown: page,
    space: page,
    home: -count,
    g: -count,
    end: count,
    G: count,
  };
  return Object.hasOwn(steps, name) ? steps[name] : undefined;
}
