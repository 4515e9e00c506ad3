/**
 * A journal as a file, for those who only look. Takes no lease. A torn last line is simply not there yet. What was read
 * once is not read again: a reader that knows how far it came (`JournalTail`) reads only what was appended.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { ForgeError } from '../../errors.ts';
import type { Fact } from '../facts.ts';
import { restoreBlobs } from './blob-content.ts';
import { BlobStore } from './blob-store.ts';
import { type JournalContent, type JournalCursor, type ReadOptions, readJournal } from './read-journal.ts';

/** A place in a journal file: after a line that was read. */
export interface JournalPlace extends JournalCursor {
  /** Of the file it was read from: a take-over moves the journal to another one. */
  readonly inode: number;
  readonly bytes: number;
}

/** What is read of a long journal at once. */
export const pieceBytes = 4 * 1024 * 1024;

/** How any journal file is read: what is large comes from the blobs beside it. */
export function readingOf(file: string): Pick<ReadOptions, 'file' | 'hydrate'> {
  const blobs = new BlobStore(dirname(file));
  return { file, hydrate: (data) => restoreBlobs(data, blobs) };
}

export function readJournalFile(file: string, validate?: ReadOptions['validate']): JournalContent {
  const fd = openJournal(file);
  try {
    return readJournal(readFileSync(fd), { ...readingOf(file), ...(validate === undefined ? {} : { validate }) });
  } finally {
    closeSync(fd);
  }
}

/** A pipe in its place would keep a reader waiting forever. */
function openJournal(file: string): number {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new ForgeError('journal-corrupt', `${file} is not a file`, { hint: 'Remove it: nothing can be read from it.' });
}

/** Reads what was added since the last time, and only that. */
export class JournalTail {
  readonly #options: ReadOptions;
  readonly #verified: JournalPlace | undefined;
  #place: JournalPlace | undefined;

  /**
   * `from` is where somebody came to before, if that is known. `verified`: somebody has read the file up to there and it is
   * the same since, so hashes before that place are not made again.
   */
  constructor(
    file: string,
    {
      from,
      verified,
      validate,
    }: {
      from?: JournalPlace | undefined;
      verified?: JournalPlace | undefined;
      validate?: ReadOptions['validate'];
    } = {},
  ) {
    this.#options = { ...readingOf(file), ...(validate === undefined ? {} : { validate }) };
    this.#place = from;
    this.#verified = verified;
  }

  /** Where the next reading begins. */
  get place(): JournalPlace | undefined {
    return this.#place;
  }

  /** At most about so many bytes at once, but always a whole line: a long journal never lies in memory as a whole. */
  read(mostBytes = Number.POSITIVE_INFINITY): readonly Fact[] {
    const seen = this.#place?.seq ?? 0;
    for (;;) {
      const facts = this.#readPiece(mostBytes);
      // Another file may begin with what is known.
      const added = facts.filter((fact) => fact.seq > seen);
      if (added.length > 0 || facts.length === 0) return added;
    }
  }

  #readPiece(mostBytes: number): readonly Fact[] {
    const { file } = this.#options;
    const fd = openJournal(file);
    try {
      const { ino, size } = fstatSync(fd);
      // Another file after a take-over, or less than there was: what is known does not help.
      const known = this.#place?.inode === ino && this.#place.bytes <= size ? this.#place : undefined;
      const start = known?.bytes ?? 0;
      const content = readJournal(readLinesFrom(fd, { start, size, mostBytes }), {
        ...this.#options,
        ...(known === undefined ? {} : { after: known }),
        ...(this.#verified?.inode === ino ? { verifiedBytes: this.#verified.bytes - start } : {}),
      });
      const seq = (known?.seq ?? 0) + content.facts.length;
      this.#place = { inode: ino, bytes: start + content.goodBytes, hash: content.hash, seq };
      return content.facts;
    } finally {
      closeSync(fd);
    }
  }
}

/** Bytes from a place on with at least one end of a line among them, if there is one. */
function readLinesFrom(
  fd: number,
  { start, size, mostBytes }: { readonly start: number; readonly size: number; readonly mostBytes: number },
): Buffer {
  for (let length = Math.min(size - start, mostBytes); ; length = Math.min(size - start, length * 4)) {
    const bytes = Buffer.allocUnsafe(length);
    const read = bytes.subarray(0, readSync(fd, bytes, 0, length, start));
    if (start + length >= size || read.includes(0x0a)) return read;
  }
}
