/**
 * What the scripted model says, as data. A script is a list of rules; a rule names a conversation by text that occurs in
 * it and lists the model's answers in order. Nothing here knows how a provider spells any of it: a write is a write
 * whatever the client calls its tool. Scripts are values in tests, or one YAML file for a whole run.
 */
import { parse } from 'yaml';
import { z } from 'zod';

const count = z.number().int().nonnegative();

/** `input` counts everything sent, `cached` and `written` being parts of it; `reasoning` is a part of `output`. */
export const tokensSchema = z.strictObject({
  input: count,
  output: count,
  cached: count.default(0),
  written: count.default(0),
  reasoning: count.default(0),
});
export type Tokens = z.infer<typeof tokensSchema>;

/** One use of a tool, by what it does. A relative path is below the client's working directory. */
const callSchema = z.union([
  z.strictObject({ write: z.strictObject({ path: z.string(), content: z.string() }) }),
  /** Whole lines: some clients patch by lines. */
  z.strictObject({ edit: z.strictObject({ path: z.string(), from: z.string(), to: z.string() }) }),
  z.strictObject({ read: z.string() }),
  z.strictObject({ run: z.string() }),
  /** Arguments of Forge's `submit_result`. */
  z.strictObject({ submit: z.record(z.string(), z.unknown()) }),
  /** Any other tool, by a part of its name. */
  z.strictObject({ tool: z.string(), args: z.record(z.string(), z.unknown()).default({}) }),
]);
export type Call = z.infer<typeof callSchema>;

export const refusals = [
  'rate_limit',
  'overloaded',
  'server',
  'authentication',
  'billing',
  'model_not_found',
  'prompt_too_long',
] as const;
export type Refusal = (typeof refusals)[number];

/** `before` is before the headers, `within` after half of the answer. */
const moment = z.enum(['before', 'within']);

const plainAnswerSchema = z.strictObject({
  text: z.string().optional(),
  calls: z.array(callSchema).optional(),
  tokens: tokensSchema.optional(),
  /** Refused as the provider would; `retryAfter` in seconds. */
  refuse: z.enum(refusals).optional(),
  retryAfter: z.number().optional(),
  /** The model itself will not do it; of Anthropic and chat completions. */
  stop: z.literal('refusal').optional(),
  /** The connection breaks. */
  drop: moment.optional(),
  /** Nothing more comes and the connection stays, until the client or the server closes it. */
  silence: moment.optional(),
  /** Milliseconds between the parts of the answer. */
  pace: z.number().optional(),
});
export type PlainAnswer = z.infer<typeof plainAnswerSchema>;

/** `tries`: what the first, second … request for this answer gets; the last stays. */
const answerSchema = z.union([plainAnswerSchema, z.strictObject({ tries: z.array(plainAnswerSchema).min(1) })]);
export type Answer = z.infer<typeof answerSchema>;

const texts = z.union([z.string(), z.array(z.string())]).transform((value) => (Array.isArray(value) ? value : [value]));

export const scriptSchema = z.array(
  z.strictObject({
    /** How reports name it. */
    name: z.string(),
    /** All of this occurs in the system prompt or in what the user said, at any time. */
    says: texts.default([]),
    /** All of this occurs in what the user said last. */
    now: texts.default([]),
    answers: z.array(answerSchema).min(1),
  }),
);
export type Script = z.input<typeof scriptSchema>;
export type Rules = z.infer<typeof scriptSchema>;
export type Rule = Rules[number];

export function readScript(text: string): Rules {
  return scriptSchema.parse(parse(text));
}
