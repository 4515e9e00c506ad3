/**
 * Gives a run the answer to what it asks, after making sure that the answer fits: a plan that was edited is checked here,
 * before the run could only say that it is of no use. Whoever works on the run takes the answer up. Loads schemas and git
 * only for an edited plan or another branch.
 */
import { recommendedOption, refuseAnswer } from '../engine/answers.ts';
import type { RunReader, RunSummary } from '../engine/engine.ts';
import type { Answer, Question } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { nearestWord } from '../plan/task-id.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { chosenBy, optionChoices, planWish } from '../views/question-text.ts';
import { openQuestions } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findSummary, readChronicle } from './find-run.ts';

export interface AnswerRequest {
  readonly run?: string | undefined;
  /** May be left out when only one is open. */
  readonly question?: string | undefined;
  /** The id of an option, or its number. */
  readonly option?: string | undefined;
  readonly text?: string | undefined;
  /** Take what is recommended, for every open question. */
  readonly recommended?: boolean;
  /** The user's branch that is to be moved to the result, instead of the one named before. */
  readonly into?: string | undefined;
}

export interface GivenAnswers {
  readonly listing: RunSummary;
  readonly answers: readonly { readonly question: string; readonly answer: Pick<Answer, 'option' | 'text'> }[];
}

export async function giveAnswers(context: ApiContext, request: AnswerRequest): Promise<GivenAnswers> {
  const { engine } = await context.runs();
  const listing = await findAsking(context, request.run);
  const answers = await answersTo(engine, listing, request);
  if (request.into !== undefined) await landOn(context, listing.run, request.into);
  for (const { question, answer } of answers) {
    await engine.post(listing.run, { type: 'answer', key: question, answer: { ...answer, by: 'person' } });
  }
  return { listing, answers };
}

async function landOn(context: ApiContext, run: string, into: string): Promise<void> {
  const [{ engine, repo }, { landingSignals }] = await Promise.all([context.forge(), import('./resume-run.ts')]);
  for (const signal of await landingSignals(repo, into)) await engine.signal(run, signal);
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

async function answersTo(
  engine: RunReader,
  listing: RunSummary,
  request: AnswerRequest,
): Promise<GivenAnswers['answers']> {
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

/** Words about a plan that are not a plan themselves say how it should be different. */
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
    const { requireUsablePlan } = await import('./editable-plan.ts');
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
