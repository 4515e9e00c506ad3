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

export interface Sample {
  readonly at: number;
  readonly outputBytes: number;
  readonly files: string;
  readonly cpuMs: number;
}

/** The latest sample, and when life was last seen. */
export interface Vigil {
  readonly sample: Sample;
  readonly activeAt: number;
}

export const beginVigil = (sample: Sample): Vigil => ({ sample, activeAt: sample.at });

export function observe(vigil: Vigil, sample: Sample): Vigil {
  return { sample, activeAt: showsLife(vigil.sample, sample) ? sample.at : vigil.activeAt };
}

/** CPU counts from one percent of a core: a hung program that polls a timer uses a little for ever. */
function showsLife(before: Sample, now: Sample): boolean {
  const cpuShare = (now.cpuMs - before.cpuMs) / Math.max(1, now.at - before.at);
  return now.outputBytes !== before.outputBytes || now.files !== before.files || cpuShare > 0.01;
}

export const isIdle = (vigil: Vigil, idleMs: number): boolean => vigil.sample.at - vigil.activeAt >= idleMs;

export type Bark =
  | { readonly status: 'idle'; readonly idleMs: number }
  | { readonly status: 'timed-out'; readonly limitMs: number };

export interface Watch {
  readonly pid: number;
  readonly tree: string;
  readonly outputBytes: () => number;
  readonly limits: { readonly wallMs: number; readonly idleMs: number };
  readonly clock: WatchClock;
}

/** Resolves when the agent has to be ended, or with undefined once the signal is aborted. */
export async function watchAgent(watch: Watch, signal: AbortSignal): Promise<Bark | undefined> {
  const { clock, limits } = watch;
  const startedAt = clock.now();
  const overdue = () => clock.now() - startedAt >= limits.wallMs;
  let vigil = beginVigil(await takeSample(watch, undefined));
  while (!signal.aborted) {
    if (overdue()) return { status: 'timed-out', limitMs: limits.wallMs };
    if (isIdle(vigil, limits.idleMs)) return { status: 'idle', idleMs: limits.idleMs };
    const left = limits.wallMs - (clock.now() - startedAt);
    await clock.wait(Math.max(1, Math.min(left, limits.idleMs / samplesPerIdle)), signal);
    if (!signal.aborted && !overdue()) vigil = observe(vigil, await takeSample(watch, vigil.sample));
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
async function takeSample(watch: Watch, before: Sample | undefined): Promise<Sample> {
  const cheap = { at: watch.clock.now(), outputBytes: watch.outputBytes(), cpuMs: treeCpuMs(watch.pid) };
  if (before !== undefined && showsLife(before, { ...cheap, files: before.files }))
    return { ...cheap, files: before.files };
  return { ...cheap, files: await treeFingerprint(watch.tree) };
}
