/**
 * Answers a question of a run, after making sure that the answer fits: a plan that was edited is checked here, before
 * the run could only say that it is of no use. If nobody is at work on the run and the caller wants it, it goes on.
 */
import { z } from 'zod';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunReader, RunSummary } from '../engine/engine.ts';
import { recommendedOption, refuseAnswer } from '../engine/answers.ts';
import type { Answer, Question } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { nearestWord } from '../plan/task-id.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { chosenBy, optionChoices, planWish } from '../views/question-text.ts';
import { isHeld, openQuestions } from './choose-run.ts';
import { requireUsablePlan } from './editable-plan.ts';
import { findSummary, readChronicle } from './find-run.ts';
import type { ApiContext } from './context.ts';
import type { JsonOf, Operation } from './operation.ts';
import { landingSignals, resumeRun } from './resume-run.ts';
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
type Request = z.output<typeof input>;

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
    const { engine, repo } = await context.forge();
    const listing = await findAsking(context, request.run);
    const answers = await answersTo(engine, listing, request);
    for (const signal of await landingSignals(repo, request.into)) await engine.signal(listing.run, signal);
    for (const { question, answer } of answers) {
      await engine.signal(listing.run, { type: 'answer', key: question, answer });
    }
    const keys = answers.map((one) => one.question);
    const work = request.resume ? await continueRun(context, listing, { keys, yes: request.yes }) : undefined;
    return { run: listing.run, answers, work };
  },
};

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
  let work: Answered['work'];
  for (let looks = 0; looks < mostLooks && !context.signal.aborted; looks += 1) {
    const now = await engine.summarize(listing.run);
    if (!openQuestions(now).some((key) => keys.includes(key))) break;
    if (isHeld(now)) await sleep(looksMs);
    else work = await go();
  }
  return work;
}

/** The run that asks, and which of its questions is meant; undefined when several are and none was named. */
export async function askingRun(
  context: ApiContext,
  wanted: { readonly run: string | undefined; readonly question: string | undefined },
): Promise<{ readonly run: string; readonly question: string | undefined }> {
  const listing = await findAsking(context, wanted.run);
  const open = openOf(listing);
  const question =
    wanted.question === undefined && open.length > 1 ? undefined : chooseQuestion(listing, open, wanted.question);
  return { run: listing.run, question };
}

function findAsking(context: ApiContext, run: string | undefined): Promise<RunSummary> {
  return findSummary(context, { run, what: 'that asks something', fits: (one) => openQuestions(one).length > 0 });
}

function openOf(listing: RunSummary): readonly string[] {
  const open = openQuestions(listing);
  if (open.length > 0) return open;
  throw new ForgeError('bad-input', `The run ${listing.run} asks nothing (${listing.status})`, {
    hint: `See where it stands: forge status ${listing.run}`,
  });
}

async function answersTo(engine: RunReader, listing: RunSummary, request: Request): Promise<Answered['answers']> {
  const open = openOf(listing);
  if (request.option === undefined && request.text === undefined && !request.recommended) {
    throw new ForgeError('bad-input', 'There is no answer', { hint: 'Give option, text or recommended.' });
  }
  const chronicle = await readChronicle(engine, listing.run);
  if (request.recommended) return open.map((key) => ({ question: key, answer: recommendedAnswer(chronicle, key) }));
  const key = chooseQuestion(listing, open, request.question);
  const { text } = request;
  const question = questionOf(chronicle, key);
  const option = request.option === undefined ? wishIn(question, text) : optionMeant(question, request.option);
  const answer = { ...(option === undefined ? {} : { option }), ...(text === undefined ? {} : { text }) };
  await requireFitting(chronicle, key, answer);
  return [{ question: key, answer }];
}

function chooseQuestion(listing: RunSummary, open: readonly string[], wanted: string | undefined): string {
  const [first = '', ...more] = open;
  if (wanted === undefined && more.length === 0) return first;
  if (wanted !== undefined && open.includes(wanted)) return wanted;
  if (wanted === undefined) {
    throw new ForgeError('bad-input', `The run ${listing.run} asks ${open.length} questions`, {
      hint: `Say which: ${open.map((key) => `forge answer ${listing.run} ${key}`).join(', ')}`,
    });
  }
  const meant = nearestWord(wanted, open);
  throw new ForgeError('bad-input', `The run ${listing.run} does not ask ${JSON.stringify(wanted)}`, {
    hint:
      meant === undefined
        ? `Open: ${open.join(', ')}. To answer in words: forge answer ${listing.run} ${open[0]} --text "…"`
        : `Did you mean ${meant}?`,
  });
}

function recommendedAnswer(chronicle: Chronicle, key: string): Pick<Answer, 'option'> {
  const option = recommendedOption(questionOf(chronicle, key));
  if (option !== undefined) return { option };
  throw new ForgeError('bad-input', `Nothing is recommended for ${JSON.stringify(key)}`, {
    hint: `Answer it yourself: forge answer ${runOf(chronicle)} ${key} --option …`,
  });
}

/** Words about a plan that are no plan themselves say how it should be different. */
function wishIn({ topic, options }: Question, text: string | undefined): string | undefined {
  if (text === undefined || topic !== 'approval' || /^\s*(?:\{|["']?tasks["']?\s*:)/m.test(text)) return undefined;
  return options.some(({ id }) => id === planWish) ? planWish : undefined;
}

/** Its id, or its number where a person reads the question. What is neither is refused below. */
function optionMeant(question: Question, typed: string): string {
  const choices = optionChoices(question);
  return choices[chosenBy(choices, typed) ?? -1]?.id ?? typed;
}

async function requireFitting(
  chronicle: Chronicle,
  key: string,
  answer: Pick<Answer, 'option' | 'text'>,
): Promise<void> {
  const question = questionOf(chronicle, key);
  const refused = refuseAnswer(question, { ...answer, by: 'person' });
  if (refused !== undefined) {
    const ids = optionChoices(question)
      .map(({ name, id }) => (name === id ? id : `${id} (${name})`))
      .join(', ');
    throw new ForgeError('bad-input', `${question.title} The answer cannot be taken: ${refused}`, {
      hint: ids === '' ? 'Answer with --text.' : `--option takes: ${ids}${question.freeText ? '; or --text' : ''}.`,
    });
  }
  if (question.topic === 'approval' && answer.option === 'modify' && (answer.text ?? '').trim() === '') {
    // Another plan costs money, and without a word it would be the same one.
    throw new ForgeError('bad-input', 'Say what should be different in the plan', {
      hint: `forge answer ${runOf(chronicle)} ${key} --option modify --text "<what should be different>"`,
    });
  }
  if (question.draft !== undefined && answer.option === undefined && answer.text !== undefined) {
    await requireUsablePlan(answer.text, chronicle);
  }
}

function runOf({ state }: Chronicle): string {
  return state.created?.run ?? '';
}

function questionOf({ state }: Chronicle, key: string): Question {
  const record = state.questions.get(key);
  if (record === undefined) throw new Error(`the question ${key} was open a moment ago`);
  return record.question;
}
