/** Where one run stands: as data for scripts, and as a chronicle for whoever draws it. */
import { z } from 'zod';
import type { Message } from '../engine/engine.ts';
import type { Answer, Question, TaskOutcome } from '../engine/facts.ts';
import type { RunState } from '../engine/run-state.ts';
import type { Usage } from '../policy/usage.ts';
import { type Amount, addAmounts } from '../policy/amount.ts';
import { foldLedger, openLedger, reservedOf, spentOf } from '../policy/budget.ts';
import { amountText, limitsFrom } from '../policy/budget-settings.ts';
import { settingsSchema } from '../policy/settings.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { planText } from '../views/plan-text.ts';
import { agentActivity } from './agent-activity.ts';
import { isHeld } from './choose-run.ts';
import { findSummary, readChronicle } from './find-run.ts';
import { type RunLine, runLine } from './run-lines.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional() });

export interface RunReport extends Omit<RunLine, 'questions'> {
  readonly base: string;
  readonly branch: string | undefined;
  /** The process at work on it. */
  readonly pid: number | undefined;
  readonly integration: string | undefined;
  readonly tasks: readonly (TaskOutcome | { readonly task: string; readonly status: 'running' })[];
  readonly questions: readonly OpenQuestion[];
  readonly usage: Usage;
  /** What the run may use and what counts as used, also of work that was cut off. */
  readonly budget: { readonly limit: Amount; readonly used: Amount; readonly text: string };
  readonly output: unknown;
}

export interface OpenQuestion extends Question {
  readonly key: string;
  /** What is to be approved, as a person reads it. */
  readonly plan?: string;
  /** What was answered already; the run takes it up when it goes on. */
  readonly answered?: Pick<Answer, 'option' | 'text'>;
}

export interface RunStanding {
  readonly report: RunReport;
  readonly chronicle: Chronicle;
  /** What agents at work said last, by the key of their work. */
  readonly activity: ReadonlyMap<string, string>;
  readonly isHeld: boolean;
}

export const runStatus: Operation<typeof input, RunStanding> = {
  name: 'run-status',
  summary: 'where a run stands',
  input,
  async run(context, { run }) {
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
    const activity = await agentActivity(engine.artifacts(listing.run), state);
    return { report, chronicle, activity, isHeld: isHeld(listing) };
  },
};

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
