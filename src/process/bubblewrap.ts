/**
 * The jail on Linux: bubblewrap. A contained program sees the system read-only, the paths of its policy, a private
 * /tmp, /run, /dev and /proc, and nothing else. It has no capabilities and can gain none; its pid namespace dies with
 * Forge, however Forge dies. Environment values travel through the environment, never through arguments, which every
 * user of the machine can read. No `--new-session`: `spawn.ts` gives every child its own session already, and the
 * jail's first process must stay in that process group, because waiting for the group is waiting for the whole jail.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isExecutable } from './executable.ts';
import { ForgeError } from '../errors.ts';
import type { Jail, JailPolicy } from './jail.ts';
import { isInside, policyMounts, tryRealpath } from './jail-paths.ts';
import { resolverArgs, systemView } from './jail-system.ts';
import type { Command } from './process.ts';

export interface BubblewrapOptions {
  /** Path of bwrap; default: looked up in the PATH of Forge itself. */
  readonly program?: string;
  /** Why the network policy `off` can not be had here, when a probe has shown that. */
  readonly offUnavailable?: string;
}

export function bubblewrapJail(options: BubblewrapOptions = {}): Jail {
  const bwrap = options.program ?? findProgram('bwrap');
  if (bwrap === undefined) {
    throw new ForgeError('jail-unavailable', 'bubblewrap (bwrap) is not installed', {
      hint: 'Install the package bubblewrap (apt, dnf, pacman and apk all call it so).',
    });
  }
  const system = systemView();
  const sealed = sealArgs(bwrap);
  return {
    name: 'bubblewrap',
    wrap(command, policy) {
      const prefix = withoutNetwork(policy, options);
      const env = { ...command.env, HOME: policy.home, TMPDIR: policy.tmp };
      const [loading, harmless] = divide(Object.entries(env), ([name]) => loadsCode.test(name));
      return {
        ...command,
        program: prefix[0] ?? bwrap,
        args: [
          ...(prefix.length === 0 ? [] : [...prefix.slice(1), bwrap]),
          ...isolationArgs(policy),
          ...sealed,
          ...system.args(),
          ...mountArgs(command, policy),
          ...loading.flatMap(([name, value]) => ['--setenv', name, value]),
          '--',
          command.program,
          ...command.args,
        ],
        cwd: '/',
        env: Object.fromEntries(harmless),
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
    // Named, because `unshare` below makes us root of a namespace: inside everyone is who they were.
    '--uid',
    String(process.getuid?.() ?? 0),
    '--gid',
    String(process.getgid?.() ?? 0),
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(policy.network === 'loopback' ? ['--unshare-net'] : []),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--hostname',
    'forge',
  ];
}

/**
 * As root even a powerless program owns what root owns, and a namespace of its own making would give it the powers to
 * use that; so root can make none inside (from bubblewrap 0.8 on). Others may: sandboxes within the jail need it.
 */
function sealArgs(bwrap: string): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const help = spawnSync(bwrap, ['--help'], { encoding: 'utf8', env: {} });
  return `${help.stdout}${help.stderr}`.includes('--disable-userns') ? ['--disable-userns'] : [];
}

/**
 * bubblewrap brings loopback up in every network namespace it makes, so one without any is made before it starts.
 * `unshare` replaces itself by bubblewrap, which keeps Forge as the parent to die with.
 */
function withoutNetwork(policy: JailPolicy, options: BubblewrapOptions): readonly string[] {
  if (policy.network !== 'off') return [];
  const unshare = findProgram('unshare');
  const trouble = unshare === undefined ? 'the program unshare is not installed' : options.offUnavailable;
  if (unshare === undefined || trouble !== undefined) {
    throw new ForgeError('jail-unavailable', `the network policy \`off\` can not be had here: ${trouble}`, {
      hint: 'Install the package util-linux if it is missing, or choose the network policy `loopback`.',
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
  const base = ['--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run', '--dir', '/var'];
  const familiar = ['--symlink', '../run', '/var/run', '--symlink', '../tmp', '/var/tmp'];
  return [
    ...base,
    ...familiar,
    ...(policy.network === 'on' ? resolverArgs() : []),
    ...mounts.flatMap(({ path, access }) => [access === 'write' ? '--bind' : '--ro-bind', path, path]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...(policy.hidden ?? []).flatMap(hidingArgs),
    '--remount-ro',
    '/',
    '--chdir',
    cwd,
  ];
}

/** An empty directory or file over what is there; what is not there needs no hiding. */
function hidingArgs(path: string): readonly string[] {
  const real = tryRealpath(path);
  if (real === undefined) return [];
  return statSync(real).isDirectory() ? ['--tmpfs', real, '--remount-ro', real] : ['--ro-bind', '/dev/null', real];
}

function divide<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

/** Looked up in the PATH of Forge, never in that of the command, which may come from anyone. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/local/bin'];
  return directories
    .filter((directory) => isAbsolute(directory))
    .map((directory) => join(directory, name))
    .find(isExecutable);
}
