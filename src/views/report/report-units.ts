/** What was planned, one unit each, with what became of it: modules, tasks of waves, or whatever a workflow scheduled. */
import type { TaskOutcome } from '../../engine/facts.ts';
import { type Task, taskSchema } from '../../plan/plan.ts';
import { type Chronicle, isModules, isWaves } from '../chronicle.ts';
import { fixFile, isLens, moduleTitle } from '../modules-keys.ts';
import { type ModuleRow, modulesSummary } from '../modules-summary.ts';
import { proposalOf } from '../proposal.ts';
import { type OpenStatus, openStatus } from '../open-status.ts';
import { keptCommit } from '../summary.ts';
import type { Timing } from '../timeline.ts';
import { roundsOf } from '../waves-keys.ts';

export interface ReportUnit {
  readonly id: string;
  readonly title: string;
  readonly objective: string;
  /** Planned, or made to mend what the final review found. */
  readonly origin: 'plan' | 'final review';
  /** What it was done with, where several share one piece of work: `W1`. */
  readonly group: string | undefined;
  /** `interrupted` and `cancelled`: it was begun and has no outcome, and nobody is at work on it. */
  readonly status: TaskOutcome['status'] | OpenStatus;
  readonly reason: string;
  readonly depends: readonly string[];
  readonly writes: readonly string[];
  readonly complexity: string;
  readonly doneWhen: string;
  readonly attempts: number;
  readonly retries: number;
  readonly score: number | undefined;
  readonly notes: readonly string[];
  readonly commit: string | undefined;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
}

export function reportUnits(chronicle: Chronicle): ReportUnit[] {
  const { state } = chronicle;
  const planned = state.plan?.tasks ?? proposalOf(chronicle)?.tasks ?? [];
  const known = new Set(planned.map((task) => task.id));
  // Scheduled besides the plan: what mends the final review's findings, or all of a workflow that records no plan.
  const others = [...state.tasks].filter(
    ([key, { task }]) => !known.has(task) && !isLens(key) && !(isWaves(chronicle) && /^W\d+$/.test(task)),
  );
  const rows = new Map(isModules(chronicle) ? modulesSummary(chronicle).modules.map((row) => [row.task, row]) : []);
  return [
    ...planned.map((task) => {
      const group = groupOf(chronicle, task.id);
      return unitOf(chronicle, { task, key: group ?? task.id, group, row: rows.get(task.id) });
    }),
    ...others.map(([key, { task: id }]) => {
      const unit = { key, group: undefined, row: rows.get(id) };
      if (!isModules(chronicle)) return unitOf(chronicle, { ...unit, task: taskSchema.parse({ id, title: id }) });
      const file = fixFile(chronicle, id);
      const owners = planned.filter((task) => file !== undefined && task.writes.includes(file));
      const writes = file === undefined ? [] : [file];
      const about = { id, title: moduleTitle(chronicle, id), depends: owners.map((task) => task.id), writes };
      return { ...unitOf(chronicle, { ...unit, task: taskSchema.parse(about) }), origin: 'final review' as const };
    }),
  ];
}

interface UnitMatter {
  readonly task: Task;
  /** Of the scheduled work it is part of. */
  readonly key: string;
  readonly group: string | undefined;
  readonly row: ModuleRow | undefined;
}

function unitOf(chronicle: Chronicle, { task, key, group, row }: UnitMatter): ReportUnit {
  const record = chronicle.state.tasks.get(key);
  const timing: Timing | undefined = chronicle.timeline.tasks.get(key);
  const outcome = record?.outcome;
  const rounds = isWaves(chronicle) ? roundsOf(chronicle, key).length : 0;
  const receipt = chronicle.state.receipts.findLast((one) => one.task === (group ?? task.id));
  return {
    id: task.id,
    title: task.title,
    objective: task.objective,
    origin: 'plan',
    group,
    status: outcome?.status ?? openStatus(chronicle.state, record !== undefined),
    reason: outcome?.reason ?? '',
    depends: task.depends,
    writes: task.writes,
    complexity: task.complexity,
    doneWhen: task.doneWhen,
    attempts: row?.attempts ?? rounds,
    retries: row?.retries ?? Math.max(0, rounds - 1),
    score: row?.score,
    notes: row?.notes ?? [],
    commit: receipt?.after ?? (outcome === undefined ? undefined : keptCommit(chronicle.state, outcome)),
    startedAt: timing?.startedAt,
    endedAt: timing?.endedAt,
  };
}

/** The wave a task of the plan was done in. */
function groupOf(chronicle: Chronicle, task: string): string | undefined {
  if (!isWaves(chronicle)) return undefined;
  const at = proposalOf(chronicle)?.waves.findIndex((wave) => wave.includes(task)) ?? -1;
  return at === -1 ? undefined : `W${at + 1}`;
}
