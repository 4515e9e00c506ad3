/** What came of a run, or of one of its tasks: the plan, the outcomes, the receipts of every merge, where the result is. */
import { z } from 'zod';
import { taskOutcomeSchema } from '../engine/facts.ts';
import { planSchema, taskSchema } from '../plan/plan.ts';
import { receiptSchema } from '../policy/receipt.ts';
import { runLineSchema } from './list-runs.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { resultOf } from './run-result.ts';
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
  /** What the workflow returned. Every workflow has its own. */
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
  run: (context, request) => resultOf(context, { ...request, withPlanText: true }),
};
