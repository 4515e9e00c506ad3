/**
 * Finds agents that stopped living: no output, no file change and no CPU use for a while, or too long
 * altogether. The decision is pure and made from samples; the watch takes the samples on an injected
 * clock. It only says so: ending the tree is the job's.
 */
import { treeCpuMs, treeFingerprint } from './activity.ts';

/** A steady clock: it must not jump when the machine sleeps or the time is set. */
export interface WatchClock {
  now(): number;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export interface ActivitySample {
  readonly at: number;
  readonly outputBytes: number;
  /** Undefined while nobody has looked: that is no sign of life. */
  readonly files: string | undefined;
  readonly cpuMs: number;
}

/** The latest sample, and when life was last seen. */
export interface ActivityWatch {
  readonly sample: ActivitySample;
  readonly activeAt: number;
}

export const startActivityWatch = (sample: ActivitySample): ActivityWatch => ({ sample, activeAt: sample.at });

export function observeSample(activity: ActivityWatch, sample: ActivitySample): ActivityWatch {
  return { sample, activeAt: showsLife(activity.sample, sample) ? sample.at : activity.activeAt };
}

/** CPU counts from one percent of a core: a hung program that polls a timer uses a little forever. */
function showsLife(before: ActivitySample, now: ActivitySample): boolean {
  const cpuShare = (now.cpuMs - before.cpuMs) / Math.max(1, now.at - before.at);
  const wroteFiles = before.files !== undefined && now.files !== before.files;
  return now.outputBytes !== before.outputBytes || wroteFiles || cpuShare > 0.01;
}

export const isIdle = (activity: ActivityWatch, idleMs: number): boolean =>
  activity.sample.at - activity.activeAt >= idleMs;

export type WatchdogVerdict =
  | { readonly status: 'idle'; readonly idleMs: number }
  | { readonly status: 'timed-out'; readonly limitMs: number };

export interface AgentWatch {
  readonly pid: number;
  readonly tree: string;
  readonly outputBytes: () => number;
  readonly limits: { readonly wallMs: number; readonly idleMs: number };
  readonly clock: WatchClock;
}

/** Resolves when the agent has to be ended, or with undefined once the signal is aborted. */
export async function watchAgent(watch: AgentWatch, signal: AbortSignal): Promise<WatchdogVerdict | undefined> {
  const { clock, limits } = watch;
  const startedAt = clock.now();
  const overdue = () => clock.now() - startedAt >= limits.wallMs;
  let activity = startActivityWatch(await takeSample(watch, undefined));
  while (!signal.aborted) {
    if (overdue()) return { status: 'timed-out', limitMs: limits.wallMs };
    if (isIdle(activity, limits.idleMs)) return { status: 'idle', idleMs: limits.idleMs };
    const left = limits.wallMs - (clock.now() - startedAt);
    await clock.wait(Math.max(1, Math.min(left, limits.idleMs / samplesPerIdle)), signal);
    if (!signal.aborted && !overdue()) activity = observeSample(activity, await takeSample(watch, activity.sample));
  }
  return undefined;
}

/** More would cost; fewer would make the idle time vague. */
const samplesPerIdle = 10;

export const steadyClock: WatchClock = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
      signal.addEventListener('abort', done);
    }),
};

/** Looking through the files is the dear part: it is left out while the cheap signs show life anyway. */
async function takeSample(watch: AgentWatch, before: ActivitySample | undefined): Promise<ActivitySample> {
  const cheap = { at: watch.clock.now(), outputBytes: watch.outputBytes(), cpuMs: treeCpuMs(watch.pid) };
  // Most agents end before anybody has to look.
  if (before === undefined) return { ...cheap, files: undefined };
  if (showsLife(before, { ...cheap, files: before.files })) return { ...cheap, files: before.files };
  return { ...cheap, files: await treeFingerprint(watch.tree) };
}
