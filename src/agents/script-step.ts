/**
 * The steps a scripted agent can be told to do: how each is written in a script, and the plain data
 * the child process performs. One table names every step, so a step that is parsed but not performed
 * does not compile. Pure; nothing here limits what a step may try, because the script plays hostile
 * agents too: the jail confines, not the script.
 */
import { z } from 'zod';
import { type Trouble, troubleSchema, usageSchema } from '../policy/agent-outcome.ts';
import type { Usage } from '../policy/usage.ts';
import { parseDuration } from './duration.ts';

/** What each step carries once parsed. */
interface StepData {
  readonly write: {
    readonly path: string;
    readonly content: string;
    /** How the content is written down; text unless it says otherwise. */
    readonly encoding?: 'base64' | undefined;
    readonly mode?: number | undefined;
  };
  readonly link: { readonly path: string; readonly to: string };
  readonly append: { readonly path: string; readonly content: string };
  readonly delete: { readonly path: string };
  readonly move: { readonly from: string; readonly to: string };
  readonly patch: { readonly diff: string };
  readonly exec: { readonly argv: readonly string[] };
  readonly git: { readonly argv: readonly string[] };
  readonly sleep: { readonly ms: number };
  readonly say: { readonly text: string };
  readonly usage: { readonly usage: Usage };
  readonly limits: { readonly windows: readonly ScriptedWindow[] };
  readonly session: { readonly id: string };
  readonly reply: { readonly reply: Readonly<Record<string, unknown>> | string };
  readonly hang: { readonly forever: true };
  readonly crash: { readonly exit: number };
  readonly error: { readonly trouble: Trouble };
  readonly spew: { readonly bytes: number | 'endless'; readonly stream: 'stdout' | 'stderr' };
  readonly fork: { readonly argv: readonly string[]; readonly setsid: boolean };
}
/** How much of a usage window of its account is used, and in how long it resets. */
export interface ScriptedWindow {
  readonly window: string;
  readonly used: number;
  readonly resetsInMs?: number | undefined;
}

export type StepName = keyof StepData;
export type StepOf<N extends StepName> = { readonly step: N } & StepData[N];
export type Step = { readonly [N in StepName]: StepOf<N> }[StepName];

export interface StepForm<N extends StepName> {
  readonly schema: z.ZodType<StepOf<N>>;
  /** How a person writes it; shown in error messages and checked by a test. */
  readonly example: string;
  /** Nothing after it would ever be done. */
  readonly last: boolean;
}

/** Paths are taken as written, `../` and absolute ones included. A NUL byte cannot be a path anywhere. */
const path = z
  .string()
  .min(1)
  .refine((text) => !text.includes('\0'), 'a path cannot hold a NUL byte');
const argument = z.string().refine((text) => !text.includes('\0'), 'an argument cannot hold a NUL byte');
const argv = z.array(argument).min(1);
const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms === undefined)
    context.addIssue({ code: 'custom', message: `"${text}" is not a duration such as 200ms, 2s or 1m` });
  return ms ?? 0;
});
const mode = z
  .string('expected an octal mode in quotes, such as "755"')
  .regex(/^[0-7]{3,4}$/, 'expected an octal mode in quotes, such as "755"')
  .transform((text) => Number.parseInt(text, 8));
const exitCode = z.number().int().min(1).max(255);
/** Content as text, or in base64 where it is none: exactly one of the two. */
const writeForm = z
  .strictObject({
    path,
    content: z.string().optional(),
    base64: z.base64('expected base64, such as "AAEC"').optional(),
    mode: mode.optional(),
  })
  .refine((data) => (data.content === undefined) !== (data.base64 === undefined), 'give either content or base64')
  .transform(
    ({ content, base64, ...data }): StepOf<'write'> =>
      base64 === undefined
        ? { step: 'write', ...data, content: content ?? '' }
        : { step: 'write', ...data, content: base64, encoding: 'base64' },
  );
const errorForm = z.strictObject({
  code: z.string().min(1),
  message: z.string().optional(),
  retryAfter: duration.optional(),
});
const object = z.record(z.string(), z.unknown());

export const stepForms: { readonly [N in StepName]: StepForm<N> } = {
  write: form('write: { path: src/a.js, content: "let a;", mode: "755" }', { schema: writeForm }),
  link: form('link: { path: current, to: releases/2 }', {
    schema: z.strictObject({ path, to: path }).transform((data) => ({ step: 'link', ...data })),
  }),
  append: form('append: { path: src/a.js, content: "more" }', {
    schema: z.strictObject({ path, content: z.string() }).transform((data) => ({ step: 'append', ...data })),
  }),
  delete: form('delete: src/a.js', { schema: path.transform((text) => ({ step: 'delete', path: text })) }),
  move: form('move: { from: src/a.js, to: src/b.js }', {
    schema: z.strictObject({ from: path, to: path }).transform((data) => ({ step: 'move', ...data })),
  }),
  patch: form('patch: "--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-old\\n+new\\n"', {
    schema: z
      .string()
      .min(1)
      .transform((diff) => ({ step: 'patch', diff })),
  }),
  exec: form('exec: [npm, install]', { schema: argv.transform((list) => ({ step: 'exec', argv: list })) }),
  git: form('git: [commit, -am, "my work"]', { schema: argv.transform((list) => ({ step: 'git', argv: list })) }),
  sleep: form('sleep: 200ms', { schema: duration.transform((ms) => ({ step: 'sleep', ms })) }),
  say: form('say: "Looking at the tests"', { schema: z.string().transform((text) => ({ step: 'say', text })) }),
  usage: form('usage: { inputTokens: 1200, outputTokens: 300, costUsd: 0.01 }', {
    schema: usageSchema.transform((usage) => ({ step: 'usage', usage })),
  }),
  limits: form('limits: { 5h: { used: 92, resets: 5h } }', {
    schema: z
      .record(z.string().min(1).max(40), z.strictObject({ used: z.number().min(0), resets: duration.optional() }))
      .transform((windows) => ({
        step: 'limits',
        windows: Object.entries(windows).map(([window, { used, resets }]) => ({
          window,
          used,
          ...(resets === undefined ? {} : { resetsInMs: resets }),
        })),
      })),
  }),
  session: form('session: abc-123', {
    schema: z
      .string()
      .min(1)
      .transform((id) => ({ step: 'session', id })),
  }),
  reply: form('reply: { status: success, summary: "Done" }', {
    schema: z
      .union([object, z.string()], 'expected an object (the result) or a string (free text)')
      .transform((reply) => ({ step: 'reply', reply })),
  }),
  hang: form('hang: true', { schema: z.literal(true).transform(() => ({ step: 'hang', forever: true })), last: true }),
  crash: form('crash: 137', { schema: exitCode.transform((exit) => ({ step: 'crash', exit })), last: true }),
  error: form('error: { code: rate_limit, message: "Slow down", retryAfter: 30s }', {
    schema: errorForm.transform((data) => ({ step: 'error', trouble: troubleOf(data) })),
    last: true,
  }),
  spew: form('spew: { bytes: 1000000, stream: stdout }', {
    schema: z
      .strictObject({
        bytes: z.union(
          [z.number().int().nonnegative(), z.literal('endless')],
          'expected a number of bytes or "endless"',
        ),
        stream: z.enum(['stdout', 'stderr']).default('stdout'),
      })
      .transform((data) => ({ step: 'spew', ...data })),
  }),
  fork: form('fork: { setsid: true, run: [sleep, "600"] }', {
    schema: z
      .strictObject({ setsid: z.boolean().default(false), run: argv.default(['sleep', '1000000']) })
      .transform((data) => ({ step: 'fork', setsid: data.setsid, argv: data.run })),
  }),
};

function form<N extends StepName>(
  example: string,
  detail: { readonly schema: z.ZodType<StepOf<N>>; readonly last?: boolean },
): StepForm<N> {
  return { example, schema: detail.schema, last: detail.last ?? false };
}

function troubleOf(data: z.infer<typeof errorForm>): Trouble {
  return troubleSchema.parse({
    code: data.code,
    message: data.message ?? '',
    ...(data.retryAfter === undefined ? {} : { retryAfterMs: data.retryAfter }),
  });
}
