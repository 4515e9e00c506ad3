/**
 * A task that turned out too large becomes several of the same schedule: `T3` goes on as `T3.1`, `T3.2`, …, which start
 * as soon as they may, while it waits for them. What it did so far is merged before.
 */
import type { Bench } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import { countText } from '../../views/figures.ts';
import { taskText } from '../moves/brief-parts.ts';
import { askReader } from './ask-unit.ts';
import { briefFor, briefRules, milestoneParts } from './briefs.ts';
import { inspectPromises } from './build-task.ts';
import { taskPlanText } from './documents/plan-texts.ts';
import { taskSummaryText } from './documents/result-texts.ts';
import type { TaskRequest } from './execute-task.ts';
import { leaveDocument } from './leave-document.ts';
import { owedBy, promisesOf, scheduledTask, toTask } from './planned-task.ts';
import type { PlannedTask } from './role-results.ts';
import type { TaskData } from './task-data.ts';

export async function decomposeTask(
  bench: Bench,
  request: TaskRequest,
  about: { readonly task: Task; readonly data: TaskData; readonly unmet: readonly string[]; readonly reason: string },
): Promise<TaskOutcome> {
  const { context, slice, planned, lane } = request;
  const { task, data, unmet, reason } = about;
  const read = await askReader(bench, `${task.id}/decompose`, {
    input: context.input,
    role: 'slice-planner',
    title: `split ${planned.id}`,
    brief: briefFor(context, {
      rules: briefRules.planSlice,
      parts: [
        ...milestoneParts(context),
        { title: `Task ${planned.id}`, text: taskText(task) },
        { title: 'What is still missing', text: unmet.map((one) => `- ${one}`).join('\n') },
        { title: 'Why it failed', text: `${reason}\n${data.summary}` },
      ],
      task: `Split what is missing of ${planned.id} into two to five smaller tasks with the ids ${planned.id}.1, ${planned.id}.2 and so on. What is done already is merged.`,
    }),
  });
  const blocked = (why: string): TaskOutcome => ({
    task: planned.id,
    status: 'blocked',
    reason: why,
    commit: data.commit,
    data,
  });
  if (read.status === 'missing') return blocked(`it could not be split: ${read.why}`);
  data.decisions = [...data.decisions, ...read.result.decisions];
  data.learned = [...data.learned, ...read.result.learned];
  const parts = renumber(planned, read.result.tasks);
  request.split(parts);
  await context.plan.add(bench, `${task.id}/parts`, {
    objective: context.title,
    tasks: parts.map((part) => toTask(slice, part)),
  });
  for (const part of parts) {
    await leaveDocument(bench, `${task.id}/part ${part.id}`, {
      path: context.paths.task(slice, part.id, 'PLAN.md'),
      content: taskPlanText(context.id, slice, part, 'planned'),
    });
  }
  await lane.add(parts.map(scheduledTask));
  const outcomes = await lane.waitFor(parts.map(({ id }) => id));
  data.parts = parts.map(({ id }) => id);
  // The parts kept their own promises. Whether that is all the task promised is measured again.
  const { commit } = await bench.perform('integration.read', `${task.id}/parts/head`, {});
  data.inspection = await inspectPromises(bench, `${task.id}/parts/promises`, {
    commit,
    promises: promisesOf(planned),
  });
  data.dropped = [...owedBy(context.input.options, planned, data.inspection)];
  const open = outcomes.filter(({ status }) => status !== 'done');
  if (open.length > 0) return blocked(open.map(({ task: id, reason: why }) => `${id}: ${why}`).join('; '));
  await leaveDocument(bench, `${task.id}/summary`, {
    path: context.paths.task(slice, planned.id, 'SUMMARY.md'),
    content: taskSummaryText({ milestone: context.id, slice, task: planned.id, title: planned.title }, data),
    stamp: 'completed_at',
  });
  const detail = `done in ${countText(parts.length, 'part')}: ${data.parts.join(', ')}`;
  return { task: planned.id, status: 'done', reason: '', detail, commit: data.commit, data };
}

/** Whatever ids the planner chose, parts are numbered below their task; dependencies follow. */
function renumber({ id }: PlannedTask, tasks: readonly PlannedTask[]): readonly PlannedTask[] {
  const ids = new Map(tasks.map((task, at) => [task.id, `${id}.${at + 1}`]));
  return tasks.map((task) => ({
    ...task,
    id: ids.get(task.id) ?? task.id,
    depends: task.depends.flatMap((one) => ids.get(one) ?? []),
  }));
}
