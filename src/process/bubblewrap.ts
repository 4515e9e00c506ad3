/**
 * The jail on Linux: bubblewrap. A contained program sees the system read-only, the paths of its policy, a private
 * /tmp, /run, /dev and /proc, and nothing else. It has no capabilities and can gain none; its pid namespace dies with
 * Forge, however Forge dies. Environment values travel through the environment, never through arguments, which every
 * user of the machine can read. No `--new-session`: `spawn.ts` gives every child its own session already, and the
 * jail's first process must stay in that process group, because waiting for the group is waiting for the whole jail.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ForgeError } from '../errors.ts';
import type { Jail, JailPolicy } from './jail.ts';
import { isInside, policyMounts, tryRealpath } from './jail-paths.ts';
import { resolverArgs, systemArgs } from './jail-system.ts';
import type { Command } from './process.ts';

export interface BubblewrapOptions {
  /** Path of bwrap; default: looked up in the PATH of Forge itself. */
  readonly program?: string;
}

export function bubblewrapJail(options: BubblewrapOptions = {}): Jail {
  const bwrap = options.program ?? findProgram('bwrap');
  if (bwrap === undefined) {
    throw new ForgeError('jail-unavailable', 'bubblewrap (bwrap) is not installed', {
      hint: 'Install the package bubblewrap (apt, dnf, pacman and apk all call it so).',
    });
  }
  let system: readonly string[] | undefined;
  return {
    name: 'bubblewrap',
    wrap(command, policy) {
      system ??= systemArgs();
      const [program, ...before] = [...networkPrefix(policy), bwrap];
      if (program === undefined) throw new Error('no program to start');
      const env = { ...command.env, HOME: policy.home, TMPDIR: policy.tmp };
      const loaded = Object.entries(env).filter(([name]) => loadsCode.test(name));
      return {
        ...command,
        program,
        args: [
          ...before,
          ...isolationArgs(policy),
          ...system,
          ...(policy.network === 'on' ? resolverArgs() : []),
          ...mountArgs(command, policy),
          ...loaded.flatMap(([name, value]) => ['--setenv', name, value]),
          '--',
          command.program,
          ...command.args,
        ],
        cwd: '/',
        env: Object.fromEntries(Object.entries(env).filter(([name]) => !loadsCode.test(name))),
      };
    },
  };
}

/**
 * Variables with which the loader and the C library take code and files from paths. In the environment they would act
 * on bubblewrap itself, which is not yet contained; as arguments they reach only the contained program.
 */
const loadsCode =
  /^(LD_.*|GLIBC_.*|MALLOC_.*|GCONV_PATH|GETCONF_DIR|LOCPATH|NLSPATH|TZDIR|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN)$/;

function isolationArgs(policy: JailPolicy): readonly string[] {
  return [
    '--unshare-user',
    // Named, because `unshare` below has made us root of a namespace: inside everyone is who they were.
    ...['--uid', String(process.getuid?.() ?? 0), '--gid', String(process.getgid?.() ?? 0)],
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(policy.network === 'loopback' ? ['--unshare-net'] : []),
    '--die-with-parent',
    ...['--cap-drop', 'ALL'],
    ...['--hostname', 'forge'],
  ];
}

/**
 * bubblewrap brings loopback up in every network namespace it makes, so one without any is made before it starts.
 * `unshare` replaces itself by bubblewrap, which keeps Forge as the parent to die with.
 */
function networkPrefix(policy: JailPolicy): readonly string[] {
  if (policy.network !== 'off') return [];
  const unshare = findProgram('unshare');
  if (unshare === undefined) {
    throw new ForgeError('jail-unavailable', 'network policy `off` needs the program unshare, which is not installed', {
      hint: 'Install the package util-linux, or choose the network policy `loopback`.',
    });
  }
  return [unshare, '--map-root-user', '--net', '--'];
}

function mountArgs(command: Command, policy: JailPolicy): readonly string[] {
  const { mounts, links } = policyMounts(policy);
  const cwd = tryRealpath(command.cwd);
  if (cwd === undefined) throw new ForgeError('bad-input', `the working directory ${command.cwd} does not exist`);
  const visible = [...mounts.map((mount) => mount.path), '/usr', '/etc', '/opt', '/nix'];
  if (cwd !== '/' && !visible.some((path) => isInside(cwd, path))) {
    throw new ForgeError('bad-input', `the working directory ${command.cwd} is not visible in the jail`, {
      hint: 'Name it, or a directory above it, among the readable or writable paths.',
    });
  }
  return [
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run'],
    ...['--dir', '/var', '--symlink', '../run', '/var/run', '--symlink', '../tmp', '/var/tmp'],
    ...mounts.flatMap(({ path, access }) => [access === 'write' ? '--bind' : '--ro-bind', path, path]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...['--remount-ro', '/', '--chdir', cwd],
  ];
}

/** Looked up in the PATH of Forge, never in that of the command, which may come from anyone. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/local/bin'];
  return directories
    .filter((directory) => isAbsolute(directory))
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
