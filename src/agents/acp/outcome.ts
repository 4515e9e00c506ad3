/**
 * From what a conversation with an ACP agent came to, and how its process ended, to the outcome a policy decides on.
 * Pure. The end of a turn is not success: a result is what was handed in and accepted, or a last message that is one.
 * An agent that swallows its provider's trouble and just ends is recognized by what the meter saw.
 */
import type { AgentOutcome, Trouble } from '../../policy/agent-outcome.ts';
import type { Redactor } from '../../process/redact.ts';
import type { ResultVerdict } from '../agent.ts';
import type { JobEnd } from '../job.ts';
import { outcomeOf } from '../job-outcome.ts';
import { redactValue } from '../redact-value.ts';
import type { ConversationState } from './conversation.ts';
import { troubleOf } from './trouble.ts';

export interface JobFacts {
  readonly end: JobEnd;
  readonly conversation: ConversationState;
  readonly result: { readonly value: unknown } | undefined;
  readonly judge: ((result: unknown) => ResultVerdict) | undefined;
  /** What the meter saw go wrong. */
  readonly seen: Trouble | undefined;
  readonly redactor: Redactor;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function acpOutcome(facts: JobFacts): AgentOutcome {
  const { end, conversation, redactor } = facts;
  const over = conversation.stopReason !== undefined || conversation.failure !== undefined || conversation.left;
  const result = facts.result ?? (conversation.stopReason === 'end_turn' ? resultInWords(facts) : undefined);
  const ended = {
    usage: conversation.usage,
    durationMs: end.durationMs,
    ...(conversation.session === undefined ? {} : { session: conversation.session }),
  };
  const stopped = end.end.status === 'output-limit' || end.end.status === 'resource-limit';
  const watched = end.end.status === 'idle' || end.end.status === 'timed-out';
  if (!stopped && result !== undefined && (over || watched))
    return { status: 'replied', reply: result.value, ...ended };
  // Agents that try again by themselves wait in silence for a provider that refuses them: that is not being hung.
  const waited = end.end.status === 'idle' ? clean(facts.seen, redactor) : undefined;
  if (waited !== undefined) return { status: 'trouble', trouble: waited, ...ended };
  if (!over || watched || stopped) {
    const trouble = result === undefined && !watched ? facts.seen : undefined;
    return outcomeOf(end, {
      reply: result,
      trouble: clean(trouble, redactor),
      session: conversation.session,
      usage: conversation.usage,
    });
  }
  const trouble = clean(troubleIn(facts), redactor);
  if (trouble !== undefined) return { status: 'trouble', trouble, ...ended };
  const exit = end.end.status === 'exited' && end.end.code < 128 ? end.end.code : null;
  return { status: 'silent', exit, ...ended };
}

/** Only reached when the conversation is over and there is no result. */
function troubleIn({ conversation, seen, now }: JobFacts): Trouble | undefined {
  if (conversation.failure !== undefined) return seen ?? troubleOf(conversation.failure, now);
  switch (conversation.stopReason) {
    case 'refusal':
      return { code: 'refusal', message: conversation.lastWords.slice(0, 2000) };
    case 'max_tokens':
    case 'max_turn_requests':
      return seen ?? { code: 'limit_reached', message: `The agent's turn ended: ${conversation.stopReason}.` };
    case 'cancelled':
      return seen ?? { code: 'unknown', message: 'The agent cancelled its own turn.' };
    case undefined:
    default:
      return seen;
  }
}

/** An agent without tools of ours may still answer with the result and nothing else. */
function resultInWords({ conversation, judge, redactor }: JobFacts): { readonly value: unknown } | undefined {
  const words = conversation.lastWords.trim().replace(/^```(?:json)?\n([\s\S]*)\n```$/, '$1');
  if (!words.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(words);
    return judge?.(value).ok === false ? undefined : { value: redactValue(value, redactor) };
  } catch {
    return undefined;
  }
}

function clean(trouble: Trouble | undefined, redactor: Redactor): Trouble | undefined {
  return trouble === undefined ? undefined : { ...trouble, message: redactor.redact(trouble.message) };
}
