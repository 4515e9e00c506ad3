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
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface JsonLines {
  readonly bytes: number;
  /** On disk when it returns, if `sync` is asked for. */
  append(value: unknown, sync?: 'sync'): void;
  close(): void;
}

export function openJsonLines(file: string): JsonLines {
  dropTornLine(file);
  const isNew = !existsSync(file);
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
  if (isNew) syncDirectory(dirname(file));
  let bytes = fstatSync(descriptor).size;
  return {
    get bytes() {
      return bytes;
    },
    append(value, sync) {
      const line = Buffer.from(`${JSON.stringify(value)}\n`);
      for (let done = 0; done < line.length; ) done += writeSync(descriptor, line, done);
      bytes += line.length;
      if (sync === 'sync') fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

export interface ReadLine {
  /** 1-based. */
  readonly line: number;
  /** Undefined when the line is no JSON. */
  readonly value: unknown;
}

/** A file that does not exist reads as empty. */
export function readJsonLines(file: string): { readonly lines: readonly ReadLine[]; readonly torn: boolean } {
  const parts = readIfThere(file).toString('utf8').split('\n');
  const torn = parts.pop() !== '';
  return { lines: parts.map((text, index) => ({ line: index + 1, value: parseLine(text) })), torn };
}

function dropTornLine(file: string): void {
  const content = readIfThere(file);
  const whole = content.lastIndexOf('\n') + 1;
  if (whole === content.length) return;
  const descriptor = openSync(file, 'r+');
  ftruncateSync(descriptor, whole);
  closeSync(descriptor);
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
