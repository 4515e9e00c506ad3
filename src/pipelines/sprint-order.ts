/**
 * Which records of a request are worked on, and in which order: tasks of a sprint by their dependencies, from the tasks
 * themselves and from the sprint's own map, and bugs besides. A cycle is named with its members, and what waits for a
 * task outside the request that is not finished cannot begin. Pure.
 */
import { findCycles } from '../plan/cycles.ts';
import { planStages } from '../plan/graph.ts';
import { compareIds } from '../plan/task-id.ts';
import type { StoredRecord } from '../records/entity.ts';
import { isFinished, type RecordKind } from './record-states.ts';

export interface OrderedRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly record: StoredRecord;
  /** Ids of other records of the order that have to be done first. */
  readonly depends: readonly string[];
}

export type SprintOrder =
  | { readonly status: 'ordered'; readonly records: readonly OrderedRecord[] }
  | { readonly status: 'impossible'; readonly reasons: readonly string[] };

export interface OrderInput {
  readonly sprints: readonly StoredRecord[];
  /** Tasks of those sprints, and what was asked for by itself. */
  readonly tasks: readonly StoredRecord[];
  readonly bugs: readonly StoredRecord[];
  /** Ids that were asked for: sprints, tasks, bugs. */
  readonly wanted: readonly string[];
}

export function orderRecords({ sprints, tasks, bugs, wanted }: OrderInput): SprintOrder {
  const wantedSprints = sprints.filter((sprint) => wanted.includes(String(sprint['sprintId'])));
  const inSprints = new Set(wantedSprints.map((sprint) => String(sprint['sprintId'])));
  const chosen = tasks.filter(
    (task) => wanted.includes(String(task['taskId'])) || inSprints.has(String(task['sprintId'])),
  );
  const ids = new Set(chosen.map((task) => String(task['taskId'])));
  const status = new Map(tasks.map((task) => [String(task['taskId']), task['status']]));
  const reasons: string[] = [];
  const ordered = chosen.map((task): OrderedRecord => {
    const id = String(task['taskId']);
    const all = dependenciesOf(task, sprints);
    for (const other of all) {
      if (ids.has(other) || isFinished('task', status.get(other))) continue;
      const why = status.has(other) ? `is ${String(status.get(other))}` : 'does not exist';
      reasons.push(`${id} depends on ${other}, which ${why} and is not part of this run`);
    }
    return { kind: 'task', id, record: task, depends: all.filter((other) => ids.has(other)) };
  });
  const cycles = findCycles(ordered).map((cycle) => `these tasks wait for each other: ${cycle.join(', ')}`);
  reasons.unshift(...cycles);
  if (reasons.length > 0) return { status: 'impossible', reasons };
  const chosenBugs = bugs.filter((bug) => wanted.includes(String(bug['bugId'])));
  return {
    status: 'ordered',
    records: [
      ...ordered.toSorted((a, b) => compareIds(a.id, b.id)),
      ...chosenBugs.map((record): OrderedRecord => ({ kind: 'bug', id: String(record['bugId']), record, depends: [] })),
    ],
  };
}

function dependenciesOf(task: StoredRecord, sprints: readonly StoredRecord[]): readonly string[] {
  const id = String(task['taskId']);
  const maps = sprints.map((sprint) => sprint['dependencies']);
  const ofSprints = maps.flatMap((map) => (typeof map === 'object' && map !== null ? names(Object(map)[id]) : []));
  return [...new Set([...names(task['dependencies']), ...ofSprints])].filter((other) => other !== '');
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

export const executionModes = ['sequential', 'wave-parallel', 'full-parallel'] as const;
export type ExecutionMode = (typeof executionModes)[number];

/** What the mode of a sprint means for the scheduler. */
export function scheduleOf(
  mode: ExecutionMode,
  parallel: number,
): { readonly limit: number; readonly barriers: boolean } {
  return { limit: mode === 'sequential' ? 1 : parallel, barriers: mode === 'wave-parallel' };
}

/** Tasks that may run at the same time, wave by wave; for people. */
export function wavesOf(records: readonly OrderedRecord[]): readonly (readonly string[])[] {
  return planStages(records.map(({ id, depends }) => ({ id, depends: [...depends] }))).map((wave) => [...wave]);
}
