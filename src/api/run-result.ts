/**
 * What came of a run, or of one of its tasks. Loads no schemas, unless the plan is wanted as text: what is read was checked
 * before it was recorded.
 */
import type { Chronicle } from '../views/chronicle.ts';
import { type RunSummary, summaryOf } from '../views/summary.ts';
import { belongsTo, taskKey, unknownTask } from '../views/task-names.ts';
import type { ApiContext } from './context.ts';
import { findSummary, readChronicle } from './find-run.ts';
import { runLine } from './run-lines.ts';
import type { RunShown, TaskReport } from './show-run.ts';

interface ResultRequest {
  readonly run?: string | undefined;
  readonly task?: string | undefined;
  readonly columns: number;
  /** The plan as a person reads it is part of the result. */
  readonly withPlanText: boolean;
}

type RunResult = RunShown & { readonly summary: RunSummary };

export async function resultOf(
  context: ApiContext,
  { run, task, columns, withPlanText }: ResultRequest,
): Promise<RunResult> {
  const { engine } = await context.runs();
  const listing = await findSummary(context, { run, what: 'here', fits: () => true });
  const chronicle = await readChronicle(engine, listing.run);
  const { state } = chronicle;
  return {
    line: runLine(listing),
    plan: state.plan,
    planText: withPlanText ? (await import('../views/plan-text.ts')).planText(chronicle, { columns }) : undefined,
    receipts: state.receipts,
    output: state.output ?? null,
    task: task === undefined ? undefined : taskReport(chronicle, listing.run, task),
    summary: summaryOf(chronicle),
  };
}

function taskReport({ state }: Chronicle, run: string, task: string): TaskReport {
  const planned = state.plan?.tasks.find((one) => one.id === task);
  const key = taskKey(state, task);
  const isMeant = belongsTo(state, task);
  const effects = [...state.effects].filter(([effect]) => isMeant(effect));
  if (planned === undefined && key === undefined && effects.length === 0) throw unknownTask(state, task, run);
  const record = key === undefined ? undefined : state.tasks.get(key);
  return {
    task,
    planned,
    outcome: record?.outcome,
    receipts: state.receipts.filter((receipt) => receipt.task === (record?.task ?? task)),
    effects: effects.map(([effect, { kind, result }]) => ({ key: effect, kind, finished: result !== undefined })),
  };
}
