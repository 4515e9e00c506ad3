/**
 * What is known of an agent's session once it ended: how it ended, what it used, what it left. Whether its reply was
 * any good is not decided here: the step around it says so.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { AgentOutcome } from '../policy/agent-outcome.ts';
import type { Usage } from '../policy/usage.ts';
import type { Change } from '../policy/receipt.ts';

export interface AgentSession {
  readonly role: string;
  readonly usage: Usage;
  readonly outcome: AgentOutcome;
  readonly session: string | undefined;
  /** What it left, captured, and what that changes. */
  readonly commit: string;
  readonly changes: readonly Change[];
}

/** Undefined when the output is not one of an agent's session. The engine checked its shape before it was recorded. */
export function readSession(input: unknown, output: unknown): AgentSession | undefined {
  const { outcome, commit, changes = [] } = Object(output) as Partial<EffectOutput<'agent.run'>>;
  if (outcome?.usage === undefined || commit === undefined) return undefined;
  return { role: roleOf(input), usage: outcome.usage, outcome, session: outcome.session, commit, changes };
}

export function roleOf(input: unknown): string {
  const role: unknown = Object(input)['role'];
  return typeof role === 'string' && role !== '' ? role : 'agent';
}

/** One line, for a session that no step speaks for. Most results have a summary. */
export function describeSession({ outcome }: AgentSession): string {
  if (outcome.status === 'trouble') return `${outcome.trouble.code}: ${outcome.trouble.message}`;
  if (outcome.status !== 'replied') return outcome.status;
  const summary: unknown = Object(outcome.reply)['summary'];
  return typeof summary === 'string' ? summary : '';
}
