/**
 * The read-only system that every jail shows: programs, libraries, configuration, the running Node, /proc. What only
 * root may read or set stays out of reach even when Forge runs as root: there a program without any capability is
 * still the owner of such files. A file that appears in /etc while a jail runs is not hidden from that jail.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeDirectories, isInside, tryRealpath } from './jail-paths.ts';

export interface SystemView {
  /** Arguments of bubblewrap that mount the system as it is now. */
  args(): readonly string[];
}

/** Remembers its walk of /etc (some milliseconds) for as long as /etc itself does not change. */
export function systemView(): SystemView {
  const fixed = [...programArgs(), ...nodeArgs()];
  const kernel = [...keyArgs(), ...(process.getuid?.() === 0 ? kernelArgs() : [])];
  let hidden: readonly PrivateEntry[] = [];
  let walkedAt = '';
  return {
    args() {
      const version = String(statSync('/etc').ctimeMs);
      if (version !== walkedAt) hidden = [...privateEntries('/etc', 4), ...privateEntries('/opt', 2)];
      walkedAt = version;
      const masks = hidden.filter(({ path }) => existsSync(path)).flatMap(mask);
      return [...fixed, '--ro-bind', '/etc', '/etc', ...masks, '--proc', '/proc', ...kernel];
    },
  };
}

/** The file with name servers often lies in /run: it is shown where it really is, when there is a network. */
export function resolverArgs(): readonly string[] {
  const file = tryRealpath('/etc/resolv.conf');
  return file === undefined || isInside(file, '/etc') || isInside(file, '/usr') ? [] : ['--ro-bind', file, file];
}

function programArgs(): readonly string[] {
  const args = ['--ro-bind', '/usr', '/usr'];
  for (const path of ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']) {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) continue;
    if (entry.isSymbolicLink()) args.push('--symlink', readlinkSync(path), path);
    else args.push('--ro-bind', path, path);
  }
  for (const path of ['/opt', '/nix']) if (existsSync(path)) args.push('--ro-bind', path, path);
  return args;
}

/** Version managers keep Node below the home: its own root is shown, never the home itself. */
function nodeArgs(): readonly string[] {
  const program = tryRealpath(process.execPath);
  if (program === undefined || ['/usr', '/opt', '/nix'].some((root) => isInside(program, root))) return [];
  return nodeRoots(program)
    .filter((path) => existsSync(path))
    .flatMap((path) => ['--ro-bind', path, path]);
}

/** What of a Node installation is to be shown: its root, or only the program where that root would be too much. */
export function nodeRoots(program: string, homes: readonly string[] = homeDirectories()): readonly string[] {
  const root = dirname(dirname(program));
  const protectedRoots = ['/usr', '/etc', '/home', '/root', '/tmp', '/var', ...homes];
  const tooMuch = protectedRoots.some((path) => isInside(path, root));
  return tooMuch ? [program, join(root, 'lib', 'node_modules')] : [root];
}

interface PrivateEntry {
  readonly path: string;
  readonly directory: boolean;
}

/** Hidden even where a careless administrator made them readable. */
const alwaysPrivate = /^\/etc\/(g?shadow-?|sudoers(\.d)?|security\/opasswd|ssh\/ssh_host_.*_key|ssl\/private)$/;

/** What others may not read: passwords, host keys, private certificates, whatever a package keeps from them. */
function privateEntries(directory: string, depth: number): readonly PrivateEntry[] {
  return namesIn(directory).flatMap((name) => {
    const path = join(directory, name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined || entry.isSymbolicLink()) return [];
    const open = entry.isDirectory() ? 0o005 : 0o004;
    if ((entry.mode & open) !== open || alwaysPrivate.test(path)) return [{ path, directory: entry.isDirectory() }];
    return entry.isDirectory() && depth > 1 ? privateEntries(path, depth - 1) : [];
  });
}

/**
 * Kernel settings belong to root by ownership alone: as root without capabilities one could still set
 * kernel.core_pattern, and so run a program outside the jail.
 */
function kernelArgs(): readonly string[] {
  const directories = ['sys', 'fs', 'acpi', 'scsi', 'driver']
    .map((name) => join('/proc', name))
    .filter((path) => existsSync(path))
    .flatMap((path) => ['--ro-bind', path, path]);
  const files = namesIn('/proc')
    .map((name) => join('/proc', name))
    .filter((path) => {
      const entry = lstatSync(path, { throwIfNoEntry: false });
      return entry?.isFile() === true && ((entry.mode & 0o222) !== 0 || (entry.mode & 0o004) === 0);
    });
  return [...directories, ...files.flatMap((path) => mask({ path, directory: false }))];
}

/** Keys of the session Forge was started from: their names are shown there, and no call can reach them. */
function keyArgs(): readonly string[] {
  return ['/proc/keys', '/proc/key-users']
    .filter((path) => existsSync(path))
    .flatMap((path) => mask({ path, directory: false }));
}

function mask({ path, directory }: PrivateEntry): readonly string[] {
  return directory ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
