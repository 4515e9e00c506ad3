/**
 * The tasks of a run with what became of each, and the tasks of its plan with the task each was done in. Tables and
 * graphs are made from these. Tasks that only look at things are not among them.
 */
import type { Figures, TaskOutcome } from '../engine/facts.ts';
import { isRunOver, type RunState } from '../engine/run-state.ts';
import type { Task } from '../plan/plan.ts';
import type { Chronicle } from './chronicle.ts';
import { taskTitle } from './outline.ts';

/** `interrupted` and `cancelled`: it was begun, has no outcome, and nobody is at work on it. */
/** Of work without an outcome. */
export type OpenWorkStatus = 'waiting' | 'running' | 'interrupted' | 'cancelled';
export type WorkStatus = TaskOutcome['status'] | OpenWorkStatus;

export interface WorkRow {
  /** Its key in the run, by which logs, diff and retry find it. */
  readonly key: string;
  readonly task: string;
  readonly title: string;
  readonly status: WorkStatus;
  readonly reason: string;
  readonly figures: Figures;
  readonly notes: readonly string[];
  /** The commit with its work: as merged, or as it was kept. */
  readonly commit?: string | undefined;
  readonly isMerged: boolean;
  /** Keys of the tasks it waits for. */
  readonly depends: readonly string[];
  /** Ids of the plan's tasks that are done in it. */
  readonly parts: readonly string[];
}

/** Scheduled, announced or begun, in that order. */
export function workRows({ state }: Chronicle): WorkRow[] {
  const announced = [...state.announced.values()].filter(({ kind }) => kind === 'task').map(({ key }) => key);
  const keys = new Set([...announced, ...state.scheduled.keys(), ...state.tasks.keys()]);
  const merges = mergesOf(state);
  return [...keys].filter((key) => state.scheduled.get(key)?.readOnly !== true).map((key) => rowOf(state, key, merges));
}

interface Merges {
  /** The newest merge of each task, by its id. */
  readonly of: ReadonlyMap<string, string>;
  /** Every head there was. */
  readonly heads: ReadonlySet<string>;
}

function mergesOf({ receipts }: RunState): Merges {
  return {
    of: new Map(receipts.map(({ task, after }) => [task, after])),
    heads: new Set(receipts.map(({ after }) => after)),
  };
}

function rowOf(state: RunState, key: string, merges: Merges): WorkRow {
  const scheduled = state.scheduled.get(key);
  const record = state.tasks.get(key);
  const outcome = record?.outcome;
  const task = scheduled?.task ?? record?.task ?? key;
  const merged = merges.of.get(task);
  return {
    key,
    task,
    title: scheduled === undefined ? (state.announced.get(key)?.title ?? task) : taskTitle(state, key),
    status: outcome?.status ?? openWorkStatus(state, record !== undefined),
    reason: outcome?.reason ?? '',
    figures: outcome?.figures ?? {},
    notes: outcome?.report?.notes ?? [],
    commit: merged ?? keptCommit(state, outcome, merges),
    isMerged: merged !== undefined,
    depends: scheduled?.depends ?? [],
    parts: scheduled?.parts ?? [],
  };
}

/** The commit that holds what was not merged; undefined if it is one the work began from: then it left nothing. */
function keptCommit({ created }: RunState, outcome: TaskOutcome | undefined, { heads }: Merges): string | undefined {
  const { commit } = outcome ?? {};
  return commit === undefined || commit === created?.base || heads.has(commit) ? undefined : commit;
}

/** Only a run that is under way has anything running, and one that is over has nothing waiting. */
export function openWorkStatus(state: RunState, isBegun: boolean): OpenWorkStatus {
  if (isRunOver(state)) return 'cancelled';
  if (!isBegun) return 'waiting';
  return state.status === 'running' || state.status === 'created' ? 'running' : 'interrupted';
}

export interface WorkUnit extends WorkRow {
  readonly planned: Task | undefined;
  /** The task it was done in, where that is not the planned task itself. */
  readonly group: string | undefined;
}

/** Each task of the plan, then what was scheduled besides: units of a graph. Without a plan, every task is one. */
export function workUnits(chronicle: Chronicle): WorkUnit[] {
  const { state } = chronicle;
  const rows = workRows(chronicle);
  const planned = state.plan?.tasks ?? [];
  const holders = new Map([
    ...rows.flatMap((row) => [row.task, ...row.parts].map((id) => [id, row] as const)),
    // A plan of several scopes calls its tasks by their keys: one name may stand for a task in each.
    ...rows.map((row) => [row.key, row] as const),
  ]);
  const known = new Set(planned.flatMap(({ id }) => holders.get(id)?.key ?? []));
  return [
    ...planned.map((task): WorkUnit => {
      const row = holders.get(task.id) ?? rowOf(state, task.id, mergesOf(state));
      const group = row.task === task.id || row.key === task.id ? undefined : row.task;
      const own = { key: row.key, task: task.id, title: `${task.id} ${task.title}`.trim(), depends: task.depends };
      return { ...row, ...own, planned: task, group };
    }),
    ...rows
      .filter(({ key }) => !known.has(key))
      .map((row): WorkUnit => {
        const depends = row.depends.map((key) => state.scheduled.get(key)?.task ?? key);
        return { ...row, depends, planned: undefined, group: undefined };
      }),
  ];
}
