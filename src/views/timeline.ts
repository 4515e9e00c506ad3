/**
 * When things happened and how long they were worked on, folded from facts one by one. Time in which no
 * process held the run (a pause, a crash, a question over the weekend) is not work and is not counted.
 */
import type { Fact, FactOf, FactType } from '../engine/facts.ts';

export interface Timeline {
  readonly effects: Map<string, WorkTiming>;
  readonly tasks: Map<string, WorkTiming>;
  readonly steps: Map<string, WorkTiming>;
  /** From when a question was asked until somebody answered. */
  readonly questions: Map<string, WorkTiming>;
  /** When no process held the run, and why, as far as that was written down. */
  readonly pauses: Pause[];
  /** The run itself: open while a process holds it. */
  readonly run: WorkTiming;
  /** When the newest fact was written. */
  seen: string;
  /** The last sign of life of the process before the present one; a crash is dated by it. */
  seenBefore: string;
}

export interface Pause {
  readonly from: string;
  until: string | undefined;
  readonly reason: string;
}

export interface WorkTiming {
  startedAt: string;
  endedAt: string | undefined;
  attempts: number;
  /** Of ended attempts. */
  workedMs: number;
  /** Start of the attempt under way. */
  since: string | undefined;
}

export function emptyTimeline(): Timeline {
  return {
    effects: new Map(),
    tasks: new Map(),
    steps: new Map(),
    questions: new Map(),
    pauses: [],
    run: fresh(''),
    seen: '',
    seenBefore: '',
  };
}

export function advanceTimeline(timeline: Timeline, fact: Fact): void {
  (rows[fact.type] as ((timeline: Timeline, fact: Fact) => void) | undefined)?.(timeline, fact);
  timeline.seen = fact.at;
}

type Rows = { readonly [T in FactType]?: (timeline: Timeline, fact: FactOf<T>) => void };

/** Facts that say nothing about time spent have no row. */
const rows: Rows = {
  'run.created': ({ run }, { at }) => {
    run.startedAt = at;
  },
  'run.opened': (timeline, { at }) => {
    // A process that crashed wrote no end: what it wrote last is the best there is.
    timeline.seenBefore = timeline.seen;
    const pause = timeline.pauses.at(-1);
    if (pause !== undefined) pause.until ??= at;
    close(timeline.run, timeline.seen);
    open(timeline.run, at);
    for (const step of underWay(timeline)) {
      close(step, timeline.seen);
      open(step, at);
    }
  },
  'run.suspended': (timeline, { at, data }) => {
    timeline.pauses.push({ from: at, until: undefined, reason: data.reason });
    close(timeline.run, at);
    for (const step of underWay(timeline)) close(step, at);
  },
  'run.ended': (timeline, { at }) => {
    end(timeline.run, at);
    for (const step of underWay(timeline)) close(step, at);
  },
  'step.started': ({ steps: timings }, { key, at }) => open(of(timings, key, at), at),
  'step.ended': ({ steps: timings }, { key, at }) => end(of(timings, key, at), at),
  'question.asked': ({ questions }, { key, at }) => open(of(questions, key, at), at),
  'question.answered': ({ questions }, { key, at }) => end(of(questions, key, at), at),
  'effect.started': ({ effects }, { key, at }) => open(of(effects, key, at), at),
  'effect.finished': ({ effects }, { key, at }) => end(of(effects, key, at), at),
  'effect.interrupted': ({ effects, seenBefore }, { key, at, data }) =>
    close(of(effects, key, at), data.reason === 'crash' ? seenBefore : at),
  'task.started': ({ tasks }, { key, at }) => {
    of(tasks, key, at);
  },
  'task.ended': ({ tasks }, { key, at }) => end(of(tasks, key, at), at),
  'task.reopened': ({ tasks, effects, steps: timings }, { at, data }) => {
    for (const key of data.tasks) tasks.delete(key);
    for (const key of data.forgotten) {
      effects.delete(key);
      timings.delete(key);
    }
    for (const key of data.steps) {
      const timing = timings.get(key);
      if (timing !== undefined) open(timing, at);
    }
  },
};

function underWay({ steps: timings }: Timeline): readonly WorkTiming[] {
  return [...timings.values()].filter(({ endedAt }) => endedAt === undefined);
}

/** `now` counts only for what is under way. */
export function workedMs(timing: WorkTiming | undefined, now: string): number {
  if (timing === undefined) return 0;
  return timing.workedMs + (timing.since === undefined ? 0 : millisecondsBetween(timing.since, now));
}

/** How long something was under way since the first task began: waiting for a person or for a process is left out. */
export function busyMs({ effects, tasks }: Pick<Timeline, 'effects' | 'tasks'>, now: string): number {
  const begun = Math.min(...[...tasks.values()].map(({ startedAt }) => Date.parse(startedAt)));
  const spans = [...effects.values()].map((timing) => {
    const until = Date.parse(timing.endedAt ?? now);
    return { from: Math.max(begun, until - workedMs(timing, now)), until };
  });
  let [busy, covered] = [0, begun];
  for (const { from, until } of spans.sort((a, b) => a.from - b.from)) {
    busy += Math.max(0, until - Math.max(covered, from));
    covered = Math.max(covered, until);
  }
  return Number.isFinite(busy) ? busy : 0;
}

export function millisecondsBetween(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function of(timings: Map<string, WorkTiming>, key: string, at: string): WorkTiming {
  const known = timings.get(key);
  if (known !== undefined) return known;
  const timing = fresh(at);
  timings.set(key, timing);
  return timing;
}

function fresh(at: string): WorkTiming {
  return { startedAt: at, endedAt: undefined, attempts: 0, workedMs: 0, since: undefined };
}

function open(timing: WorkTiming, at: string): void {
  timing.attempts += 1;
  timing.since = at;
  timing.endedAt = undefined;
}

function close(timing: WorkTiming, at: string): void {
  if (timing.since === undefined) return;
  timing.workedMs += millisecondsBetween(timing.since, at);
  timing.since = undefined;
}

function end(timing: WorkTiming, at: string): void {
  close(timing, at);
  timing.endedAt = at;
}
