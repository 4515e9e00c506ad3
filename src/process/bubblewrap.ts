/**
 * The jail on Linux: bubblewrap. A contained program sees the system read-only, the paths of its policy, a private
 * /tmp, /run, /dev and /proc, and nothing else. It has no capabilities and can gain none; its pid namespace dies with
 * Forge, however Forge dies. Environment values travel through the environment, never through arguments, which every
 * user of the machine can read. No `--new-session`: `spawn.ts` gives every child its own session already, and the
 * jail's first process must stay in that process group, because waiting for the group is waiting for the whole jail.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { isExecutable } from './executable.ts';
import type { GroupPlaces } from './control-group-places.ts';
import type { Jail, JailPolicy } from './jail.ts';
import { deviceArgs, type MemoryDirectories, memoryDirectory } from './jail-dev.ts';
import { type JailLimits, jailLimits, prlimitArgs } from './jail-limits.ts';
import { isInside, type PolicyMounts, policyMounts, tryRealpath } from './jail-paths.ts';
import { resolverArgs, type SystemView, systemView } from './jail-system.ts';
import { handOverFiles, type JailUser, switchArgs, switchCapabilities } from './jail-user.ts';
import type { Command } from './process.ts';
import { seccompFilter } from './seccomp-filter.ts';

export interface BubblewrapOptions {
  /** Path of bwrap; default: looked up in the PATH of Forge itself. */
  readonly program?: string;
  /** Why the network policy `off` cannot be had here, when a probe has shown that. */
  readonly offUnavailable?: string;
  /** Programs run as this user; undefined: as the one who runs Forge. */
  readonly user?: JailUser | undefined;
  readonly limits?: JailLimits;
  /** Where the kernel can hold each program to its limits. */
  readonly groups?: GroupPlaces | undefined;
}

export function bubblewrapJail(options: BubblewrapOptions = {}): Jail {
  const bwrap = options.program ?? findProgram('bwrap');
  if (bwrap === undefined) {
    throw new ForgeError('jail-unavailable', 'bubblewrap (bwrap) is not installed', {
      hint: 'Install the package bubblewrap (apt, dnf, pacman and apk all call it so).',
    });
  }
  const { user, limits = jailLimits(), groups } = options;
  const { memoryBytes, processes } = limits;
  const prlimit = findProgram('prlimit');
  const frame: Frame = { bwrap, user, system: systemView(), ...featuresOf(bwrap, limits) };
  const filter = seccompFilter(process.arch);
  return {
    name: 'bubblewrap',
    ...(user === undefined ? {} : { user: user.uid }),
    limitsHeldBy: groups === undefined ? 'watching' : 'kernel',
    wrap(command, policy) {
      const prefix = withoutNetwork(policy, options);
      const env = { ...command.env, HOME: policy.home, TMPDIR: policy.tmp };
      const [loading, harmless] = divide(Object.entries(env), ([name]) => loadsCode.test(name));
      const { mounts, links } = policyMounts(policy);
      if (user !== undefined) refuseUnreadable(policy);
      return {
        ...command,
        program: prefix[0] ?? bwrap,
        args: [
          ...(prefix.length === 0 ? [] : [...prefix.slice(1), bwrap]),
          ...isolationArgs(policy, frame),
          ...(filter === undefined ? [] : ['--seccomp', '3']),
          ...frame.system.args(),
          ...mountArgs(policy, { frame, mounts, links }),
          ...becomeArgs(frame, visibleDirectory(command, mounts), loading),
          ...(prlimit === undefined ? [] : prlimitArgs(prlimit, limits, user === undefined)),
          command.program,
          ...command.args,
        ],
        limits: {
          ...command.limits,
          resources: { ...limits, paths: writtenPaths(mounts) },
          ...(groups === undefined ? {} : { group: { places: groups, memoryBytes, processes } }),
        },
        cwd: '/',
        env: Object.fromEntries(harmless),
        ...(filter === undefined ? {} : { inputs: [filter] }),
        ...(user === undefined ? {} : { before: [handOverFiles(user, ownPaths(mounts, policy))] }),
      };
    },
  };
}

interface Frame extends Features {
  readonly bwrap: string;
  readonly user: JailUser | undefined;
  readonly system: SystemView;
}

/** What this version of bubblewrap can do. */
interface Features {
  readonly canDisableUserns: boolean;
  readonly memory: MemoryDirectories;
}

function featuresOf(bwrap: string, { memoryBytes }: JailLimits): Features {
  const help = spawnSync(bwrap, ['--help'], { encoding: 'utf8', env: {} });
  const knows = (option: string): boolean => `${help.stdout}${help.stderr}`.includes(option);
  return {
    canDisableUserns: knows('--disable-userns'),
    memory: { size: knows('--size') ? Math.floor(memoryBytes / 2) : undefined, perms: knows('--perms') },
  };
}

/**
 * Variables with which the loader and the C library take code and files from paths. In the environment they would act
 * on bubblewrap itself, which is not yet contained; as arguments they reach only the contained program.
 */
const loadsCode =
  /^(LD_.*|GLIBC_.*|MALLOC_.*|GCONV_PATH|GETCONF_DIR|LOCPATH|NLSPATH|TZDIR|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN)$/;

/**
 * Where the program's own command line begins. As another user, its directory and those variables come after the change
 * of user: before it, what becomes the user is still root, to whom the directory is closed and a variable must not reach.
 */
function becomeArgs({ user }: Frame, cwd: string, loading: readonly (readonly [string, string])[]): readonly string[] {
  if (user === undefined) return ['--chdir', cwd, ...loading.flatMap((pair) => ['--setenv', ...pair]), '--'];
  const assignments = [['PWD', cwd], ...loading].map(([name, value]) => `${name}=${value}`);
  return ['--chdir', '/', '--', ...switchArgs(user), user.env, `--chdir=${cwd}`, ...assignments];
}

function isolationArgs(policy: JailPolicy, { user, canDisableUserns }: Frame): readonly string[] {
  return [
    ...(user === undefined ? sameUserArgs(canDisableUserns) : []),
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(policy.network === 'loopback' ? ['--unshare-net'] : []),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...(user === undefined ? [] : switchCapabilities.flatMap((name) => ['--cap-add', name])),
    '--hostname',
    'forge',
  ];
}

/**
 * Ids are named, because `unshare` below makes us root of a namespace: inside everyone is who they were. Root that stays
 * root can make no further namespaces (from bubblewrap 0.8 on), also where the filter is not known.
 */
function sameUserArgs(canDisableUserns: boolean): readonly string[] {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const sealed = uid === 0 && canDisableUserns ? ['--disable-userns'] : [];
  return ['--unshare-user', '--uid', String(uid), '--gid', String(gid), ...sealed];
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
    throw new ForgeError('jail-unavailable', `the network policy \`off\` does not work here: ${trouble}`, {
      hint: 'Install the package util-linux if it is missing, or choose the network policy `loopback`.',
    });
  }
  return [unshare, ...(options.user === undefined ? ['--map-root-user'] : []), '--net', '--'];
}

function visibleDirectory(command: Command, mounts: PolicyMounts['mounts']): string {
  const cwd = tryRealpath(command.cwd);
  if (cwd === undefined) throw new ForgeError('bad-input', `the working directory ${command.cwd} does not exist`);
  const visible = [...mounts.map((mount) => mount.path), '/usr', '/etc', '/opt', '/nix'];
  if (cwd !== '/' && !visible.some((path) => isInside(cwd, path))) {
    throw new ForgeError('bad-input', `the working directory ${command.cwd} is not visible in the jail`, {
      hint: 'Name it, or a directory above it, among the readable or writable paths.',
    });
  }
  return cwd;
}

function mountArgs(policy: JailPolicy, { frame, mounts, links }: PolicyMounts & { frame: Frame }): readonly string[] {
  const { memory } = frame;
  const base = [...deviceArgs(memory), ...memoryDirectory('/tmp', memory), '--tmpfs', '/run', '--dir', '/var'];
  const familiar = ['--symlink', '../run', '/var/run', '--symlink', '../tmp', '/var/tmp'];
  return [
    ...base,
    ...familiar,
    ...(policy.network === 'on' ? resolverArgs() : []),
    ...(memory.perms ? parentArgs([...mounts, ...links]) : []),
    ...mounts.flatMap(({ path, access }) => [access === 'write' ? '--bind' : '--ro-bind', path, path]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...(policy.hidden ?? []).flatMap(hidingArgs),
    '--remount-ro',
    '/',
  ];
}

/** Directories on the way to what is mounted, open to everybody inside: bubblewrap would make them for root alone. */
function parentArgs(places: readonly { readonly path: string }[]): readonly string[] {
  const parents = new Set<string>();
  for (const { path } of places) {
    for (let parent = dirname(path); parent !== '/'; parent = dirname(parent)) parents.add(parent);
  }
  return [...parents]
    .filter((path) => !places.some((place) => isInside(path, place.path)))
    .filter((path) => !['/usr', '/etc', '/opt', '/nix', '/tmp', '/dev', '/proc', '/run', '/var'].includes(path))
    .sort()
    .flatMap((path) => ['--perms', '0755', '--dir', path]);
}

/** What Forge made for the program, without what lies in another one of these. */
function ownPaths(mounts: PolicyMounts['mounts'], { given = [] }: JailPolicy): readonly string[] {
  const all = [...new Set([...writtenPaths(mounts), ...given.flatMap((path) => tryRealpath(path) ?? [])])];
  return all.filter((path) => !all.some((other) => other !== path && isInside(path, other)));
}

function writtenPaths(mounts: PolicyMounts['mounts']): readonly string[] {
  return mounts.filter(({ access }) => access === 'write').map(({ path }) => path);
}

/** Another user than root reads only what everybody may read. */
function refuseUnreadable({ readable, given = [] }: JailPolicy): void {
  for (const path of readable.filter((one) => !given.includes(one))) {
    const entry = statSync(path, { throwIfNoEntry: false });
    if (entry === undefined) continue;
    const open = entry.isDirectory() ? 0o005 : 0o004;
    if ((entry.mode & open) === open) continue;
    throw new ForgeError(
      'bad-input',
      `the jail cannot show ${path}: only root may read it, and agents do not run as root`,
      {
        hint: `Run Forge as an ordinary user, or let everybody read it: chmod -R o+rX ${path}`,
      },
    );
  }
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

/**
 * Looked up in the PATH of Forge, never in that of the command, which may come from anyone. A link is followed, because the
 * jail may not show where it lies, unless it leads to a program of another name, which goes by the name it is called with.
 */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/local/bin'];
  const found = directories
    .filter((directory) => isAbsolute(directory))
    .map((directory) => join(directory, name))
    .find(isExecutable);
  const real = found === undefined ? undefined : tryRealpath(found);
  return real !== undefined && basename(real) === name ? real : found;
}
