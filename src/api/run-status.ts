/** Where one run stands: as data for scripts, and as a chronicle for whoever draws it. */
import { z } from 'zod';
import type { Message } from '../engine/engine.ts';
import { type Answer, type Question, questionSchema, taskOutcomeSchema } from '../engine/facts.ts';
import type { RunState } from '../engine/run-state.ts';
import { addAmounts, amountSchema } from '../policy/amount.ts';
import { foldLedger, openLedger, reservedOf, spentOf } from '../policy/budget.ts';
import { amountText, limitsFrom } from '../policy/budget-settings.ts';
import { settingsSchema } from '../policy/settings.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { planText } from '../views/plan-text.ts';
import { agentActivity } from './agent-activity.ts';
import { isHeld } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findSummary, readChronicle } from './find-run.ts';
import { runLineSchema } from './list-runs.ts';
import { runLine } from './run-lines.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({ run: runName });

export const openQuestionSchema = questionSchema.extend({
  key: z.string(),
  /** What is to be approved, as a person reads it. */
  plan: z.string().optional(),
  /** What was answered already; the run takes it up when it goes on. */
  answered: z.strictObject({ option: z.string().optional(), text: z.string().optional() }).optional(),
});
export type OpenQuestion = z.output<typeof openQuestionSchema>;

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
  const { questions: open, ...line } = runLine(listing);
  const answers = waitingAnswers(await engine.messages(listing.run));
  const report: RunReport = {
    ...line,
    base: state.created?.base ?? '',
    branch: state.created?.branch,
    pid: isHeld(listing) ? state.opened?.holder.pid : undefined,
    isHeld: isHeld(listing),
    seq: state.seq,
    integration: state.integration,
    tasks: [...state.tasks.values()].map(({ task, outcome }) => outcome ?? { task, status: 'running' }),
    questions: open.flatMap((key) => {
      const record = state.questions.get(key);
      if (record === undefined) return [];
      const plan = planAskedFor(record.question, chronicle);
      const answered = answers.get(key);
      return [{ key, ...record.question, ...plan, ...(answered === undefined ? {} : { answered }) }];
    }),
    usage: state.usage,
    budget: budgetOf(state, isHeld(listing)),
    output: state.output ?? null,
  };
  return { report, chronicle, activity: await agentActivity(engine.artifacts(listing.run), state) };
}

/** Those that lie in the run's inbox, the last one of each question. */
function waitingAnswers(messages: readonly Message[]): ReadonlyMap<string, Pick<Answer, 'option' | 'text'>> {
  const found = messages.flatMap(({ signal }) =>
    signal.type === 'answer' ? [[signal.key, signal.answer] as const] : [],
  );
  return new Map(
    found.map(([key, { option, text }]) => [
      key,
      { ...(option === undefined ? {} : { option }), ...(text === undefined ? {} : { text }) },
    ]),
  );
}

const planColumns = 100;

/** Nobody can approve what they are not shown. */
function planAskedFor({ topic }: Question, chronicle: Chronicle): { readonly plan?: string } {
  const plan = topic === 'approval' ? planText(chronicle, { columns: planColumns }) : undefined;
  return plan === undefined ? {} : { plan };
}

/** What is set aside counts while somebody works on the run; afterwards it is used up or was given back. */
function budgetOf({ created, raised, budget }: Readonly<RunState>, held: boolean): RunReport['budget'] {
  const settings = settingsSchema.safeParse(created?.settings);
  const limits = limitsFrom(settings.success ? settings.data.budget : settingsSchema.parse({}).budget, raised);
  const ledger = (held ? foldLedger : openLedger)(limits, budget);
  const used = addAmounts(spentOf(ledger), reservedOf(ledger));
  return { limit: limits.run, used, text: amountText(limits.run) };
}
