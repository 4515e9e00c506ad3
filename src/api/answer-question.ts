/** Answers a question of a run (give-answer.ts). If no process works on the run and the caller wants it, the run continues. */
import { z } from 'zod';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunSummary } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { isHeld, openQuestions } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { giveAnswers } from './give-answer.ts';
import { liveRun } from './live-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { resumeRun } from './resume-run.ts';
import { runName } from './run-name.ts';
import { runWorkSchema, workWishes } from './work-on-run.ts';

const input = z.strictObject({
  run: runName,
  question: z.string().max(256).optional().describe("the question's key; may be left out when only one is open"),
  option: z.string().max(256).optional().describe('the id of an option, or its number'),
  text: z
    .string()
    .max(1024 * 1024)
    .optional()
    .describe('an answer in words; for a plan, the edited plan'),
  recommended: z.boolean().default(false).describe('take what is recommended, for every open question'),
  /** The user's branch that is to be moved to the result, instead of the one named before. */
  into: z.string().min(1).optional(),
  /** Continue the run if nobody works on it. */
  resume: z.boolean().default(true),
  yes: workWishes.yes,
});

const output = z.strictObject({
  run: z.string(),
  answers: z.array(
    z.strictObject({
      question: z.string(),
      answer: z.strictObject({ option: z.string().optional(), text: z.string().optional() }),
    }),
  ),
  /** Who continues the run; undefined when somebody works on it already, or nobody was to. */
  work: runWorkSchema.optional(),
});
type Answered = JsonOf<typeof output>;

export const answerQuestion: Operation<typeof input, typeof output> = {
  name: 'answer-question',
  kind: 'command',
  description:
    'Answers a question of a run: with one of its options, with text (for a plan: the edited plan), or with what is recommended. The run then continues by itself.',
  input,
  output,
  tool: { name: 'forge_answer', title: 'Answer a question of a run', hidden: ['into', 'resume', 'yes'] },
  async run(context, request) {
    const { listing, answers } = await giveAnswers(context, request);
    const keys = answers.map((one) => one.question);
    const work = request.resume ? await continueRun(context, listing, { keys, yes: request.yes }) : undefined;
    if (context.worker.where === 'apart') await tellWhoeverWasLate(context, listing.run, answers);
    return { run: listing.run, answers, work };
  },
};

/** Two people may answer at once. The first answer counts, and the other person must not believe that theirs did. */
async function tellWhoeverWasLate(context: ApiContext, run: string, given: Answered['answers']): Promise<void> {
  const { chronicle } = await liveRun(context, run);
  for (const { question, answer } of given) {
    const record = chronicle.state.questions.get(question);
    const counts = record?.answer;
    if (counts === undefined || isSameAnswer(counts, answer)) continue;
    const label = record?.question.options.find(({ id }) => id === counts.option)?.label;
    throw new ForgeError('bad-input', `Somebody else answered first: ${label ?? counts.text ?? counts.option ?? ''}`, {
      hint: 'The run continues with that answer.',
    });
  }
}

/** What was recorded is redacted, so a text with a secret in it is never the one that was given. */
function isSameAnswer(counts: Answered['answers'][number]['answer'], given: typeof counts): boolean {
  const isSameText = counts.text === given.text || counts.text?.includes('[redacted') === true;
  return counts.option === given.option && isSameText;
}

const looksMs = 100;
const mostLooks = 100;

/**
 * A process at work takes answers from its inbox a moment later, and whoever looks next must not meet the old question.
 * It may also leave before it looks: then another one continues.
 */
async function continueRun(
  context: ApiContext,
  listing: RunSummary,
  { keys, yes }: { readonly keys: readonly string[]; readonly yes: boolean },
): Promise<Answered['work']> {
  const { engine } = await context.forge();
  const go = (): Promise<Answered['work']> =>
    resumeRun.run(context, { run: listing.run, takeOver: false, yes, planOnly: false });
  if (context.worker.where === 'here') return isHeld(listing) ? undefined : go();
  const isOpen = (now: RunSummary): boolean => openQuestions(now).some((key) => keys.includes(key));
  let work: Answered['work'];
  for (let looks = 0; looks < mostLooks && !context.signal.aborted; looks += 1) {
    const now = await engine.summarize(listing.run);
    if (!isOpen(now)) break;
    if (isHeld(now)) await sleep(looksMs);
    else {
      try {
        work = await go();
      } catch (error) {
        // Somebody else who answered may have taken up the run a moment ago.
        const since = await engine.summarize(listing.run);
        if (isOpen(since) && !isHeld(since)) throw error;
      }
    }
  }
  return work;
}
