/**
 * The reply contract: a role's result is a schema. Anything else (free text, a mismatch, silence, a
 * crash, a limit) is a truncated reply, answered by a fresh attempt in recovery mode, three in all, and
 * then by the role's exhaustion outcome, which is never a pass. Trouble of the provider is another
 * policy's business and uses up no attempt here.
 */
import type { z } from 'zod';
import { explainSchema, pathText } from '../plan/explain-schema.ts';
import type { AgentOutcome, Trouble } from './agent-outcome.ts';

export const replyAttempts = 3;

export type ReplyVerdict<T> =
  | { readonly next: 'accept'; readonly result: T }
  | { readonly next: 'retry'; readonly mode: 'recovery'; readonly why: string }
  | { readonly next: 'exhausted'; readonly why: string }
  | { readonly next: 'trouble'; readonly trouble: Trouble };

/** `attempt` is 1 for the first. */
export function judgeReply<T>(
  outcome: AgentOutcome,
  schema: z.ZodType<T>,
  attempt: number,
  most = replyAttempts,
): ReplyVerdict<T> {
  const truncated = (why: string): ReplyVerdict<T> =>
    attempt >= most ? { next: 'exhausted', why } : { next: 'retry', mode: 'recovery', why };
  if (outcome.status === 'trouble') return { next: 'trouble', trouble: outcome.trouble };
  if (outcome.status !== 'replied') return truncated(describeEnd(outcome));
  const parsed = schema.safeParse(outcome.reply);
  if (parsed.success) return { next: 'accept', result: parsed.data };
  if (typeof outcome.reply === 'string') return truncated('The reply is free text, not the result asked for.');
  const [first = 'It does not fit.', ...more] = explainMismatch(parsed.error, outcome.reply);
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return truncated(`The reply does not fit the role's result: ${first.replace(/\.$/, '')}${rest}.`);
}

/** One short sentence per fault, at most ten. With the reply at hand they say what was there instead. */
export function explainMismatch(error: z.core.$ZodError, reply?: unknown): string[] {
  const issues =
    reply === undefined
      ? error.issues.map((issue) => ({ where: pathText(issue.path), problem: issue.message }))
      : explainSchema(error.issues, reply);
  return issues
    .slice(0, 10)
    .map(({ where, problem }) => `${where}: ${problem.charAt(0).toLowerCase()}${problem.slice(1)}`);
}

type CutShort = Exclude<AgentOutcome, { status: 'replied' | 'trouble' }>;

function describeEnd(outcome: CutShort): string {
  switch (outcome.status) {
    case 'silent':
      return 'The agent ended without a reply.';
    case 'crashed':
      return `The agent crashed (${outcome.signal ?? `exit ${outcome.exit ?? 'unknown'}`}).`;
    case 'idle':
      return `The agent did nothing for ${seconds(outcome.idleMs)} and was ended.`;
    case 'timed-out':
      return `The agent was ended after ${seconds(outcome.limitMs)}.`;
    case 'flooded':
      return `The agent wrote more than ${outcome.outputBytes} bytes and was ended.`;
    default:
      return outcome satisfies never;
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
