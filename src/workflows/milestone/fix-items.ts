/**
 * Objections that are to be fixed now, as one piece of work: `review-fix/S01` for what was conceded in a slice,
 * `review-fix/triage` for what a person decided at the end. Built, verified and merged as any task; not reviewed again.
 */
import type { Bench } from '../../engine/bench.ts';
import { taskSchema } from '../../plan/plan.ts';
import { shortCommit } from '../../views/figures.ts';
import { describeUnmerged, integrate } from '../moves/integrate.ts';
import { briefFor, briefRules, milestoneParts } from './briefs.ts';
import { buildTask, type TaskSituation } from './build-task.ts';
import { decidedFragments, type MilestoneContext } from './milestone-context.ts';
import { plannedTaskSchema } from './role-results.ts';
import type { ReviewedItem } from './slice-review.ts';
import { readTaskData, type TaskData } from './task-data.ts';

export interface FixRequest {
  /** Names the work in keys, such as `S01/review-fix`. */
  readonly key: string;
  readonly items: readonly ReviewedItem[];
}

export type FixedItems = Pick<TaskData, 'decisions'> &
  ({ readonly status: 'fixed'; readonly commit: string } | { readonly status: 'failed'; readonly reason: string });

export function fixItems(bench: Bench, context: MilestoneContext, request: FixRequest): Promise<FixedItems> {
  const end = (fixed: FixedItems) => {
    const data = { decisions: fixed.decisions };
    return fixed.status === 'fixed'
      ? ({ status: 'done', detail: `fixed, merged ${shortCommit(fixed.commit)}`, data } as const)
      : ({ status: 'failed', detail: fixed.reason, data } as const);
  };
  const title = `fix ${request.items.map(({ id }) => id).join(', ')}`;
  return bench.step(`${request.key}/unit`, { kind: 'round', title, end }, () => fix(bench, context, request));
}

async function fix(bench: Bench, context: MilestoneContext, { key, items }: FixRequest): Promise<FixedItems> {
  const list = items
    .map(({ id, file, line, claim, suggestion }) => `- ${id} ${file}:${line} ${claim} ${suggestion}`)
    .join('\n');
  const task = taskSchema.parse({
    id: key,
    title: `Fix ${items.map(({ id }) => id).join(', ')}`,
    kind: 'fix',
    writes: ['**'],
    forbids: ['.gsd/**'],
  });
  const workspace = key.replaceAll('/', '-');
  const { commit: base, judge } = await bench.perform('integration.read', `${key}/base`, {});
  const brief = (situation: TaskSituation) =>
    briefFor(context, {
      rules: briefRules.fixConceded,
      isWriter: true,
      parts: [
        ...milestoneParts(context),
        { title: 'Objections to fix', text: list, budget: 30_000 },
        { title: 'Where things stand', text: situation.mode === 'fix' ? 'The checks are not green yet.' : '' },
      ],
      task: 'Fix these objections in this workspace.',
    });
  const planned = plannedTaskSchema.parse({ id: 'T1', title: task.title });
  const data = readTaskData({});
  const built = await buildTask(bench, {
    context,
    task,
    planned,
    name: key,
    workspace,
    base,
    judge,
    checks: context.checks,
    start: { mode: 'first' },
    brief,
    data,
  });
  const { decisions } = data;
  if (built.status !== 'passed') return { status: 'failed', reason: built.reason, decisions };
  const developed = built.passed;
  const { scope } = context.input;
  const integrated = await integrate(bench, {
    task,
    tasks: [],
    developed,
    checks: context.checks,
    scope,
    mergeRound: 1,
  });
  await bench.perform('workspace.drop', `${key}/drop`, { workspace, captured: developed.commit });
  if (integrated.status !== 'merged') return { status: 'failed', reason: describeUnmerged(integrated), decisions };
  context.memory.hear({
    unit: key,
    learned: [...data.learned, ...decidedFragments(decisions)],
    told: [],
    owed: [],
  });
  return { status: 'fixed', commit: integrated.receipt.after, decisions };
}
