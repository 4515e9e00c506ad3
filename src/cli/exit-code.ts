/** How a run's end becomes an exit code. Pure. */
import { ForgeError } from '../errors.ts';

export interface RunEnding {
  readonly status: string;
  readonly error?: unknown;
}

const codes: Readonly<Record<string, number>> = {
  done: 0,
  failed: 1,
  cancelled: 1,
  unreadable: 5,
  waiting: 3,
  limited: 4,
  paused: 130,
  interrupted: 130,
  running: 0,
};

export function exitCode(end: RunEnding): number {
  if (end.status === 'stopped')
    return end.error instanceof ForgeError ? end.error.exitCode : end.error === undefined ? 5 : 70;
  return codes[end.status] ?? 70;
}
