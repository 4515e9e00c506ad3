/**
 * The draft of a question as a person edits it: read as a plan, changed field by field, and checked as the run itself
 * will check it. Text in, text out; nothing is answered here.
 */

import { isMap, isSeq, parseDocument } from 'yaml';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { planSchema } from '../plan/plan.ts';
import { readEditedPlan } from '../workflows/moves/edited-plan.ts';
import { planProblems } from './editable-plan.ts';
import { liveRun } from './live-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({
  run: runName,
  question: z.string().max(256),
  text: z
    .string()
    .max(1024 * 1024)
    .optional()
    .describe('the edited draft; the draft as it was asked about without it'),
  changes: z
    .array(
      z.strictObject({
        task: z.string().max(256),
        field: z.enum(['title', 'objective', 'doneWhen', 'writes', 'depends', 'verify']),
        value: z.union([z.string().max(100_000), z.array(z.string().max(10_000)).max(1000)]),
      }),
    )
    .max(1000)
    .default([])
    .describe('fields of tasks to change in the text'),
});

const writtenTaskSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  objective: z.string(),
  doneWhen: z.string(),
  writes: z.array(z.string()),
  depends: z.array(z.string()),
  verify: z.array(z.string()),
});
export type WrittenTask = z.infer<typeof writtenTaskSchema>;

const output = z.strictObject({
  text: z.string(),
  /** Left out where the text cannot be read as a plan. */
  plan: planSchema.optional(),
  /** What a form shows: the fields as the text has them, right or wrong. Left out where it has no list of tasks. */
  tasks: z.array(writtenTaskSchema).optional(),
  warnings: z.array(z.string()),
  /** What has to be fixed before it can be sent, with places. */
  problems: z.array(z.string()),
});

export const editDraft: Operation<typeof input, typeof output> = {
  name: 'edit-draft',
  kind: 'query',
  description: 'Reads the draft of a question as a plan, with changes of some fields, and says what is wrong with it.',
  input,
  output,
  async run(context, { run, question, text, changes }) {
    const { chronicle, run: name } = await liveRun(context, run);
    const asked = chronicle.state.questions.get(question)?.question;
    if (asked?.draft === undefined) {
      throw new ForgeError('bad-input', `The question ${JSON.stringify(question)} of ${name} has nothing to edit`);
    }
    const edited = applyChanges(text ?? asked.draft, changes);
    const read = readEditedPlan(edited, planSchema.parse({ objective: '', tasks: [] }));
    const problems = await planProblems(edited, chronicle);
    const tasks = writtenTasks(edited);
    return {
      text: edited,
      ...(tasks === undefined ? {} : { tasks }),
      ...(read.status === 'usable' ? { plan: read.plan } : {}),
      warnings: read.status === 'usable' ? [...read.warnings] : [],
      problems: [...problems],
    };
  },
};

function writtenTasks(text: string): WrittenTask[] | undefined {
  const document = parseDocument(text);
  const { tasks } = Object(document.errors.length > 0 ? undefined : document.toJS()) as { readonly tasks?: unknown };
  if (!Array.isArray(tasks)) return undefined;
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);
  return tasks.map((task: unknown) => {
    const { id, title, objective, doneWhen, writes, depends, verify } = Object(task) as Readonly<
      Record<string, unknown>
    >;
    const words = { id: textOf(id), title: textOf(title), objective: textOf(objective), doneWhen: textOf(doneWhen) };
    return { ...words, writes: listOf(writes), depends: listOf(depends), verify: listOf(verify) };
  });
}

/** What the person's text says besides, comments included, stays as it is. */
function applyChanges(text: string, changes: z.output<typeof input>['changes']): string {
  if (changes.length === 0) return text;
  const document = parseDocument(text);
  const tasks: unknown = document.get('tasks');
  if (document.errors.length > 0 || !isSeq(tasks)) {
    throw new ForgeError('bad-plan', 'Forge cannot read the draft, so its fields cannot be changed one by one', {
      hint: 'Edit it as text first.',
    });
  }
  for (const { task, field, value } of changes) {
    const node = tasks.items.find((item) => isMap(item) && item.get('id') === task);
    if (!isMap(node)) throw new ForgeError('bad-plan', `There is no task ${JSON.stringify(task)} in the draft`);
    node.set(field, document.createNode(value));
  }
  return document.toString({ lineWidth: 0 });
}
