/**
 * The read-only system that every jail shows: programs, libraries, configuration, the running Node. Configuration
 * that only root may read stays hidden even when Forge runs as root. Looked up once per jail: it costs a walk of /etc.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeDirectories, isInside, tryRealpath } from './jail-paths.ts';

/** Arguments of bubblewrap that mount the system. */
export function systemArgs(): readonly string[] {
  return [...programArgs(), ...configurationArgs(), ...nodeArgs()];
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

function configurationArgs(): readonly string[] {
  if (!existsSync('/etc')) return [];
  const hidden = privateEntries('/etc').flatMap(({ path, directory }) =>
    directory ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
  );
  return ['--ro-bind', '/etc', '/etc', ...hidden];
}

interface PrivateEntry {
  readonly path: string;
  readonly directory: boolean;
}

/** What others may not read: passwords, host keys, private certificates, whatever a package keeps from them. */
function privateEntries(directory: string): readonly PrivateEntry[] {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(directory, name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined || entry.isSymbolicLink()) return [];
    const open = entry.isDirectory() ? 0o005 : 0o004;
    if ((entry.mode & open) !== open || alwaysPrivate.test(path)) return [{ path, directory: entry.isDirectory() }];
    return entry.isDirectory() ? privateEntries(path) : [];
  });
}

/** Hidden even where a careless administrator made them readable. */
const alwaysPrivate = /^\/etc\/(g?shadow-?|sudoers(\.d)?|security\/opasswd|ssh\/ssh_host_.*_key|ssl\/private)$/;

/** Version managers keep Node below the home: its own root is shown, never the home itself. */
function nodeArgs(): readonly string[] {
  const program = tryRealpath(process.execPath);
  if (program === undefined) return [];
  if (['/usr', '/opt', '/nix'].some((root) => isInside(program, root))) return [];
  const root = dirname(dirname(program));
  const tooMuch = root === '/' || homeDirectories().some((home) => isInside(home, root));
  const shown = tooMuch ? [program, join(root, 'lib', 'node_modules')] : [root];
  return shown.filter((path) => statSync(path, { throwIfNoEntry: false })).flatMap((path) => ['--ro-bind', path, path]);
}
