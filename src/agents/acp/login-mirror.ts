/**
 * A person's login in an agent's session. The agent gets a directory of its own with copies of the few files it needs,
 * never the person's directory: what that holds besides (settings, hooks, plugins, commands, history) runs in or instructs
 * their own sessions. A credential that the agent renews goes back at once, and one that the person's own program renewed
 * comes in, because tokens that are used twice are often revoked. No copy of it stays when the job is over.
 *
 * What goes back was written by somebody untrusted: a small regular file, JSON, with the same fields as before. It is put
 * in place by a rename. When both sides changed, the person's stays.
 */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { hasSameShape } from './credential-shape.ts';
import type { AcpLogin } from './record.ts';

export interface LoginMirror {
  /** The agent's own directory. */
  readonly directory: string;
  /** Carries renewed credentials over, once more, and removes the copies. Says what was not taken. */
  stop(): readonly string[];
}

const largest = 256 * 1024;
const everyMs = 500;

/** `from` is the person's directory, `to` the agent's. To be called while nothing of the agent runs. */
export function mirrorLogin(from: string, to: string, { credentials, copies = [] }: AcpLogin): LoginMirror {
  const place = openPlace(to);
  for (const name of copies) place.put(name, readTrusted(join(from, name)));
  const files = credentials.map((name) => new MirroredFile(join(from, name), place, name));
  const refused: string[] = [];
  const carry = (): void => {
    for (const file of files) refused.push(...file.carry());
  };
  const timer = setInterval(carry, everyMs);
  timer.unref();
  return {
    directory: to,
    stop() {
      clearInterval(timer);
      carry();
      for (const name of [...credentials, ...copies]) place.remove(name);
      place.close();
      return refused;
    },
  };
}

class MirroredFile {
  readonly #theirs: string;
  readonly #place: Place;
  readonly #name: string;
  /** What both sides held last. */
  #agreed: string | undefined;
  /** What was refused already: it is said once. */
  #refused: string | undefined;

  constructor(theirs: string, place: Place, name: string) {
    this.#theirs = theirs;
    this.#place = place;
    this.#name = name;
    this.#agreed = readTrusted(theirs);
    place.put(name, this.#agreed);
  }

  carry(): readonly string[] {
    const theirs = readTrusted(this.#theirs);
    if (theirs !== this.#agreed) {
      // The person's own program renewed it: that one counts.
      this.#agreed = theirs;
      this.#place.put(this.#name, theirs);
      return [];
    }
    const ours = this.#place.read(this.#name);
    if (ours === undefined || ours === this.#agreed || ours === this.#refused) return [];
    if (theirs === undefined || !hasSameShape(theirs, ours)) {
      this.#refused = ours;
      return [`It wrote something else than a renewed credential to ${this.#name}. Your login is as it was.`];
    }
    replace(this.#theirs, ours);
    this.#agreed = ours;
    return [];
  }
}

/** A directory that an untrusted program can change. */
interface Place {
  read(name: string): string | undefined;
  put(name: string, content: string | undefined): void;
  remove(name: string): void;
  close(): void;
}

/** Held open, so that a link that later takes its name leads nowhere. */
function openPlace(directory: string): Place {
  const found = fs.lstatSync(directory, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) fs.rmSync(directory, { force: true });
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const handle = fs.openSync(directory, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW);
  const held = fs.existsSync(`/proc/self/fd/${handle}`) ? `/proc/self/fd/${handle}` : directory;
  return {
    read: (name) => readUntrusted(join(held, name)),
    put(name, content) {
      if (content === undefined) return;
      const part = join(held, `.${randomBytes(8).toString('hex')}`);
      fs.writeFileSync(part, content, { mode: 0o600, flag: 'wx' });
      const { uid, gid } = fs.fstatSync(handle);
      if (process.getuid?.() === 0) fs.lchownSync(part, uid, gid);
      if (isDirectory(join(held, name))) fs.rmSync(join(held, name), { recursive: true });
      fs.renameSync(part, join(held, name));
    },
    remove: (name) => fs.rmSync(join(held, name), { recursive: true, force: true }),
    close: () => fs.closeSync(handle),
  };
}

function isDirectory(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Neither followed nor waited for, whatever the agent made of it. */
function readUntrusted(path: string): string | undefined {
  let file: number;
  try {
    file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const found = fs.fstatSync(file);
    if (!found.isFile() || found.nlink !== 1 || found.size > largest) return '';
    const bytes = Buffer.alloc(found.size);
    return bytes.toString('utf8', 0, fs.readSync(file, bytes, 0, found.size, 0));
  } finally {
    fs.closeSync(file);
  }
}

/** The person's file; a link of theirs is followed. */
function readTrusted(path: string): string | undefined {
  try {
    return fs.statSync(path).isFile() ? fs.readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** In the person's directory: beside the file, then over it. */
function replace(path: string, content: string): void {
  const place = fs.realpathSync(path);
  const part = `${place}.${randomBytes(8).toString('hex')}`;
  const { uid, gid } = fs.statSync(place);
  fs.writeFileSync(part, content, { mode: 0o600, flag: 'wx' });
  if (process.getuid?.() === 0) fs.chownSync(part, uid, gid);
  fs.renameSync(part, place);
}
