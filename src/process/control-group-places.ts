/**
 * Where on this machine Forge may make control groups (cgroups) below its own: worked out from what /proc says, and tried
 * nowhere here. Version 2 needs a group that lets its children be limited and that Forge may write; version 1 needs the
 * hierarchies of memory and of processes. Undefined where there is none, as in most containers: then limits are watched.
 */
import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export type GroupPlaces =
  | { readonly version: 2; readonly directory: string }
  | { readonly version: 1; readonly memory: string; readonly pids: string };

export function findGroupPlaces(): GroupPlaces | undefined {
  try {
    const own = ownGroups(readFileSync('/proc/self/cgroup', 'utf8'), readFileSync('/proc/self/mountinfo', 'utf8'));
    const unified = own.unified === undefined ? undefined : limitableAbove(own.unified);
    if (unified !== undefined) return { version: 2, directory: unified };
    const { memory, pids } = own;
    if (memory === undefined || pids === undefined || ![memory, pids].every(({ path }) => isWritable(path))) return;
    return { version: 1, memory: memory.path, pids: pids.path };
  } catch {
    return undefined;
  }
}

export interface OwnGroup {
  readonly path: string;
  /** Where the hierarchy is mounted: nothing above it can be reached. */
  readonly top: string;
}

/** The groups this process is in, by the texts of /proc/self/cgroup and /proc/self/mountinfo. */
export function ownGroups(
  groups: string,
  mounts: string,
): { readonly unified?: OwnGroup; readonly memory?: OwnGroup; readonly pids?: OwnGroup } {
  const mounted = mounts.split('\n').flatMap(readMount);
  const found = groups.split('\n').flatMap((line) => {
    const [, id, names = '', path = ''] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? [];
    if (id === undefined) return [];
    const mount = mounted.find(({ controllers }) =>
      id === '0' ? controllers === undefined : controllers?.some((each) => names.split(',').includes(each)),
    );
    const below = mount === undefined ? undefined : pathBelow(mount.root, path);
    if (mount === undefined || below === undefined) return [];
    const group = { path: resolve(mount.top, `.${below}`), top: mount.top };
    return (id === '0' ? ['unified'] : names.split(',')).map((name) => [name, group] as const);
  });
  return Object.fromEntries(found.filter(([name]) => ['unified', 'memory', 'pids'].includes(name)));
}

interface Mount {
  /** The part of the hierarchy that is mounted. */
  readonly root: string;
  readonly top: string;
  /** Undefined in version 2. */
  readonly controllers: readonly string[] | undefined;
}

function readMount(line: string): readonly Mount[] {
  const [place = '', kind = ''] = line.split(' - ');
  const [, , , root, top] = place.split(' ');
  const [type, , options = ''] = kind.split(' ');
  if (root === undefined || top === undefined || (type !== 'cgroup' && type !== 'cgroup2')) return [];
  const controllers = type === 'cgroup2' ? undefined : options.split(',');
  return [{ root: unescapeMount(root), top: unescapeMount(top), controllers }];
}

/** A space, a tab, a newline and a backslash stand as octal numbers there. */
function unescapeMount(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

function pathBelow(root: string, path: string): string | undefined {
  if (path.split('/').includes('..')) return undefined;
  if (root === '/') return path;
  return path === root || path.startsWith(`${root}/`) ? `/${path.slice(root.length + 1)}` : undefined;
}

/** The nearest group, from this one up, whose children can be limited and between whose children Forge may move processes. */
function limitableAbove({ path, top }: OwnGroup): string | undefined {
  for (let directory = path; ; directory = dirname(directory)) {
    if (canLimitChildren(directory)) return directory;
    if (directory === top || directory === '/') return undefined;
  }
}

function canLimitChildren(directory: string): boolean {
  try {
    const enabled = readFileSync(join(directory, 'cgroup.subtree_control'), 'utf8').trim().split(' ');
    return ['memory', 'pids'].every((name) => enabled.includes(name)) && isWritable(directory);
  } catch {
    return false;
  }
}

function isWritable(directory: string): boolean {
  try {
    for (const path of [directory, join(directory, 'cgroup.procs')]) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
