/**
 * What the scripted agent's child process says on its standard output: one JSON message per line. The
 * child is untrusted like any agent, so the driver checks every line against these schemas and treats
 * whatever does not fit as plain output.
 */
import { z } from 'zod';
import { troubleSchema, usageSchema } from '../policy/agent-outcome.ts';
import type { Step } from './script-step.ts';

/** The child's whole standard input. */
export interface ScriptedInput {
  readonly steps: readonly Step[];
}

export const scriptedMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('tool'),
    name: z.string(),
    paths: z.array(z.string()).readonly(),
    status: z.enum(['done', 'failed']),
    text: z.string(),
    /** What a file was and what it is now, where both are text and short. */
    edit: z.strictObject({ before: z.string(), after: z.string() }).optional(),
  }),
  z.strictObject({ type: z.literal('usage'), usage: usageSchema }),
  z.strictObject({
    type: z.literal('limits'),
    windows: z
      .array(
        z.strictObject({
          window: z.string().max(40),
          used: z.number().min(0),
          resetsInMs: z.number().nonnegative().optional(),
        }),
      )
      .readonly(),
  }),
  z.strictObject({ type: z.literal('session'), id: z.string() }),
  z.strictObject({ type: z.literal('reply'), reply: z.union([z.record(z.string(), z.unknown()), z.string()]) }),
  z.strictObject({ type: z.literal('error'), trouble: troubleSchema }),
]);
export type ScriptedMessage = z.infer<typeof scriptedMessageSchema>;
