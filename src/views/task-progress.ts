/**
 * How far the tasks beside each other are, counted as facts come: each fact costs what it changes, not what there is. A
 * workflow that schedules its tasks one by one announces them all, so what is to come counts from the start.
 */
import type { Fact, Place, TaskOutcome } from '../engine/facts.ts';
import { placeId } from './outline.ts';

type EndedStatus = TaskOutcome['status'];

interface TaskTally extends Record<EndedStatus, number> {
  total: number;
}

export interface TaskProgress {
  /** By place: see `placeId`. */
  readonly tallies: Map<string, TaskTally>;
  readonly tasks: Map<string, { place: string; status: EndedStatus | undefined }>;
}

export function emptyProgress(): TaskProgress {
  return { tallies: new Map(), tasks: new Map() };
}

export function advanceProgress(progress: TaskProgress, fact: Fact): void {
  if (fact.type === 'steps.announced') {
    for (const { key, kind } of fact.data.steps) if (kind === 'task') place(progress, key, fact.data.within);
  }
  if (fact.type === 'tasks.scheduled') {
    for (const { id } of fact.data.tasks) place(progress, fact.data.scope + id, fact.data.within);
  }
  if (fact.type === 'task.ended') settle(progress, fact.key, fact.data.status);
  if (fact.type === 'task.reopened') for (const key of fact.data.tasks) settle(progress, key, undefined);
}

/** `Progress: 2/5 done | 1 failed | 2 remaining`, of the tasks beside this one; undefined when it is alone. */
export function describeProgress({ tallies, tasks }: TaskProgress, key: string): string | undefined {
  const tally = tallies.get(tasks.get(key)?.place ?? '');
  if (tally === undefined || tally.total < 2) return undefined;
  const { total, done, failed, blocked, skipped } = tally;
  const left = total - done - failed - blocked - skipped;
  const passedOver = skipped === 0 ? '' : ` | ${skipped} skipped`;
  return `Progress: ${done}/${total} done | ${failed + blocked} failed${passedOver} | ${left} remaining`;
}

function place({ tallies, tasks }: TaskProgress, key: string, within: Place | undefined): void {
  const at = placeId(within);
  const known = tasks.get(key);
  if (known?.place === at) return;
  if (known !== undefined) count(tallies, known, -1);
  const task = { place: at, status: known?.status };
  tasks.set(key, task);
  count(tallies, task, 1);
}

function settle({ tallies, tasks }: TaskProgress, key: string, status: EndedStatus | undefined): void {
  const task = tasks.get(key);
  if (task === undefined) return;
  count(tallies, task, -1);
  task.status = status;
  count(tallies, task, 1);
}

function count(
  tallies: TaskProgress['tallies'],
  task: { readonly place: string; readonly status: EndedStatus | undefined },
  by: 1 | -1,
): void {
  const tally = tallies.get(task.place) ?? { total: 0, done: 0, failed: 0, blocked: 0, skipped: 0 };
  tally.total += by;
  if (task.status !== undefined) tally[task.status] += by;
  tallies.set(task.place, tally);
}
