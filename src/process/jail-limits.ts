/**
 * How much one contained program may use, with all it starts. What a single process can be held to is set on it before it
 * starts (open files, size of a file, processes, no core dumps); what only the whole shows is watched from outside.
 */
import { readFileSync } from 'node:fs';
import { release, totalmem } from 'node:os';

export interface JailLimits {
  readonly memoryBytes: number;
  /** Threads count. */
  readonly processes: number;
  /** Open at once, by one process. */
  readonly files: number;
  readonly diskBytes: number;
}

/** As settings name them: memory and disk in megabytes. */
export interface LimitSettings {
  readonly memory?: number | undefined;
  readonly processes?: number | undefined;
  readonly files?: number | undefined;
  readonly disk?: number | undefined;
}

export const usualLimits = { processes: 4096, files: 16_384, disk: 20_480 } as const;
const megabyte = 1024 * 1024;

/** Without a setting a program may use half of the machine's memory. */
export function jailLimits({ memory, processes, files, disk }: LimitSettings = {}): JailLimits {
  return {
    memoryBytes: memory === undefined ? Math.floor(totalmem() / 2) : memory * megabyte,
    processes: processes ?? usualLimits.processes,
    files: files ?? usualLimits.files,
    diskBytes: (disk ?? usualLimits.disk) * megabyte,
  };
}

/**
 * What becomes the program under these limits. In a user namespace of its own the kernel counts processes for it alone
 * (since 5.14); otherwise the count is of all that the user runs, and only a bound far above stops a flood of forks.
 */
export function prlimitArgs(prlimit: string, limits: JailLimits, ownNamespace: boolean): readonly string[] {
  const counted = ownNamespace ? (countsByNamespace() ? limits.processes : undefined) : 4 * limits.processes;
  const bounds = [
    ['nofile', 'Max open files', limits.files],
    ['fsize', 'Max file size', limits.diskBytes],
    ['nproc', 'Max processes', counted],
    ['core', 'Max core file size', 0],
  ] as const;
  const given = bounds.flatMap(([name, title, value]) =>
    value === undefined ? [] : [`--${name}=${Math.min(value, currentBound(title))}`],
  );
  return [prlimit, ...given, '--'];
}

function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release()
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}

/** A bound can only be lowered. */
function currentBound(title: string): number {
  try {
    const line = readFileSync('/proc/self/limits', 'latin1')
      .split('\n')
      .find((each) => each.startsWith(title));
    const [, hard] = line?.slice(title.length).trim().split(/\s+/) ?? [];
    return hard === undefined || hard === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(hard);
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}
