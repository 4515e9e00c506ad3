/**
 * Files of one JSON value per line that are only ever appended to and may be cut off by a crash. Only a
 * last line without its newline is torn: it was never acknowledged, so it is dropped when the file is
 * opened for appending and ignored when it is read. What a broken line elsewhere means is the caller's.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface AppendedLines {
  readonly bytes: number;
  /** On disk when it returns, if `sync` is asked for. */
  append(line: string, sync?: 'sync'): void;
  close(): void;
}

/** A torn last line of an earlier writer is dropped. */
export function openLines(file: string): AppendedLines {
  const isNew = !existsSync(file);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const descriptor = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (isNew) syncDirectory(dirname(file));
  let bytes = wholeBytes(descriptor);
  ftruncateSync(descriptor, bytes);
  return {
    get bytes() {
      return bytes;
    },
    append(text, sync) {
      const line = Buffer.from(`${text}\n`);
      for (let done = 0; done < line.length; ) done += writeSync(descriptor, line, done);
      bytes += line.length;
      if (sync === 'sync') fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

export interface JsonLines {
  /** On disk when it returns, if `sync` is asked for. */
  append(value: unknown, sync?: 'sync'): void;
  close(): void;
}

export function openJsonLines(file: string): JsonLines {
  const lines = openLines(file);
  return { append: (value, sync) => lines.append(JSON.stringify(value), sync), close: () => lines.close() };
}

export interface ReadLine {
  /** 1-based. */
  readonly line: number;
  /** Undefined when the line is no JSON. */
  readonly value: unknown;
}

export interface ReadLines {
  readonly lines: readonly ReadLine[];
  readonly torn: boolean;
}

/** A file that does not exist reads as empty. */
export function readJsonLines(file: string): ReadLines {
  return parseJsonLines(readIfThere(file));
}

export function parseJsonLines(content: Buffer): ReadLines {
  const parts = content.toString('utf8').split('\n');
  const torn = parts.pop() !== '';
  return { lines: parts.map((text, index) => ({ line: index + 1, value: parseLine(text) })), torn };
}

const tailBytes = 64 * 1024;

/** Up to and including the last newline, found from the end. */
function wholeBytes(descriptor: number): number {
  const tail = Buffer.alloc(tailBytes);
  for (let end = fstatSync(descriptor).size; end > 0; ) {
    const start = Math.max(0, end - tailBytes);
    const read = readSync(descriptor, tail, 0, end - start, start);
    const found = tail.subarray(0, read).lastIndexOf('\n');
    if (found !== -1) return start + found + 1;
    end = start;
  }
  return 0;
}

/** A new file's name is durable only once its directory is. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
