/**
 * What the operating system says about the processes that exist now. Linux is read from /proc; other
 * systems answer through `ps`. Reading only: nothing here signals anything. A process that vanishes
 * while it is read is left out, never an error.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Clock ticks since boot on Linux, the start date elsewhere: equal only for the same process. */
  readonly startTime: string;
  /** False for a zombie, which only waits to be collected. */
  readonly running: boolean;
  /** It was stopped by a signal (Ctrl-Z, SIGSTOP) and does nothing until it is continued. */
  readonly suspended?: boolean;
}

export function readProcess(pid: number): ProcessEntry | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (process.platform !== 'linux') return readPs(['-p', String(pid)])[0];
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Whether it waits for something right now. Where the system does not say, it may. */
export function isIdle(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line
      .slice(line.lastIndexOf(')') + 1)
      .trim()
      .startsWith('S');
  } catch {
    return false;
  }
}

export function listProcesses(): readonly ProcessEntry[] {
  if (process.platform !== 'linux') return readPs(['-A']);
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
}

/** One line of /proc/<pid>/stat. The program's name may hold spaces, newlines and parentheses: the last `)` ends it. */
export function parseStat(line: string): ProcessEntry | undefined {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const pid = Number(line.slice(0, open).trim());
  const fields = line
    .slice(close + 1)
    .trim()
    .split(' ');
  const [state, parent, group] = fields;
  const threads = fields[17];
  const startTime = fields[19];
  if (!Number.isSafeInteger(pid) || !/^\d+$/.test(startTime ?? '')) return undefined;
  if (state === undefined || parent === undefined || group === undefined || startTime === undefined) return undefined;
  // A leader that left through pthread_exit is shown as a zombie while its other threads go on working.
  const running = state === 'Z' || state === 'X' || state === 'x' ? Number(threads) > 1 : true;
  const suspended = state === 'T' || state === 't' ? { suspended: true } : {};
  return { pid, parent: Number(parent), group: Number(group), startTime, running, ...suspended };
}

/** One line of `ps -o pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePs(line: string): ProcessEntry | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
  const [, pid, parent, group, state, startTime] = match ?? [];
  if (pid === undefined || state === undefined || startTime === undefined) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    startTime: startTime.replace(/\s+/g, ' '),
    running: !state.startsWith('Z'),
    ...(state.startsWith('T') ? { suspended: true } : {}),
  };
}

/**
 * Process ids of a process in every pid namespace it is in, outermost first: more than one for a jailed one, and the
 * last is 1 for the first process of its namespace.
 */
export function namespacePids(pid: number): readonly number[] {
  try {
    const line = /^NSpid:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return (line?.[1] ?? '').split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Processes that have exactly this variable in their environment. Systems that do not show it name none. */
export function processesWithVariable(name: string, value: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  return listProcesses()
    .filter(({ pid, running }) => running && readEnvironment(pid).includes(`${name}=${value}`))
    .map(({ pid }) => pid);
}

function readEnvironment(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function readPs(selection: readonly string[]): ProcessEntry[] {
  const found = spawnSync('ps', [...selection, '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return (found.stdout ?? '').split('\n').flatMap((line) => parsePs(line) ?? []);
}
