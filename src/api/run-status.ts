/** Where one run stands: as data for scripts, and as a chronicle for whoever draws it. */
import { z } from 'zod';
import { taskOutcomeSchema } from '../engine/facts.ts';
import type { RunState } from '../engine/run-state.ts';
import { amountSchema } from '../policy/amount.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { runBudget } from '../views/run-budget.ts';
import { agentActivity } from './agent-activity.ts';
import { isHeld } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findSummary, readChronicle } from './find-run.ts';
import { runLineSchema } from './list-runs.ts';
import { runLine } from './run-lines.ts';
import { openQuestionSchema, openQuestionsOf } from './open-questions.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({ run: runName });

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
  tasks: z.array(z.union([taskOutcomeSchema, z.strictObject({ task: z.string(), status: z.literal('running') })])),
  questions: z.array(openQuestionSchema),
  /** What the run may use and what counts as used, also of work that was cut off. */
  budget: z.strictObject({ limit: amountSchema, used: amountSchema, text: z.string() }),
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

export interface RunStanding {
  readonly report: RunReport;
  /** For skins of this process, to draw views of the same facts. */
  readonly chronicle: Chronicle;
  /** What agents at work said last, by the key of their work. */
  readonly activity: ReadonlyMap<string, string>;
}

export async function standingOf(context: ApiContext, run: string | undefined): Promise<RunStanding> {
  const { engine } = await context.runs();
  const listing = await findSummary(context, { run, what: 'here', fits: () => true });
  const chronicle = await readChronicle(engine, listing.run);
  const { state } = chronicle;
  const { questions: _, ...line } = runLine(listing);
  const report: RunReport = {
    ...line,
    base: state.created?.base ?? '',
    branch: state.created?.branch,
    pid: isHeld(listing) ? state.opened?.holder.pid : undefined,
    isHeld: isHeld(listing),
    seq: state.seq,
    integration: state.integration,
    tasks: [...state.tasks.values()].map(({ task, outcome }) => outcome ?? { task, status: 'running' }),
    questions: [...openQuestionsOf(chronicle, listing, await engine.messages(listing.run))],
    usage: state.usage,
    budget: budgetOf(state, isHeld(listing)),
    output: state.output ?? null,
  };
  return { report, chronicle, activity: await agentActivity(engine.artifacts(listing.run), state) };
}

function budgetOf(state: Readonly<RunState>, held: boolean): RunReport['budget'] {
  const { limit, used, text } = runBudget(state, held);
  return { limit, used, text };
}
