/**
 * The tasks of a slice, side by side where their plans allow it: three at once at most. What earlier sessions left of a
 * task goes with it, and a task whose plan cannot be read is parked while the others go on.
 */
import type { Bench } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import { nextBatch } from '../../plan/batch.ts';
import { countText } from '../../views/figures.ts';
import { executeTask } from './execute-task.ts';
import { decidedFragments, type MilestoneContext, type MilestoneMemory } from './milestone-context.ts';
import type { OpenedSlice } from './open-milestone.ts';
import { scheduledTask } from './planned-task.ts';
import type { PlannedTask } from './role-results.ts';
import { readTaskData } from './task-data.ts';

/** A task that does not say what it writes runs alone: the scheduler sees to that. */
export async function executeTasks(
  bench: Bench,
  context: MilestoneContext,
  { slice, tasks }: { readonly slice: OpenedSlice; readonly tasks: readonly PlannedTask[] },
): Promise<readonly TaskOutcome[]> {
  const known = new PlannedTasks(tasks);
  const done = slice.tasks.filter(({ isDone }) => isDone).map(({ planned }) => planned.id);
  const scheduled = tasks.map((task) => {
    const depends = task.depends.filter((one) => !done.includes(one));
    return scheduledTask({ ...task, depends });
  });
  // As in the table of units: where one plan does not say enough, tasks go one at a time.
  const isLegacy = slice.tasks.some((task) => task.isLegacy);
  const limit = isLegacy ? 1 : Math.min(3, context.input.parallel);
  const batch = nextBatch(
    scheduled.map(({ id, depends, writes }) => ({
      id,
      depends,
      writes: isLegacy ? undefined : writes,
      done: false,
    })),
    limit,
  );
  const text = describeBatch(batch, slice.tasks);
  if (text !== '') await bench.record(`${slice.id}/batch`, 'note.recorded', { text });
  const faults = new Map(slice.tasks.map(({ planned, fault }) => [planned.id, fault]));
  const options = {
    limit,
    keyPrefix: `${slice.id}/`,
    heard: (outcome: TaskOutcome) => hearTask(context.memory, slice.id, outcome),
  };
  return bench.schedule(scheduled, options, async (task, lane) => {
    const fault = faults.get(task.id) ?? '';
    if (fault !== '') return { task: task.id, status: 'blocked', reason: `fix its plan first: ${fault}` };
    return executeTask(bench, {
      context,
      slice: slice.id,
      planned: await known.get(task.id),
      lane,
      others: context.plan.tasks,
      continued: isInterrupted(slice, task.id) ? slice.continued : '',
      security: slice.tasks.find(({ planned }) => planned.id === task.id)?.security ?? '',
      split: (parts) => known.add(parts),
    });
  });
}

/** What a person should know about how the tasks begin; empty where there is nothing out of the ordinary. */
function describeBatch(
  { mode, batch }: ReturnType<typeof nextBatch>,
  tasks: readonly { readonly planned: PlannedTask; readonly isDone: boolean; readonly isInterrupted: boolean }[],
): string {
  const interrupted = tasks.filter(({ isDone, isInterrupted: was }) => was && !isDone).map(({ planned }) => planned.id);
  const lines = [
    ...(interrupted.length === 0 ? [] : [`${interrupted.join(', ')}: interrupted earlier, starts again`]),
    ...(mode === 'parallel'
      ? [`Side by side: ${batch.join(', ')} (${countText(batch.length, 'independent task')})`]
      : []),
    ...(mode === 'legacy' ? ['One task at a time: a plan does not say what its task depends on or writes'] : []),
  ];
  return lines.join('. ');
}

/** A task's outcome is all that the rest of the milestone knows of it, also after a restart. */
function hearTask(memory: MilestoneMemory, slice: string, { task, status, data }: TaskOutcome): void {
  const { learned, decisions, told, dropped } = readTaskData(data);
  const isDone = status === 'done';
  const kept = [...learned, ...decidedFragments(decisions)];
  memory.hear({ unit: `${slice}/${task}`, learned: isDone ? kept : [], told: isDone ? told : [], owed: dropped });
}

/** Plans of tasks by id. After a crash a part may start before the task that it came from has said again what it is. */
class PlannedTasks {
  readonly #known = new Map<string, PlannedTask>();
  readonly #awaited = new Map<string, (task: PlannedTask) => void>();

  constructor(tasks: readonly PlannedTask[]) {
    this.add(tasks);
  }

  add(tasks: readonly PlannedTask[]): void {
    for (const task of tasks) {
      this.#known.set(task.id, task);
      this.#awaited.get(task.id)?.(task);
    }
  }

  async get(id: string): Promise<PlannedTask> {
    return this.#known.get(id) ?? new Promise((resolve) => this.#awaited.set(id, resolve));
  }
}

function isInterrupted({ continued, tasks }: OpenedSlice, task: string): boolean {
  if (continued === '') return false;
  const named = /^task:\s*(\S+)/m.exec(continued)?.[1];
  const first = tasks.find(({ isDone }) => !isDone)?.planned.id;
  return (named ?? first) === task;
}
