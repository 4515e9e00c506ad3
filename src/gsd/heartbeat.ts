/**
 * How long a run may be silent before it counts as abandoned, where nobody can ask whether its process still lives, as
 * on another machine. On this machine the process itself is asked. Pure.
 */
const resumeAfterMs = 5 * 60_000;
const shownForMs = 15 * 60_000;

export type Heartbeat = 'fresh' | 'stale';

/** For the decision whether a run may be taken over. */
export function heartbeatOf(silentMs: number): Heartbeat {
  return silentMs <= resumeAfterMs ? 'fresh' : 'stale';
}

/** For lists: a silent run is shown as active a while longer. */
export function isShownActive(silentMs: number): boolean {
  return silentMs <= shownForMs;
}
