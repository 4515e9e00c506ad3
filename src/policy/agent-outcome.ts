/**
 * How an agent's job ended, as data a policy decides on. `replied` is not success: the reply still has
 * to fit the role's schema, the diff has to be there and the engine's own checks have to pass.
 */
import { z } from 'zod';

export const usageSchema = z.strictObject({
  inputTokens: z.number().nonnegative().default(0),
  outputTokens: z.number().nonnegative().default(0),
  costUsd: z.number().nonnegative().default(0),
  turns: z.number().nonnegative().default(0),
});

/** Structured trouble, as an agent or its provider reports it. */
export const troubleSchema = z.strictObject({
  code: z.string(),
  message: z.string().default(''),
  retryAfterMs: z.number().nonnegative().optional(),
});
export type Trouble = z.infer<typeof troubleSchema>;

const ended = { usage: usageSchema, session: z.string().optional(), durationMs: z.number().nonnegative() };

export const agentOutcomeSchema = z.discriminatedUnion('status', [
  /** The reply as the agent gave it: an object for a result, a string for free text. */
  z.strictObject({ status: z.literal('replied'), reply: z.unknown(), ...ended }),
  /** Ended by itself without any reply. */
  z.strictObject({ status: z.literal('silent'), exit: z.number().int().nullable(), ...ended }),
  z.strictObject({
    status: z.literal('crashed'),
    exit: z.number().int().nullable(),
    signal: z.string().nullable(),
    ...ended,
  }),
  z.strictObject({ status: z.literal('trouble'), trouble: troubleSchema, ...ended }),
  /** Ended by the watchdog. */
  z.strictObject({ status: z.literal('idle'), idleMs: z.number().nonnegative(), ...ended }),
  z.strictObject({ status: z.literal('timed-out'), limitMs: z.number().nonnegative(), ...ended }),
  z.strictObject({ status: z.literal('flooded'), outputBytes: z.number().nonnegative(), ...ended }),
]);
export type AgentOutcome = z.infer<typeof agentOutcomeSchema>;
