/**
 * Files below a directory that somebody else may have filled: a checkout, a git directory. No link is followed in any
 * component below the root, and only regular files of bounded size are read. A write creates a new file under a random
 * name, exclusively, and renames it into place: whatever was there (a link, a hard link, a FIFO) is replaced, never
 * written through. On Linux every step goes through an open directory, so that a directory that is swapped for a link
 * in between leads nowhere.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';

/** What a name below a root leads to. A refusal says why in words that follow the path. */
export type ReadFile =
  | { readonly status: 'absent' }
  | { readonly status: 'read'; readonly bytes: Buffer; readonly mode: number }
  | { readonly status: 'refused'; readonly why: string };

export interface FoundEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
}

export type ReadDirectory =
  | { readonly status: 'absent' }
  | { readonly status: 'read'; readonly entries: readonly FoundEntry[] }
  | { readonly status: 'refused'; readonly why: string };

const usualLimit = 4 * 1024 * 1024;

/** `path` is relative to `root`, with slashes; `root` itself is taken as it is. */
export function readConfined(root: string, path: string, maxBytes = usualLimit): ReadFile {
  return within(root, path, (place): ReadFile => {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
    const fd = openSync(place, flags);
    try {
      const found = fstatSync(fd);
      if (!found.isFile()) return { status: 'refused', why: `is ${kindOf(found)}, not a file` };
      if (found.size > maxBytes) return { status: 'refused', why: `is larger than ${maxBytes} bytes` };
      return { status: 'read', bytes: readUpTo(fd, maxBytes), mode: found.mode & 0o777 };
    } finally {
      closeSync(fd);
    }
  });
}

/** The text of a file that may be missing. Anything else than a readable file is a `bad-config` failure. */
export function readConfinedText(root: string, path: string, maxBytes = usualLimit): string | undefined {
  const found = readConfined(root, path, maxBytes);
  if (found.status === 'absent') return undefined;
  if (found.status === 'read') return found.bytes.toString('utf8');
  throw unusableFile(path, found.why);
}

export function listConfined(root: string, path: string): ReadDirectory {
  return within(root, path, (place): ReadDirectory => {
    const fd = openSync(place, directoryFlags);
    try {
      const entries = readdirSync(viaDescriptor(fd, place), { withFileTypes: true });
      return {
        status: 'read',
        entries: entries.map((entry) => ({
          name: entry.name,
          kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other',
        })),
      };
    } finally {
      closeSync(fd);
    }
  });
}

export interface WriteOptions {
  /** `keep`: leave what is there, whatever it is, and answer false. */
  readonly whenPresent?: 'replace' | 'keep';
  /** Whatever the user's umask says. */
  readonly mode?: number;
  /** Of directories that have to be made. */
  readonly directoryMode?: number;
  /** False for projections, which can be made again: they are not flushed to disk. */
  readonly isDurable?: boolean;
}

/** True when the file was written. Directories on the way are made; one that is a link or a file is a failure. */
export function writeConfined(
  root: string,
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): boolean {
  const { whenPresent = 'replace', directoryMode = 0o777, isDurable = true } = options;
  const parts = partsOf(path);
  const name = parts.pop() ?? '';
  return inDirectory(root, parts, { make: directoryMode }, (directory, fd) => {
    const target = `${directory}/${name}`;
    if (whenPresent === 'keep' && isThere(target)) return false;
    if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory() === true)
      throw unusableFile(path, 'is a directory where a file belongs');
    const aside = `${directory}/.${name.slice(0, 100)}.${randomBytes(9).toString('hex')}.tmp`;
    try {
      writeNew(aside, content, options);
      if (whenPresent === 'replace') renameSync(aside, target);
      else if (!linkNew(aside, target)) return false;
      if (isDurable) fsyncSync(fd);
      return true;
    } finally {
      rmSync(aside, { force: true });
    }
  });
}

/** Adds a line at the end of a file, whole and on disk. A file with a second name is replaced, so that the other stays. */
export function appendConfined(root: string, path: string, line: string): void {
  writeConfined(root, path, '', { whenPresent: 'keep' });
  const parts = partsOf(path);
  const name = parts.pop() ?? '';
  const isAppended = inDirectory(root, parts, {}, (directory) => {
    const fd = openPlain(`${directory}/${name}`, path);
    try {
      const { nlink, size } = fstatSync(fd);
      if (nlink > 1) return false;
      writeSync(fd, `${endsWithLine(fd, size) ? '' : '\n'}${line}\n`);
      fsyncSync(fd);
      return true;
    } finally {
      closeSync(fd);
    }
  });
  if (isAppended) return;
  const before = readConfinedText(root, path, largestAppended) ?? '';
  writeConfined(root, path, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${line}\n`);
}

const largestAppended = 64 * 1024 * 1024;

function openPlain(place: string, path: string): number {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw unusableFile(path, found === undefined ? 'is gone' : `is ${kindOf(found)}`);
  const fd = openSync(place, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const opened = fstatSync(fd);
  if (opened.isFile()) return fd;
  closeSync(fd);
  throw unusableFile(path, `is ${kindOf(opened)}`);
}

/** False where somebody died in the middle of a line. */
function endsWithLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
}

/** Removes a regular file or a link; what a link leads to stays. */
export function removeConfined(root: string, path: string): void {
  const parts = partsOf(path);
  const name = parts.pop() ?? '';
  within(root, parts.join('/'), (directory): ReadFile => {
    rmSync(`${directory}/${name}`, { force: true });
    return { status: 'absent' };
  });
}

const consequence = ', so Forge does not use it';

/** Said once, where another sentence goes around it. */
function reasonOf({ message }: ForgeError): string {
  return message.endsWith(consequence) ? message.slice(0, -consequence.length) : message;
}

export function unusableFile(path: string, why: string): ForgeError {
  return new ForgeError('bad-config', `${path} ${why}${consequence}`, {
    hint: 'Remove it, or put a plain file or directory there.',
  });
}

const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Runs `action` on the last component, with every component before it opened as a real directory. */
function within<T extends { readonly status: string }>(
  root: string,
  path: string,
  action: (place: string) => T,
): T | { readonly status: 'absent' } | { readonly status: 'refused'; readonly why: string } {
  const parts = partsOf(path);
  const name = parts.pop();
  try {
    return inDirectory(root, parts, {}, (directory) => {
      try {
        // A descriptor's path is a link of the system's; its dot is the directory.
        return action(`${directory}/${name ?? '.'}`);
      } catch (error) {
        return absentOrRefused(error, name === undefined ? undefined : `${directory}/${name}`);
      }
    });
  } catch (error) {
    if (error instanceof ForgeError) return { status: 'refused', why: `is not reached: ${reasonOf(error)}` };
    return absentOrRefused(error, undefined);
  }
}

function absentOrRefused(
  error: unknown,
  place: string | undefined,
): { readonly status: 'absent' } | { readonly status: 'refused'; readonly why: string } {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return { status: 'absent' };
  const found = place === undefined ? undefined : lstatSync(place, { throwIfNoEntry: false });
  if (found !== undefined && (code === 'ELOOP' || code === 'ENOTDIR' || code === 'ENXIO' || code === 'EMLINK'))
    return { status: 'refused', why: `is ${kindOf(found)}` };
  if (code === 'ELOOP') return { status: 'refused', why: 'is a link' };
  if (code === 'EACCES' || code === 'EPERM') return { status: 'refused', why: 'may not be read by your user' };
  throw error;
}

interface Making {
  /** Mode of directories that are made; without it a missing one is ENOENT. */
  readonly make?: number;
}

function inDirectory<T>(
  root: string,
  parts: readonly string[],
  { make }: Making,
  action: (directory: string, fd: number) => T,
): T {
  const opened: number[] = [];
  try {
    let fd = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY);
    opened.push(fd);
    let directory = viaDescriptor(fd, root);
    let shown = '';
    for (const part of parts) {
      shown = shown === '' ? part : `${shown}/${part}`;
      const next = `${directory}/${part}`;
      if (make !== undefined) makeDirectory(next, make);
      fd = openReal(next, shown);
      opened.push(fd);
      directory = viaDescriptor(fd, join(root, shown));
    }
    return action(directory, fd);
  } catch (error) {
    throw withOwnPath(error, join(root, ...parts));
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** A person knows the directory by its name, not by the descriptor it was reached through. */
function withOwnPath(error: unknown, directory: string): unknown {
  if (error instanceof Error && !(error instanceof ForgeError))
    error.message = error.message.replaceAll(/\/proc\/self\/fd\/\d+/g, directory);
  return error;
}

function openReal(place: string, shown: string): number {
  try {
    return openSync(place, directoryFlags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found !== undefined && (code === 'ELOOP' || code === 'ENOTDIR'))
      throw unusableFile(shown, `is ${kindOf(found)} where a directory belongs`);
    throw error;
  }
}

/** A path through an open directory where the system has such; its own path otherwise. */
function viaDescriptor(fd: number, path: string): string {
  const through = `/proc/self/fd/${fd}`;
  return process.platform === 'linux' && existsSync(through) ? through : path;
}

function makeDirectory(place: string, mode: number): void {
  try {
    mkdirSync(place, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function writeNew(place: string, content: string | Uint8Array, { mode, isDurable = true }: WriteOptions): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(place, flags, mode ?? 0o666);
  try {
    if (mode !== undefined) fchmodSync(fd, mode);
    writeFileSync(fd, content);
    if (isDurable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Only where nothing is; a file system without hard links gets a rename after a look. */
function linkNew(aside: string, target: string): boolean {
  try {
    linkSync(aside, target);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    if (isThere(target)) return false;
    renameSync(aside, target);
    return true;
  }
}

function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

function readUpTo(fd: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.alloc(64 * 1024);
    const read = readSync(fd, chunk, 0, chunk.length, null);
    if (read === 0) return Buffer.concat(chunks);
    length += read;
    if (length > maxBytes) throw new ForgeError('bad-config', 'grew while it was read');
    chunks.push(chunk.subarray(0, read));
  }
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a link';
  if (found.isDirectory()) return 'a directory';
  if (found.isFIFO()) return 'a pipe';
  if (found.isSocket()) return 'a socket';
  if (found.isFile()) return 'a file';
  return 'a device';
}

function partsOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || path.includes('\0')) throw new Error(`a path leads outside: ${path}`);
  return parts;
}
