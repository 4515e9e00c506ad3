/**
 * Every fact a journal can hold, defined once: types, readers and the reducer's table come from this map.
 * A fact is `noun.verbed`, in the past tense, and complete by itself. Facts are never edited; a new shape
 * is a new format version with an upgrade step (see files/read-journal.ts).
 */
import { z } from 'zod';
import { planSchema, taskSchema } from '../plan/plan.ts';
import { budgetEntrySchema, limitSchema } from '../policy/budget-schemas.ts';
import { pageSchema } from '../policy/page.ts';
import { workReportSchema } from '../policy/work-report.ts';
import { jsonValue } from './json-value.ts';

export const processIdentitySchema = z.strictObject({
  pid: z.number().int(),
  startTime: z.string(),
  bootId: z.string(),
  host: z.string(),
});
export type HolderIdentity = z.infer<typeof processIdentitySchema>;

export const questionSchema = z.strictObject({
  title: z.string(),
  detail: z.string().default(''),
  options: z
    .array(z.strictObject({ id: z.string(), label: z.string(), recommended: z.boolean().default(false) }))
    .default([]),
  freeText: z.boolean().default(false),
  /** What the question is about, for skins that draw some of them in their own way. */
  topic: z.string().default('question'),
  /** What is to be decided about, such as a plan: shown above the question. */
  page: pageSchema.optional(),
  /** Text that a person may change and send back as their answer. */
  draft: z.string().optional(),
  /** A directory in which a person may change files instead; the option is the answer that takes what is there. */
  checkout: z.strictObject({ path: z.string(), option: z.string() }).optional(),
});
export type Question = z.infer<typeof questionSchema>;
export type QuestionInput = z.input<typeof questionSchema>;

export const answerSchema = z.strictObject({
  option: z.string().optional(),
  text: z.string().optional(),
  by: z.string().default('person'),
});
export type Answer = z.infer<typeof answerSchema>;

export const signalSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('answer'), key: z.string(), answer: answerSchema }),
  z.strictObject({ type: z.literal('pause'), reason: z.string().default('') }),
  z.strictObject({ type: z.literal('cancel'), reason: z.string().default('') }),
  /** Limits of the run from now on, instead of those it had. */
  z.strictObject({ type: z.literal('budget'), limit: limitSchema }),
  /** The branch of the user's that the result is to land on, instead of the one it was started with. */
  z.strictObject({ type: z.literal('land'), into: z.string() }),
  /** The agent that does all the work from now on, whatever the settings or the plan say. */
  z.strictObject({ type: z.literal('agent'), agent: z.string() }),
]);
export type Signal = z.infer<typeof signalSchema>;
export type SignalInput = z.input<typeof signalSchema>;

export const figuresSchema = z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]));
export type Figures = z.infer<typeof figuresSchema>;

export const taskOutcomeSchema = z.strictObject({
  task: z.string(),
  status: z.enum(['done', 'failed', 'skipped', 'blocked']),
  /** One sentence; empty when done. */
  reason: z.string().default(''),
  /** One line about a task that is done, such as its score. */
  detail: z.string().optional(),
  /** The commit that holds the task's work, merged or only captured. */
  commit: z.string().optional(),
  /** What is worth showing beside it: a score, counts. */
  figures: figuresSchema.optional(),
  report: workReportSchema.optional(),
  /** What the workflow needs of it later: a task that is over is not run again on resume, so closures do not survive. */
  data: z.json().optional(),
});
export type TaskOutcome = z.infer<typeof taskOutcomeSchema>;

/** Where in a run something was asked for: the innermost step or task around it. */
const placeSchema = z.strictObject({ type: z.enum(['step', 'task']), key: z.string() });
export type Place = z.infer<typeof placeSchema>;
const within = placeSchema.optional();

export const stepOutlineSchema = z.strictObject({
  key: z.string(),
  /** The sort of step, for displays that draw some of them differently: `plan`, `round`, `review`. */
  kind: z.string(),
  title: z.string(),
});
export type StepOutline = z.infer<typeof stepOutlineSchema>;

export const stepEndSchema = z.strictObject({
  status: z.enum(['done', 'failed', 'skipped', 'blocked', 'unverified']),
  /** One line about what came of it. */
  detail: z.string().default(''),
  /** What is worth showing beside it: a score, counts. */
  figures: figuresSchema.default({}),
  report: workReportSchema.optional(),
  /** Further lines for people who read along: bugs, findings, lessons. */
  lines: z.array(z.string()).default([]),
  /** Keys of the effects, questions or records behind it. */
  links: z.array(z.string()).default([]),
  /** What the workflow's own documents and reports need of it. */
  data: z.json().optional(),
});
export type StepEnd = z.infer<typeof stepEndSchema>;
export type StepEndInput = z.input<typeof stepEndSchema>;

export const refMoveSchema = z.strictObject({
  ref: z.string(),
  /** Undefined where the ref did not exist. */
  before: z.string().optional(),
  after: z.string().optional(),
  /** A commit on top takes back everything Forge had put on the branch before. */
  reverts: z.boolean().optional(),
});
export type RefMove = z.infer<typeof refMoveSchema>;

export const suspendReasons = ['paused', 'waiting', 'limit', 'error'] as const;

export const factSchemas = {
  'run.created': z.strictObject({
    run: z.string(),
    title: z.string(),
    workflow: z.string(),
    workflowVersion: z.number().int(),
    /** The commit agents start from, and where the user stood. */
    base: z.string(),
    branch: z.string().optional(),
    root: z.string(),
    /** What the workflow was asked, and the settings in force: both JSON. */
    input: z.json(),
    settings: z.json(),
    forge: z.string(),
  }),
  'run.opened': z.strictObject({
    holder: processIdentitySchema,
    epoch: z.number().int(),
    forge: z.string(),
    workflowVersion: z.number().int(),
    jail: z.string(),
  }),
  'run.suspended': z.strictObject({
    reason: z.enum(suspendReasons),
    code: z.string().optional(),
    detail: z.string().default(''),
  }),
  'run.ended': z.strictObject({
    status: z.enum(['done', 'failed', 'cancelled']),
    reason: z.string().default(''),
    output: z.json().optional(),
  }),
  /** A run that is over is opened again to put its result on a branch that has moved; then it ends as it had ended. */
  'landing.started': z.strictObject({
    branch: z.string(),
    /** The result that is to land. */
    commit: z.string(),
    ended: z.strictObject({
      status: z.enum(['done', 'failed', 'cancelled']),
      reason: z.string(),
      output: z.json().optional(),
    }),
  }),
  'effect.started': z.strictObject({
    kind: z.string(),
    attempt: z.number().int().positive(),
    input: jsonValue,
    within,
  }),
  'effect.progressed': z.strictObject({
    attempt: z.number().int().positive(),
    process: processIdentitySchema.optional(),
    session: z.string().optional(),
    note: z.string().optional(),
    /** It waits for a provider's limit on an account to end, so that a resumed run waits on. */
    wait: z.strictObject({ account: z.string(), until: z.string() }).optional(),
    /** Money and the like that was set aside, paid or given back. */
    budget: budgetEntrySchema.optional(),
  }),
  'effect.finished': z.strictObject({ attempt: z.number().int().positive(), output: jsonValue }),
  'effect.interrupted': z.strictObject({
    attempt: z.number().int().positive(),
    reason: z.enum(['crash', 'suspended', 'error']),
    detail: z.string().default(''),
  }),
  /** Steps that are expected to come, in order: displays show them before they start. */
  'steps.announced': z.strictObject({ steps: z.array(stepOutlineSchema), within }),
  'step.started': z.strictObject({ kind: z.string(), title: z.string(), detail: z.string().default(''), within }),
  'step.ended': stepEndSchema,
  /** Tasks that a schedule holds, in its order: displays show them before they start. */
  'tasks.scheduled': z.strictObject({
    scope: z.string(),
    tasks: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        depends: z.array(z.string()),
        /** Ids of the plan's tasks that are done in this one. */
        parts: z.array(z.string()).optional(),
      }),
    ),
    /** The tasks only look at things and change no files. */
    readOnly: z.boolean().optional(),
    within,
    /** A task at work added these to its schedule: its key, and the tasks as they have to be done. */
    added: z.strictObject({ by: z.string(), tasks: z.array(taskSchema) }).optional(),
  }),
  /** A task gave up its place in the schedule until others are over. */
  'task.waited': z.strictObject({
    task: z.string(),
    /** Keys of the tasks it waits for, and those among them that would have waited for it in turn. */
    for: z.array(z.string()),
    refused: z.array(z.string()),
  }),
  'task.started': z.strictObject({ task: z.string(), within }),
  'task.ended': taskOutcomeSchema,
  /** A task that was not done is tried again, in a run that may have been over. Everything listed is as if it had never been. */
  'task.reopened': z.strictObject({
    task: z.string(),
    /** Which try at the task begins: 2 is the second. */
    generation: z.number().int().min(2),
    /** Keys of the tasks that are open again. */
    tasks: z.array(z.string()),
    /** Keys of effects, questions, records and steps that no longer count. */
    forgotten: z.array(z.string()),
    /** Keys of the steps around the task: they started before it and are not over any more. */
    steps: z.array(z.string()).default([]),
    /** Keys of tasks that the reopened ones had added to the schedule: they are not part of it any more. */
    unscheduled: z.array(z.string()).default([]),
    /** Commits that are not in the repository any more: what was merged in them counts as never merged. */
    gone: z.array(z.string()).optional(),
  }),
  'question.asked': questionSchema.extend({ within }),
  'question.answered': answerSchema,
  'signal.received': z.strictObject({
    id: z.string(),
    signal: signalSchema,
    /** Why it had no effect, e.g. an answer that names no option. */
    refused: z.string().optional(),
  }),
  'plan.accepted': z.strictObject({ plan: planSchema }),
  'ref.moved': refMoveSchema,
  'note.recorded': z.strictObject({
    text: z.string(),
    data: z.json().optional(),
    /** Where the whole run stands from now on, for displays; the latest counts. */
    standing: z.strictObject({ text: z.string(), isBad: z.boolean() }).optional(),
  }),
} as const;

export type FactType = keyof typeof factSchemas;
export type FactData<T extends FactType> = z.infer<(typeof factSchemas)[T]>;
export type FactInput<T extends FactType> = z.input<(typeof factSchemas)[T]>;

/** One line of a journal. `key` is empty for facts about the whole run. */
export type Fact = { [T in FactType]: FactOf<T> }[FactType];
export interface FactOf<T extends FactType> {
  readonly v: number;
  readonly seq: number;
  readonly at: string;
  readonly type: T;
  readonly key: string;
  readonly data: FactData<T>;
  readonly hash: string;
}

/** The facts a workflow may record itself; the engine alone writes the others. */
export const recordableFacts = ['plan.accepted', 'note.recorded', 'ref.moved'] as const;
export type RecordableFact = (typeof recordableFacts)[number];

export function isFactType(type: string): type is FactType {
  return Object.hasOwn(factSchemas, type);
}
