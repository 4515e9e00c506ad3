/**
 * Takes turns at a directory across processes: a lock file that exists while someone works there. The holder is named in
 * it, so that the lock of a process that died is taken away at once; one of another machine is given time. Whoever meets a
 * holder that does not let go gets a failure, and nothing was changed.
 *
 * Whoever waits first writes its name into a second file and is next: a process that takes the lock again and again lets
 * it go ahead. This is a courtesy that safety does not depend on, so one who is next and does not come is passed over.
 *
 * Two processes never hold it at once. A lock appears with its content (a hard link to a finished file). Only who owns
 * the claim on a dead holder may remove that holder's lock; a claim is a lock itself, named after what it removes, and a
 * removed lock never comes back with the same content.
 */
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identifyProcess, isAlive, ownIdentity, sameHost } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/process.ts';
import { unusableFile, readConfined } from './confined.ts';

export interface LockOptions {
  /** How long one holder is waited for. */
  readonly patienceMs?: number;
  /** How long the lock of a holder that nobody can look at counts: one of another machine. */
  readonly staleMs?: number;
  /** Of the lock file, where a directory has several. */
  readonly name?: string;
}

const usualMs = 30_000;
/** For work that takes minutes: whoever comes later waits for as long as the holder lives. */
export const longWork: LockOptions = { patienceMs: Number.POSITIVE_INFINITY, staleMs: 60 * 60_000 };
const longestPauseMs = 10;
/** For those who have waited for seconds. */
const latePauseMs = 100;
/** How often a free lock is left to the one who is next. */
const politeLooks = 50;

/** Works while nobody else holds the directory. */
export async function whileLocked<T>(
  directory: string,
  work: () => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const unlock = await lockDirectory(directory, options);
  try {
    return await work();
  } finally {
    await unlock();
  }
}

/** Gives what unlocks it. */
export async function lockDirectory(
  directory: string,
  { patienceMs = usualMs, staleMs = usualMs, name = '.lock' }: LockOptions = {},
): Promise<() => Promise<void>> {
  const content = JSON.stringify({ ...ownIdentity(), id: randomUUID() });
  const began = Date.now();
  let holder = '';
  let deadline = began + patienceMs;
  const wait = { directory, name, next: `${name}.next`, staleMs, content, freeLooks: 0 };
  try {
    while (!take(wait)) {
      const now = contentOf(directory, name);
      // Others taking their turns is no reason to give up; one who does not let go is.
      if (now !== holder) deadline = Date.now() + patienceMs;
      holder = now;
      if (Date.now() > deadline) throw new Error(`another process holds ${join(directory, name)}`);
      // Waits of different length, so that two who wait do not wake together forever.
      const longest = Date.now() - began > 5000 ? latePauseMs : longestPauseMs;
      await pause(1 + Math.floor(Math.random() * longest));
    }
  } finally {
    removeOwn(directory, wait.next, content);
  }
  return async () => removeOwn(directory, name, content);
}

interface Waiting {
  readonly directory: string;
  /** The lock file. */
  readonly name: string;
  /** The file that says who is next. */
  readonly next: string;
  readonly staleMs: number;
  readonly content: string;
  /** How often the lock was seen free and left to the one who is next. */
  freeLooks: number;
}

/** One look: takes the lock if nobody holds it and nobody else is next, or gets in line. */
function take(wait: Waiting): boolean {
  const { directory, name, staleMs } = wait;
  const next = contentOf(directory, wait.next);
  const isFree = lstatSync(join(directory, name), { throwIfNoEntry: false }) === undefined;
  const isOthers = next !== '' && next !== wait.content;
  wait.freeLooks = isFree && isOthers ? wait.freeLooks + 1 : 0;
  const isTurn = !isOthers || wait.freeLooks > politeLooks;
  if (isTurn && placeNew(directory, name, wait.content)) return true;
  if (!isFree && removeDead(directory, name, staleMs)) return isTurn && placeNew(directory, name, wait.content);
  if (isOthers) removeDead(directory, wait.next, staleMs);
  else if (next === '') placeNew(directory, wait.next, wait.content);
  return false;
}

function removeOwn(directory: string, name: string, content: string): void {
  if (contentOf(directory, name) === content) rmSync(join(directory, name), { force: true });
}

/** True when the file was not there and is now, whole. */
function placeNew(directory: string, name: string, content: string): boolean {
  const aside = join(directory, `.lock.${randomUUID()}.tmp`);
  const place = join(directory, name);
  try {
    writeFileSync(aside, content, { flag: 'wx' });
    linkSync(aside, place);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    return placeWithoutLinks(place, content);
  } finally {
    rmSync(aside, { force: true });
  }
}

function placeWithoutLinks(place: string, content: string): boolean {
  try {
    writeFileSync(place, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** True when it is worth trying again at once. */
function removeDead(directory: string, name: string, staleMs: number): boolean {
  const found = lstatSync(join(directory, name), { throwIfNoEntry: false });
  if (found === undefined) return true;
  // Nobody who takes turns makes one, and what is in it may be somebody's.
  if (found.isDirectory()) throw unusableFile(join(directory, name), 'is a directory where a lock belongs');
  const content = contentOf(directory, name);
  const holder = holderOf(content);
  if (holder === 'alive') return false;
  // Who holds a lock wrote a plain file: a link or a pipe was put there by somebody else.
  if (holder === 'unknown' && found.isFile() && Date.now() - found.mtimeMs < staleMs) return false;
  const claim = `.lock.${createHash('sha256').update(`${found.ino} ${content}`).digest('hex').slice(0, 24)}`;
  if (!placeNew(directory, claim, JSON.stringify({ ...ownIdentity(), id: randomUUID() }))) {
    return removeDead(directory, claim, staleMs);
  }
  try {
    const now = lstatSync(join(directory, name), { throwIfNoEntry: false });
    if (now?.ino === found.ino && contentOf(directory, name) === content) rmSync(join(directory, name));
  } finally {
    rmSync(join(directory, claim), { force: true });
  }
  return true;
}

function contentOf(directory: string, name: string): string {
  const held = readConfined(directory, name, 4000);
  return held.status === 'read' ? held.bytes.toString('utf8') : '';
}

function holderOf(content: string): 'alive' | 'dead' | 'unknown' {
  let holder: Partial<ProcessIdentity>;
  try {
    holder = JSON.parse(content) as Partial<ProcessIdentity>;
  } catch {
    return 'unknown';
  }
  const { pid, host, startTime, bootId } = holder;
  if (typeof pid !== 'number' || typeof host !== 'string' || !sameHost({ pid, host, startTime: '', bootId: '' })) {
    return 'unknown';
  }
  if (typeof startTime === 'string' && typeof bootId === 'string')
    return isAlive({ pid, host, startTime, bootId }) ? 'alive' : 'dead';
  return identifyProcess(pid) === undefined ? 'dead' : 'unknown';
}
