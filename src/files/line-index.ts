/**
 * Pages of a file that only grows, line by line: which lines there are, some of them by number, and those that hold a
 * text. Only every so many lines' places are remembered, so a file of any length costs little memory, and what was
 * scanned once is not scanned again. A last line without its end is not there yet. No link is followed.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export interface LinePage {
  /** How many lines there are in all. */
  readonly total: number;
  readonly lines: readonly NumberedLine[];
}

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

const stride = 64;
const chunkBytes = 1024 * 1024;
/** A page never holds more, however long its lines are. */
const mostBytes = 4 * 1024 * 1024;

class LineIndex {
  #inode = -1;
  #bytes = 0;
  #total = 0;
  /** Where lines 1, 65, 129, … begin. */
  #places: number[] = [0];

  refresh(descriptor: number): void {
    const { ino, size } = fstatSync(descriptor);
    if (ino !== this.#inode || size < this.#bytes) {
      this.#inode = ino;
      this.#bytes = 0;
      this.#total = 0;
      this.#places = [0];
    }
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, size - this.#bytes)));
    let at = this.#bytes;
    while (at < size) {
      const read = readSync(descriptor, chunk, 0, Math.min(chunk.length, size - at), at);
      if (read === 0) break;
      const seen = chunk.subarray(0, read);
      for (let end = seen.indexOf(10); end !== -1; end = seen.indexOf(10, end + 1)) {
        this.#total += 1;
        this.#bytes = at + end + 1;
        if (this.#total % stride === 0) this.#places.push(this.#bytes);
      }
      at += read;
    }
  }

  read(descriptor: number, from: number, count: number): LinePage {
    const first = Math.max(1, from);
    const last = Math.min(this.#total, first + count - 1);
    if (last < first) return { total: this.#total, lines: [] };
    const slot = Math.floor((first - 1) / stride);
    const start = this.#places[slot] ?? 0;
    const end = this.#places[Math.ceil(last / stride)] ?? this.#bytes;
    const bytes = Buffer.alloc(Math.min(end - start, mostBytes));
    const read = readSync(descriptor, bytes, 0, bytes.length, start);
    const texts = bytes.subarray(0, read).toString('utf8').split('\n');
    const skipped = first - 1 - slot * stride;
    const lines = texts.slice(skipped, skipped + last - first + 1);
    // The last piece of a page that was cut is not a whole line, unless it is the only one.
    if (bytes.length === mostBytes && lines.length > 1 && skipped + lines.length === texts.length) lines.pop();
    return { total: this.#total, lines: lines.map((text, at) => ({ number: first + at, text })) };
  }

  async search(descriptor: number, fits: (text: string) => boolean, most: number): Promise<LineMatches> {
    const lines: NumberedLine[] = [];
    let found = 0;
    for (let from = 1; from <= this.#total; ) {
      const page = this.read(descriptor, from, 2048);
      if (page.lines.length === 0) break;
      for (const line of page.lines) {
        if (!fits(line.text)) continue;
        found += 1;
        if (lines.length < most) lines.push(line);
      }
      from += page.lines.length;
      // Others are served between two pages.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { total: this.#total, found, lines };
  }
}

export interface LineMatches extends LinePage {
  /** How many lines fit in all; `lines` holds the first of them. */
  readonly found: number;
}

const nothing: LineMatches = { total: 0, found: 0, lines: [] };
const mostKept = 64;
const kept = new Map<string, LineIndex>();

/** `count` lines from the one with this number on, as far as they are there; none where there is no such file. */
export function readLines(file: string, from: number, count: number): LinePage {
  const descriptor = openPlain(file);
  if (descriptor === undefined) return nothing;
  try {
    const index = indexOf(file);
    index.refresh(descriptor);
    return index.read(descriptor, from, count);
  } finally {
    closeSync(descriptor);
  }
}

/** The first lines that fit, at most so many, and how many there are. */
export async function searchLines(file: string, fits: (text: string) => boolean, most: number): Promise<LineMatches> {
  const descriptor = openPlain(file);
  if (descriptor === undefined) return nothing;
  try {
    const index = indexOf(file);
    index.refresh(descriptor);
    return await index.search(descriptor, fits, most);
  } finally {
    closeSync(descriptor);
  }
}

/** Those that were used last are kept. */
function indexOf(file: string): LineIndex {
  const index = kept.get(file) ?? new LineIndex();
  kept.delete(file);
  kept.set(file, index);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return index;
}

function openPlain(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
}
