/**
 * Answers a question of a run, after making sure that the answer fits: a plan that was edited is checked here, before
 * the run could only say that it is of no use. If nobody is at work on the run and the caller wants it, it goes on.
 */
import { z } from 'zod';
import type { RunHandle, RunReader, RunSummary } from '../engine/engine.ts';
import { recommendedOption, refuseAnswer } from '../engine/answers.ts';
import type { Answer, Question } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { nearestWord } from '../plan/task-id.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { chosenBy, optionChoices } from '../views/question-text.ts';
import { isHeld, openQuestions } from './choose-run.ts';
import { requireUsablePlan } from './editable-plan.ts';
import { findSummary, readChronicle } from './find-run.ts';
import type { ApiContext, Operation } from './operation.ts';
import { landingSignals } from './resume-run.ts';

const input = z.strictObject({
  run: z.string().optional(),
  /** The question's key; may be left out when only one is open. */
  question: z.string().optional(),
  option: z.string().optional(),
  text: z.string().optional(),
  /** Take what is recommended, for every open question. */
  recommended: z.boolean().default(false),
  /** The user's branch that is to be moved to the result, instead of the one named before. */
  into: z.string().min(1).optional(),
  resume: z.boolean().default(true),
});
type Request = z.output<typeof input>;

export interface Answered {
  readonly run: string;
  readonly answers: readonly { readonly question: string; readonly answer: Pick<Answer, 'option' | 'text'> }[];
  /** This process works on the run now. */
  readonly handle: RunHandle | undefined;
}

export const answerQuestion: Operation<typeof input, Answered> = {
  name: 'answer-question',
  summary: 'answer what a run asks',
  input,
  async run(context, request) {
    const { engine, repo } = await context.forge();
    const listing = await findAsking(context, request.run);
    const answers = await answersTo(engine, listing, request);
    for (const signal of await landingSignals(repo, request.into)) await engine.signal(listing.run, signal);
    for (const { question, answer } of answers) {
      await engine.signal(listing.run, { type: 'answer', key: question, answer });
    }
    const resumes = request.resume && !isHeld(listing);
    const handle = resumes ? await engine.resume(listing.run, context.watcher) : undefined;
    return { run: listing.run, answers, handle };
  },
};

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
  const chronicle = await readChronicle(engine, listing.run);
  if (request.recommended) return open.map((key) => ({ question: key, answer: recommendedAnswer(chronicle, key) }));
  const key = chooseQuestion(listing, open, request.question);
  const { text } = request;
  const option = request.option === undefined ? undefined : optionMeant(questionOf(chronicle, key), request.option);
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
    hint: meant === undefined ? `Open: ${open.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

function recommendedAnswer(chronicle: Chronicle, key: string): Pick<Answer, 'option'> {
  const option = recommendedOption(questionOf(chronicle, key));
  if (option !== undefined) return { option };
  throw new ForgeError('bad-input', `Nothing is recommended for ${JSON.stringify(key)}`, {
    hint: `Answer it yourself: forge answer ${runOf(chronicle)} ${key} --option …`,
  });
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
    throw new ForgeError('bad-input', `${question.title} The answer can not be taken: ${refused}`, {
      hint: ids === '' ? 'Answer with --text.' : `--option takes: ${ids}${question.freeText ? '; or --text' : ''}.`,
    });
  }
  if (question.topic === 'approval' && answer.option === 'modify' && (answer.text ?? '').trim() === '') {
    // Another plan costs money, and without a word it would be the same one.
    throw new ForgeError('bad-input', 'Say what should be different in the plan', {
      hint: `forge answer ${runOf(chronicle)} ${key} --option modify --text "<what should be different>"`,
    });
  }
  if (question.topic === 'approval' && answer.option === undefined && answer.text !== undefined) {
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
