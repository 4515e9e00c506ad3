/**
 * What an agent's session came to, read once from the effect's output with the role's own schema: a result,
 * no usable reply, or trouble. The same judgement the workflow made, so a view never tells another story.
 */
import { z } from 'zod';
import { agentOutcomeSchema } from '../policy/agent-outcome.ts';
import type { Usage } from '../policy/usage.ts';
import { type Change, changeSchema } from '../policy/receipt.ts';
import { judgeReply, replyAttempts } from '../policy/reply.ts';
import { type RoleName, type RoleReply, roleSchemas } from '../policy/role-replies.ts';

export type AgentReading = {
  readonly role: string;
  readonly attempt: number;
  readonly usage: Usage;
  readonly durationMs: number;
  readonly session: string | undefined;
  /** What it left, captured, and what that changes. */
  readonly commit: string;
  readonly changes: readonly Change[];
} & (
  | {
      readonly status: 'accepted';
      readonly reply: unknown /** Whose schema it fits. */;
      readonly fits: RoleName | undefined;
    }
  | {
      /** No result to go on with: cut off, or another thing than was asked for. */
      readonly status: 'truncated';
      readonly why: string;
      /** There was a reply, and it does not fit. */
      readonly replied: boolean;
      /** No attempt is left. */
      readonly isLast: boolean;
    }
  | { readonly status: 'trouble'; readonly why: string }
);

/** Undefined when the output is not one of an agent's session. `strict`: the roles are those of a workflow of ours. */
export function readAgent(input: unknown, output: unknown, strict: boolean): AgentReading | undefined {
  const asked = inputSchema.safeParse(input);
  const parsed = outputSchema.safeParse(output);
  if (!parsed.success) return undefined;
  const { role, attempt } = asked.success ? asked.data : { role: 'agent', attempt: 1 };
  const { outcome, commit, changes } = parsed.data;
  const { usage, durationMs, session } = outcome;
  const common = { role, attempt, usage, durationMs, session, commit, changes };
  const known = strict && Object.hasOwn(roleSchemas, role) ? (role as RoleName) : undefined;
  const verdict = judgeReply<unknown>(outcome, known === undefined ? z.unknown() : roleSchemas[known], attempt);
  switch (verdict.next) {
    case 'accept':
      return { ...common, status: 'accepted', reply: verdict.result, fits: known };
    case 'trouble':
      return { ...common, status: 'trouble', why: `${verdict.trouble.code}: ${verdict.trouble.message}` };
    case 'retry':
    case 'exhausted':
      return {
        ...common,
        status: 'truncated',
        why: verdict.why,
        replied: outcome.status === 'replied',
        isLast: attempt >= replyAttempts,
      };
  }
}

/** What was wrong with a reply that does not count, in two words. */
export function replyFault({ replied }: { readonly replied: boolean }): string {
  return replied ? 'unusable reply' : 'truncated reply';
}

/** The accepted reply of that role, in a run whose roles these are. */
export function replyOf<R extends RoleName>(reading: AgentReading | undefined, role: R): RoleReply<R> | undefined {
  if (reading?.status !== 'accepted' || reading.fits !== role) return undefined;
  return reading.reply as RoleReply<R>;
}

const inputSchema = z.object({ role: z.string().default('agent'), attempt: z.number().default(1) });
const outputSchema = z.object({
  outcome: agentOutcomeSchema,
  commit: z.string(),
  changes: z.array(changeSchema).default([]),
});
