/** How the end of a process and the end of a conversation make one outcome, where they disagree. */
import { describe, expect, test } from 'vitest';
import type { ConversationState } from '../../../src/agents/acp/conversation.ts';
import { acpOutcome, type JobFacts } from '../../../src/agents/acp/outcome.ts';
import type { JobEnd } from '../../../src/agents/job.ts';

const usage = { inputTokens: 1, outputTokens: 2, costUsd: 3, turns: 1 };
const silence: ConversationState = {
  session: 's',
  usage,
  stopReason: undefined,
  failure: undefined,
  left: false,
  lastWords: '',
};
const finished: ConversationState = { ...silence, stopReason: 'end_turn' };
const exited = (code: number): JobEnd['end'] => ({ status: 'exited', code });
const idle = { status: 'idle', idleMs: 5 } as const;
const late = { status: 'timed-out', limitMs: 5 } as const;
const flood = { status: 'output-limit', outputBytes: 5 } as const;
const result = { value: { ok: true } };
const seen = { code: 'rate_limit', message: 'slow' };

type Case = readonly [string, JobEnd['end'], Partial<JobFacts>, object];
const cases: readonly Case[] = [
  ['idle after its result', idle, { conversation: silence, result }, { status: 'replied', reply: { ok: true } }],
  ['out of time after its result', late, { conversation: silence, result }, { status: 'replied', reply: { ok: true } }],
  ['idle without one', idle, { conversation: silence }, { status: 'idle', idleMs: 5 }],
  ['idle because its provider refuses it', idle, { conversation: silence, seen }, { status: 'trouble', trouble: seen }],
  ['out of time, whatever the meter saw', late, { conversation: silence, seen }, { status: 'timed-out', limitMs: 5 }],
  ['flooding after its result', flood, { conversation: silence, result }, { status: 'flooded', outputBytes: 5 }],
  ['gone in its turn, well', exited(0), { conversation: silence }, { status: 'silent', exit: 0 }],
  [
    'gone in its turn, well, with a result',
    exited(0),
    { conversation: silence, result },
    { status: 'replied', reply: { ok: true } },
  ],
  [
    'gone in its turn, badly, with a result',
    exited(1),
    { conversation: silence, result },
    { status: 'crashed', exit: 1, signal: null },
  ],
  ['gone in its turn after trouble', exited(1), { conversation: silence, seen }, { status: 'trouble', trouble: seen }],
  ['killed after its turn', exited(143), { conversation: finished }, { status: 'silent', exit: null }],
  [
    'failing at its exit after its turn',
    exited(1),
    { conversation: finished, result },
    { status: 'replied', reply: { ok: true } },
  ],
  [
    'left alone with its result',
    exited(143),
    { conversation: { ...silence, left: true }, result },
    { status: 'replied', reply: { ok: true } },
  ],
];

describe('an ACP agent that was', () => {
  test.each(cases)('%s', (_name, end, facts, expected) => {
    const redactor = { redact: (text: string) => text };
    const usual = { conversation: silence, result: undefined, judge: undefined, seen: undefined };
    const outcome = acpOutcome({ ...usual, ...facts, end: { end, durationMs: 9 }, redactor, now: 0 });
    expect(outcome).toEqual({ ...expected, usage, session: 's', durationMs: 9 });
  });
});
