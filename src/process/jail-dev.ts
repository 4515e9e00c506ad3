/**
 * What a jail makes of its own instead of showing the machine's: a /dev with the few devices every program expects, to
 * which nothing can be added, and directories in memory, each with a size.
 */

export interface MemoryDirectories {
  /** Bytes each may take; undefined where this bubblewrap cannot say so. */
  readonly size: number | undefined;
  /** Does this bubblewrap know permissions? Otherwise what it makes is for its own user only. */
  readonly perms: boolean;
}

export function deviceArgs(memory: MemoryDirectories): readonly string[] {
  return ['--dev', '/dev', ...memoryDirectory('/dev/shm', memory), '--remount-ro', '/dev'];
}

/** For everybody inside, as /tmp is everywhere. */
export function memoryDirectory(path: string, { size, perms }: MemoryDirectories): readonly string[] {
  return [
    ...(perms ? ['--perms', '1777'] : []),
    ...(size === undefined ? [] : ['--size', String(size)]),
    '--tmpfs',
    path,
  ];
}
