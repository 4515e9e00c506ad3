/**
 * Memory that a program can fill without any of its processes holding it: files made by `memfd_create` that are open and
 * not mapped. What cannot be looked at counts as nothing. Not seen: System V segments that nobody is attached to, and
 * files on their way through a socket. The `/tmp` and `/dev/shm` of a jail are bounded where they are mounted.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** Of the whole machine, in all such files and segments. */
export function sharedMemoryBytes(): number {
  try {
    const kilobytes = /^Shmem:\s*(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'latin1'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Of these processes: each file once, however many have it open. */
export function filesInMemory(pids: readonly number[]): number {
  const sizes = new Map<string, number>();
  for (const pid of pids) {
    for (const [id, bytes] of anonymousFiles(pid)) sizes.set(id, bytes);
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

type Sized = readonly [id: string, bytes: number];

function anonymousFiles(pid: number): readonly Sized[] {
  return orNone(() => readdirSync(`/proc/${pid}/fd`)).flatMap((name) =>
    orNone((): Sized[] => {
      const place = `/proc/${pid}/fd/${name}`;
      if (!readlinkSync(place).startsWith('/memfd:')) return [];
      const { dev, ino, blocks } = statSync(place);
      return [[`${dev}:${ino}`, blocks * 512]];
    }),
  );
}

function orNone<T>(look: () => readonly T[]): readonly T[] {
  try {
    return look();
  } catch {
    return [];
  }
}
