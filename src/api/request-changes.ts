/**
 * Comments on lines of a run's result, sent where they help: to a question that takes words (a plan to change, work that
 * needs a person and goes on with another round), else to a new run that begins from the result, or from where the run
 * began if nothing of it was merged. A run at work that asks nothing takes none.
 */
import { z } from 'zod';
import type { FactData, Question } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { repositoriesOf } from '../policy/run-repositories.ts';
import { resultOf } from '../views/landing.ts';
import { answerQuestion } from './answer-question.ts';
import { isFinished } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findSummary } from './find-run.ts';
import { liveRun } from './live-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { startRun } from './start-run.ts';
import { requirementArgument } from '../workflows/definition.ts';
import { defaultWorkflow } from '../workflows/registry.ts';

const input = z.strictObject({
  run: runName,
  text: z.string().max(20_000).default('').describe('what should be different, as a whole'),
  comments: z
    .array(
      z.strictObject({
        path: z.string().max(4096),
        line: z.number().int().min(0),
        /** The line is one that the change removed: its number is that of before. */
        isRemoved: z.boolean().default(false),
        /** The line as it was when the comment was made. */
        quote: z.string().max(2000).default(''),
        text: z.string().min(1).max(10_000),
      }),
    )
    .max(500)
    .default([]),
  budget: z.string().max(200).optional().describe('limits of the new run, if it becomes one'),
});

const output = z.discriminatedUnion('how', [
  z.strictObject({ how: z.literal('answered'), run: z.string(), question: z.string() }),
  z.strictObject({ how: z.literal('started'), run: z.string(), from: z.string() }),
]);

export const requestChanges: Operation<typeof input, typeof output> = {
  name: 'request-changes',
  kind: 'command',
  description:
    'Sends comments on the work of a run: as the answer to an open question that takes words, else to a new run that begins from the result.',
  input,
  output,
  async run(context, { run, text, comments, budget }) {
    const words = wordsOf(text, comments);
    if (words === '')
      throw new ForgeError('bad-input', 'There is nothing to send', { hint: 'Comment on a line first.' });
    const live = await liveRun(context, run);
    const open = live.questions.find((question) => optionFor(question) !== undefined);
    if (open !== undefined) {
      const option = optionFor(open);
      await answerQuestion.run(context, {
        run: live.run,
        question: open.key,
        ...(option === '' ? {} : { option }),
        text: words,
        recommended: false,
        resume: true,
        yes: false,
      });
      return { how: 'answered', run: live.run, question: open.key };
    }
    const { state } = live.chronicle;
    const listing = await findSummary(context, { run: live.run, what: 'here', fits: () => true });
    if (!isFinished(listing) || state.created === undefined) {
      throw new ForgeError('bad-input', `The run ${live.run} cannot take comments now (${listing.status})`, {
        hint: 'Send them when the run asks something or has ended.',
      });
    }
    if (repositoriesOf(state.created.input) !== undefined) {
      throw new ForgeError('bad-input', `The run ${live.run} worked on several repositories`, {
        hint: 'Merge its branches, then start a run that asks for the changes.',
      });
    }
    const result = resultOf(state);
    const base = result ?? state.created.base;
    const again = result === undefined ? await askedAgain(context, state.created) : undefined;
    const started = await startRun.run(context, {
      ...startRun.input.parse({
        requirement: again === undefined ? words : `${again}\n\n${words}`,
        workflow: await workflowFor(context, state.created.workflow),
        fresh: true,
        ...(budget === undefined ? {} : { budget }),
      }),
      base,
    });
    if (started.status === 'interrupted') throw new Error('a fresh run is never held back');
    return { how: 'started', run: started.run, from: base };
  },
};

/** What a run was asked that merged nothing: comments on its work say nothing without it. */
async function askedAgain(context: ApiContext, created: FactData<'run.created'>): Promise<string> {
  const { argument } = await (await context.forge()).definition(created.workflow);
  const requirement: unknown = Object(created.input)['requirement'];
  if (argument.name === requirementArgument.name && typeof requirement === 'string')
    return `${requirement.trim()}\n\nAn earlier run tried this, and nothing of it was merged. Its work had these faults.`;
  throw new ForgeError('bad-input', `Nothing of the run ${created.run} was merged, so there is no result to change`, {
    hint: `Try again what failed with forge retry ${created.run}, or start the run again.`,
  });
}

/** The same again, unless it takes something else than words: a directory, or names of records. */
async function workflowFor(context: ApiContext, name: string): Promise<string> {
  const { argument } = await (await context.forge()).definition(name);
  return argument.name === requirementArgument.name ? name : defaultWorkflow;
}

/** The option that goes with words: the one for changes of a plan; none where words alone are an answer. */
function optionFor({ topic, freeText, options }: Question): string | undefined {
  const modify = options.find(({ id }) => id === 'modify');
  if (modify !== undefined) return modify.id;
  return freeText && topic !== 'approval' ? '' : undefined;
}

function wordsOf(text: string, comments: z.output<typeof input>['comments']): string {
  const notes = comments.map(({ path, line, isRemoved, quote, text: said }) => {
    const place = line === 0 ? path : `${path}:${line}${isRemoved ? ' before the change, removed' : ''}`;
    return `- ${place}${quote.trim() === '' ? '' : ` (\`${quote.trim()}\`)`}: ${said.trim()}`;
  });
  const intro = text.trim() === '' && notes.length > 0 ? 'Change this:' : text.trim();
  return [intro, ...notes].filter(Boolean).join('\n');
}
