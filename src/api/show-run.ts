/** What came of a run, or of one of its tasks: the plan, the outcomes, the receipts of every merge, where the result is. */
import { z } from 'zod';
import { taskOutcomeSchema } from '../engine/facts.ts';
import { planSchema, taskSchema } from '../plan/plan.ts';
import { receiptSchema } from '../policy/receipt.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { planText } from '../views/plan-text.ts';
import { summaryOf } from '../views/summary.ts';
import { belongsTo, taskKey, unknownTask } from '../views/task-names.ts';
import { findSummary, readChronicle } from './find-run.ts';
import { runLineSchema } from './list-runs.ts';
import { runLine } from './run-lines.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { runSummarySchema } from './run-summary-schema.ts';

const input = z.strictObject({
  run: runName,
  task: z.string().max(256).optional(),
  columns: z.number().int().min(20).max(1000).default(100),
});

const taskReportSchema = z.strictObject({
  /** As it was named: a scheduled task, or one of the plan. */
  task: z.string(),
  planned: taskSchema.optional(),
  outcome: taskOutcomeSchema.optional(),
  receipts: z.array(receiptSchema),
  /** What was done for it, in order. */
  effects: z.array(z.strictObject({ key: z.string(), kind: z.string(), finished: z.boolean() })),
});
export type TaskReport = JsonOf<typeof taskReportSchema>;

const output = z.strictObject({
  line: runLineSchema,
  plan: planSchema.optional(),
  /** The plan as a person reads it. */
  planText: z.string().optional(),
  receipts: z.array(receiptSchema),
  output: z.unknown(),
  task: taskReportSchema.optional(),
  summary: runSummarySchema,
});
export type RunShown = JsonOf<typeof output>;

export const showRun: Operation<typeof input, typeof output> = {
  name: 'show-run',
  kind: 'query',
  description: 'Shows the result of a run, or of one of its tasks: plan, outcomes, receipts of every merge.',
  input,
  output,
  async run(context, { run, task, columns }) {
    const { engine } = await context.runs();
    const listing = await findSummary(context, { run, what: 'here', fits: () => true });
    const chronicle = await readChronicle(engine, listing.run);
    const { state } = chronicle;
    return {
      line: runLine(listing),
      plan: state.plan,
      planText: planText(chronicle, { columns }),
      receipts: state.receipts,
      output: state.output ?? null,
      task: task === undefined ? undefined : taskReport(chronicle, listing.run, task),
      summary: summaryOf(chronicle),
    };
  },
};

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
