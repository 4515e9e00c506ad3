/** What a run asks right now, with what is needed to answer it: the plan as text, and what was answered already. */
import { z } from 'zod';
import type { Message, RunSummary } from '../engine/engine.ts';
import { type Answer, type Question, questionSchema } from '../engine/facts.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { questionPage } from '../views/plan-text.ts';
import { openQuestions } from './choose-run.ts';

export const openQuestionSchema = questionSchema.extend({
  key: z.string(),
  askedAt: z.string().optional(),
  /** What is to be approved, as a person reads it. */
  plan: z.string().optional(),
  /** What was answered already; the run takes it up when it continues. */
  answered: z.strictObject({ option: z.string().optional(), text: z.string().optional() }).optional(),
});
export type OpenQuestion = z.output<typeof openQuestionSchema>;

export function openQuestionsOf(
  chronicle: Chronicle,
  listing: RunSummary,
  messages: readonly Message[],
): readonly OpenQuestion[] {
  const answers = waitingAnswers(messages);
  return openQuestions(listing).flatMap((key) => {
    const record = chronicle.state.questions.get(key);
    if (record === undefined) return [];
    const plan = planAskedFor(record.question, chronicle);
    const answered = answers.get(key);
    const { askedAt } = record;
    return [{ key, askedAt, ...record.question, ...plan, ...(answered === undefined ? {} : { answered }) }];
  });
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

/** Nobody can decide on what they are not shown. */
function planAskedFor(question: Question, chronicle: Chronicle): { readonly plan?: string } {
  const plan = questionPage(chronicle, question, { columns: planColumns });
  return plan === undefined ? {} : { plan };
}
