/**
 * Turns the paths of a jail policy into mounts: real paths, parents before children, and of two that name the same
 * place the read-only one. Refuses what would undo the jail: whole homes and system directories, and a path inside
 * a writable directory that a planted symlink leads out of it. Reads the file system, changes nothing.
 */
import { realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { ForgeError } from '../errors.ts';
import type { JailPolicy } from './jail.ts';

interface Mount {
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** A symlink to make inside, so that a path that was given through symlinks leads to its mount there too. */
interface Link {
  readonly path: string;
  readonly target: string;
}

export interface PolicyMounts {
  readonly mounts: readonly Mount[];
  readonly links: readonly Link[];
}

export function policyMounts(policy: JailPolicy): PolicyMounts {
  const writes = [...policy.writable, policy.home, policy.tmp].map((path) => resolvePath(path, 'write'));
  const reads = policy.readable.map((path) => resolvePath(path, 'read'));
  const homes = homeDirectories();
  for (const path of writes) refuseDangerousWrite(path, homes);
  for (const path of reads) refuseDangerousRead(path, homes);
  const all = [...writes, ...reads];
  for (const path of all) refuseRedirected(path, writes);
  const byPath = new Map<string, Mount>();
  for (const { real, access } of all) byPath.set(real, { path: real, access });
  const mounts = [...byPath.values()].sort((a, b) => compare(a.path, b.path));
  return { mounts, links: links(all, mounts) };
}

/** Is `path` this directory or inside it? Both absolute and normal. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || directory === sep || path.startsWith(`${directory}${sep}`);
}

/** The person's home: the one HOME names and the one the system knows, as real paths. */
export function homeDirectories(): readonly string[] {
  const homes = [homedir, () => userInfo().homedir].flatMap((lookUp) => {
    try {
      return [lookUp()].filter((path) => isAbsolute(path));
    } catch {
      // In a container the user may have no entry anywhere, and so no home.
      return [];
    }
  });
  return [...new Set(homes.map((path) => tryRealpath(path) ?? resolve(path)))];
}

export function tryRealpath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

interface Resolved {
  readonly given: string;
  readonly real: string;
  readonly access: Mount['access'];
}

/** Nothing that contains one of these, or is one, may be given. */
const roots = ['/usr', '/etc', '/bin', '/sbin', '/lib', '/lib64', '/boot', '/dev', '/proc', '/sys', '/run', '/var'];
const writeRoots = [...roots, '/home', '/root', '/tmp', '/var/tmp', '/opt', '/nix', '/srv', '/mnt', '/media'];
const readRoots = ['/etc', '/dev', '/proc', '/sys', '/run', '/var', '/home', '/root', '/tmp'];
/** Nothing inside these may be written either. */
const sealed = ['/etc', '/boot', '/dev', '/proc', '/sys', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/lib64'];
const unreadable = ['/dev', '/proc', '/sys'];

function resolvePath(path: string, access: Mount['access']): Resolved {
  if (!isAbsolute(path)) throw jailPathError(path, access, 'it is not an absolute path');
  const given = resolve(path);
  const real = tryRealpath(given);
  if (real === undefined) throw jailPathError(path, access, 'it does not exist');
  return { given, real, access };
}

function refuseDangerousWrite({ given, real }: Resolved, homes: readonly string[]): void {
  const root = [...writeRoots, ...homes].find((protectedRoot) => isInside(protectedRoot, real));
  if (root !== undefined) throw jailPathError(given, 'write', `it would open all of ${root}`);
  const inside = sealed.find((directory) => isInside(real, directory));
  if (inside !== undefined) throw jailPathError(given, 'write', `it is inside ${inside}`);
}

function refuseDangerousRead({ given, real }: Resolved, homes: readonly string[]): void {
  const root = [...readRoots, ...homes].find((protectedRoot) => isInside(protectedRoot, real));
  if (root !== undefined) throw jailPathError(given, 'read', `it would show all of ${root}`);
  const inside = unreadable.find((directory) => isInside(real, directory));
  if (inside !== undefined) throw jailPathError(given, 'read', `it is inside ${inside}`);
}

/** What a jailed program could write, it could have replaced by a symlink to anything. */
function refuseRedirected(path: Resolved, writes: readonly Resolved[]): void {
  for (const owner of writes) {
    const lexicallyInside = isInside(path.given, owner.given) || isInside(path.given, owner.real);
    if (lexicallyInside && !isInside(path.real, owner.real)) {
      throw jailPathError(path.given, path.access, `it leads out of ${owner.given}, which is writable inside`);
    }
  }
}

function links(paths: readonly Resolved[], mounts: readonly Mount[]): readonly Link[] {
  const found: Link[] = [];
  for (const { given, real } of [...paths].sort((a, b) => compare(a.given, b.given))) {
    if (given === real) continue;
    // Already reachable: the symlink itself is inside a mount, or inside something linked before.
    if (mounts.some((mount) => isInside(firstSymlink(given), mount.path))) continue;
    if (found.some((link) => isInside(given, link.path))) continue;
    found.push({ path: given, target: real });
  }
  return found;
}

/** The first part of a path that is a symlink: up to there it is real. */
function firstSymlink(path: string): string {
  let current = path;
  for (let parent = dirname(path); parent !== current; parent = dirname(parent)) {
    if (tryRealpath(parent) === parent) return current;
    current = parent;
  }
  return current;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function jailPathError(path: string, access: Mount['access'], why: string): ForgeError {
  const what = access === 'write' ? 'writable' : 'readable';
  return new ForgeError('bad-input', `the jail cannot make ${path} ${what}: ${why}`, {
    hint: 'Give the jail existing directories of its own, never a home or a system directory.',
  });
}
