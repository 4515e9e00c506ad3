/**
 * A control group around one started program: the kernel counts the memory and the processes of everything in it, and
 * nothing can leave. The program enters the group before it becomes what was asked for, so nothing ever runs outside.
 * A group lasts as long as its program. One whose Forge was killed is empty by then, and the next Forge removes it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GroupPlaces } from './control-group-places.ts';
import { isExecutable } from './executable.ts';
import type { Command, GroupLimits, ResourceName } from './process.ts';

export interface ControlGroup {
  /** The same program, started inside the group. */
  readonly command: Pick<Command, 'program' | 'args'>;
  /** The limit that was met, if any was. */
  excess(): ResourceName | undefined;
  /** Ends what is still inside, and removes the group. */
  remove(): Promise<void>;
}

/**
 * Undefined when the group cannot be made: the program then runs without one, and its limits are watched. The program is
 * named by its path: one that is missing is said to be missing, not the shell before it to have failed.
 */
export function makeControlGroup(
  { places, memoryBytes, processes }: GroupLimits,
  command: Pick<Command, 'program' | 'args'>,
): ControlGroup | undefined {
  if (!isExecutable(command.program)) return undefined;
  const directories = newDirectories(places);
  const { memory, pids } = directories;
  const all = [...new Set([memory, pids])];
  try {
    for (const directory of all) mkdirSync(directory);
    for (const [file, value] of limitFiles(places.version, directories, memoryBytes))
      writeFileSync(file, String(value));
    writeFileSync(join(pids, 'pids.max'), String(processes));
  } catch {
    all.forEach(removeIfEmpty);
    return undefined;
  }
  const killed = join(memory, places.version === 2 ? 'memory.events' : 'memory.oom_control');
  return {
    command: {
      program: '/bin/sh',
      args: ['-c', enter, 'sh', ...all.map((one) => join(one, 'cgroup.procs')), '--', command.program, ...command.args],
    },
    excess() {
      if (countOf('oom_kill', killed) > 0) return 'memory';
      const full = Number(read(join(pids, 'pids.current'))) >= processes;
      return full || countOf('max', join(pids, 'pids.events')) > 0 ? 'processes' : undefined;
    },
    async remove() {
      // What was killed is gone from the group a moment later.
      for (let round = 0; round < 100; round += 1) {
        all.forEach(killMembers);
        if (all.map(removeIfEmpty).every(Boolean)) return;
        await sleep(10);
      }
    },
  };
}

/** Removes the groups of processes that are gone. They are empty: what was in them died with their Forge. */
export function sweepControlGroups(places: GroupPlaces): void {
  for (const parent of places.version === 2 ? [places.directory] : [places.memory, places.pids]) {
    for (const name of namesIn(parent)) {
      const pid = /^forge-(\d+)-[0-9a-f]+$/.exec(name)?.[1];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeIfEmpty(join(parent, name));
    }
  }
}

/** Writes itself into every group named before `--`, and becomes what is named after it. */
const enter = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"';

interface Directories {
  readonly memory: string;
  readonly pids: string;
}

function newDirectories(places: GroupPlaces): Directories {
  const name = `forge-${process.pid}-${randomBytes(6).toString('hex')}`;
  if (places.version === 1) return { memory: join(places.memory, name), pids: join(places.pids, name) };
  const directory = join(places.directory, name);
  return { memory: directory, pids: directory };
}

/** Swap counts as memory: a program that is pushed out of memory would otherwise never meet its limit. */
function limitFiles(
  version: GroupPlaces['version'],
  { memory }: Directories,
  memoryBytes: number,
): readonly (readonly [file: string, value: number])[] {
  const needed = [[join(memory, version === 2 ? 'memory.max' : 'memory.limit_in_bytes'), memoryBytes]] as const;
  const known =
    version === 2
      ? ([
          [join(memory, 'memory.swap.max'), 0],
          [join(memory, 'memory.oom.group'), 1],
        ] as const)
      : ([[join(memory, 'memory.memsw.limit_in_bytes'), memoryBytes]] as const);
  return [...needed, ...known.filter(([file]) => existsSync(file))];
}

/** The number behind a name in a file of lines `name number`. */
function countOf(name: string, file: string): number {
  const line = read(file)
    .split('\n')
    .find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

function killMembers(directory: string): void {
  for (const line of read(join(directory, 'cgroup.procs')).split('\n')) {
    const pid = Number(line);
    if (pid <= 0) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone, which is what was wanted.
    }
  }
}

function removeIfEmpty(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    return !existsSync(directory);
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
