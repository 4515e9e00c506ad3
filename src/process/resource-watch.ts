/**
 * Watches what a started program and everything below it use: memory, processes with their threads, and disk. Twice a
 * second, because a limit of the system stops one call of one process, and says nothing: here the whole tree is ended, for
 * a reason that people can read. Memory is what its processes hold together, shared pages shared out where the system says so,
 * with files that live in memory and that no process has to hold (hidden-memory.ts).
 * Where the program is in a control group, the kernel counts memory and processes, and is only asked.
 * Disk is first looked at as free space, which costs nothing, and measured only when that went down by the limit.
 */
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { filesInMemory, sharedMemoryBytes } from './hidden-memory.ts';
import type { ResourceLimits, ResourceName } from './process.ts';

export interface ResourceWatch {
  stop(): void;
}

export interface WatchOptions {
  readonly pid: number;
  readonly limits: ResourceLimits;
  /** What a control group says of memory and processes. Without one, the processes are looked at. */
  readonly excess?: (() => ResourceName | undefined) | undefined;
  /** Bytes that these paths take. */
  readonly measure: (paths: readonly string[]) => Promise<number>;
  readonly onExcess: (resource: ResourceName) => void;
}

const everyMs = 500;
const pageBytes = 4096;

export function watchResources({ pid, limits, excess, measure, onExcess }: WatchOptions): ResourceWatch {
  let free = freeBytes(limits.paths);
  const sharedBefore = sharedMemoryBytes();
  let measuring = false;
  let over = false;
  const report = (resource: ResourceName): void => {
    if (!over) onExcess(resource);
    over = true;
  };
  const lookAtDisk = async (): Promise<void> => {
    const now = freeBytes(limits.paths);
    if (measuring || free - now < limits.diskBytes) return;
    measuring = true;
    const used = await measure(limits.paths).catch(() => 0);
    measuring = false;
    if (used > limits.diskBytes) report('disk');
    // Somebody else filled it: what comes from now on counts.
    else free = now;
  };
  const lookAtMembers = (): ResourceName | undefined => {
    const members = membersBelow(pid);
    const threads = members.reduce((sum, member) => sum + member.threads, 0);
    if (threads >= limits.processes) return 'processes';
    return memoryOf(members, limits.memoryBytes, sharedBefore) > limits.memoryBytes ? 'memory' : undefined;
  };
  const timer = setInterval(() => {
    const resource = (excess ?? lookAtMembers)();
    if (resource === undefined) void lookAtDisk();
    else report(resource);
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

interface Member {
  readonly pid: number;
  readonly parent: number;
  readonly threads: number;
  readonly residentBytes: number;
}

/**
 * The sum of what each holds. Only when that, with all that came into shared memory on this machine meanwhile, is too much,
 * pages that several hold are counted once and files in memory are looked for.
 */
function memoryOf(members: readonly Member[], limit: number, sharedBefore: number): number {
  const resident = members.reduce((sum, member) => sum + member.residentBytes, 0);
  const grown = Math.max(0, sharedMemoryBytes() - sharedBefore);
  if (resident + grown <= limit) return resident;
  const held = members.reduce((sum, member) => sum + ownBytes(member), 0);
  return held + filesInMemory(members.map(({ pid }) => pid));
}

/** Without what it has mapped of files in memory, which are counted as files. */
function ownBytes({ pid, residentBytes }: Member): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    const kilobytes = (name: string): number | undefined => {
      const found = new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(text)?.[1];
      return found === undefined ? undefined : Number(found);
    };
    const all = kilobytes('Pss');
    return all === undefined ? residentBytes : (all - (kilobytes('Pss_Shmem') ?? 0)) * 1024;
  } catch {
    return residentBytes;
  }
}

let table: { readonly at: number; readonly members: readonly Member[] } = { at: -1, members: [] };

/** One look at the processes serves all watches of the same moment. */
function listMembers(): readonly Member[] {
  const now = performance.now();
  if (table.at >= 0 && now - table.at < everyMs / 4) return table.members;
  table = { at: now, members: readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readMember(name) : [])) };
  return table.members;
}

function readMember(name: string): readonly Member[] {
  try {
    const line = readFileSync(`/proc/${name}/stat`, 'latin1');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [parent, threads, pages] = [fields[1], fields[17], fields[21]].map(Number) as [number, number, number];
    return [{ pid: Number(name), parent, threads, residentBytes: pages * pageBytes }];
  } catch {
    return [];
  }
}

/** In a jail nothing leaves its parents: orphans become children of its first process. */
function membersBelow(pid: number): readonly Member[] {
  const children = new Map<number, Member[]>();
  for (const member of listMembers()) children.set(member.parent, [...(children.get(member.parent) ?? []), member]);
  const found: Member[] = [];
  for (let next = children.get(pid) ?? []; next.length > 0; ) {
    found.push(...next);
    next = next.flatMap((member) => children.get(member.pid) ?? []);
  }
  return found;
}

function freeBytes(paths: readonly string[]): number {
  const [path] = paths;
  if (path === undefined) return 0;
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
