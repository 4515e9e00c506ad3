/** Every open question, of one run or of all, with the plan to approve as a person reads it and as text that can be edited. */
import { z } from 'zod';
import { openQuestions } from './choose-run.ts';
import { runsThat } from './find-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { openQuestionSchema } from './open-questions.ts';
import { standingOf } from './run-standing.ts';

const input = z.strictObject({
  run: runName.describe("the run's name, or its beginning or end; without it, all runs"),
});

const output = z.strictObject({
  questions: z.array(
    openQuestionSchema.extend({
      run: z.string(),
      /** The plan as text: an edited copy of it is an answer. */
      editablePlan: z.string().optional(),
    }),
  ),
});

export const listQuestions: Operation<typeof input, typeof output> = {
  name: 'list-questions',
  kind: 'query',
  description:
    'Lists every open question, of one run or of all: its key, title, detail and options. A question about a plan comes with the plan, also as text that you can edit and send back. Answer with forge_answer.',
  input,
  output,
  tool: { name: 'forge_questions', title: 'List open questions' },
  async run(context, { run }) {
    const asking =
      run === undefined
        ? (await runsThat(context, (listing) => openQuestions(listing).length > 0)).map((listing) => listing.run)
        : [run];
    const found = await Promise.all(asking.map((one) => standingOf(context, one)));
    return {
      questions: found.flatMap(({ report }) =>
        report.questions.map((question) => ({
          run: report.run,
          ...question,
          // Not every approval is about something that has a text to edit.
          ...(question.draft === undefined ? {} : { editablePlan: question.draft }),
        })),
      ),
    };
  },
};
