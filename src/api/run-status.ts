/** Where one run stands, as data for scripts. */
import { z } from 'zod';
import { taskOutcomeSchema } from '../engine/facts.ts';
import { amountSchema } from '../policy/budget-schemas.ts';
import { runLineSchema } from './list-runs.ts';
import { openQuestionSchema } from './open-questions.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { standingOf } from './run-standing.ts';

const input = z.strictObject({ run: runName });

/** A task without an outcome: only a run that is under way has tasks that run. */
const openTaskSchema = z.strictObject({
  task: z.string(),
  status: z.enum(['waiting', 'running', 'interrupted', 'cancelled']),
});

export const runReportSchema = runLineSchema.extend({
  base: z.string(),
  branch: z.string().optional(),
  /** The process at work on it. */
  pid: z.number().int().optional(),
  /** Somebody works on it. */
  isHeld: z.boolean(),
  /** Its newest fact: what is read after it is new. */
  seq: z.number().int(),
  integration: z.string().optional(),
  tasks: z.array(z.union([taskOutcomeSchema, openTaskSchema])),
  questions: z.array(openQuestionSchema),
  /** What the run may use and what counts as used, also of work that was cut off. */
  budget: z.strictObject({ limit: amountSchema, used: amountSchema, text: z.string() }),
  /** What the workflow returned. Every workflow has its own. */
  output: z.unknown(),
});
export type RunReport = z.output<typeof runReportSchema>;

export const runStatus: Operation<typeof input, typeof runReportSchema> = {
  name: 'run-status',
  kind: 'query',
  description:
    'Shows where one run stands: status, tasks with their outcomes, open questions, what was spent, and the result.',
  input,
  output: runReportSchema,
  tool: { name: 'forge_status', title: 'Show where a run stands' },
  run: async (context, { run }) => (await standingOf(context, run)).report,
};
