import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentOutcome } from '../../src/policy/agent-outcome.ts';
import { explainMismatch, judgeReply, replyAttempts } from '../../src/policy/reply.ts';

const resultSchema = z.strictObject({ status: z.enum(['success', 'failed']), files: z.array(z.string()).default([]) });
const ended = { usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 }, durationMs: 1 };
const replied = (reply: unknown): AgentOutcome => ({ status: 'replied', reply, ...ended });

describe('judgeReply', () => {
  it('accepts what fits, with its defaults, on any attempt', () => {
    for (const attempt of [1, 2, 3]) {
      expect(judgeReply(replied({ status: 'success' }), resultSchema, attempt)).toEqual({
        next: 'accept',
        result: { status: 'success', files: [] },
      });
    }
  });

  it('leaves trouble to another policy', () => {
    const trouble = { code: 'rate_limit', message: '', retryAfterMs: 30_000 };
    expect(judgeReply({ status: 'trouble', trouble, ...ended }, resultSchema, 3)).toEqual({ next: 'trouble', trouble });
  });

  it.each<[AgentOutcome, string]>([
    [replied('All done!'), 'The reply is free text, not the result asked for.'],
    [replied('{"status":"success"}'), 'The reply is free text, not the result asked for.'],
    [
      replied(undefined),
      "The reply does not fit the role's result: (root): invalid input: expected object, received undefined.",
    ],
    [replied({}), "The reply does not fit the role's result: status: it is missing."],
    [
      replied({ status: 'ok', files: 7, x: 1 }),
      `The reply does not fit the role's result: status: "ok" is not allowed (and 2 more).`,
    ],
    [{ status: 'silent', exit: 0, ...ended }, 'The agent ended without a reply.'],
    [{ status: 'crashed', exit: 137, signal: null, ...ended }, 'The agent crashed (exit 137).'],
    [{ status: 'crashed', exit: null, signal: 'SIGSEGV', ...ended }, 'The agent crashed (SIGSEGV).'],
    [{ status: 'idle', idleMs: 300_000, ...ended }, 'The agent did nothing for 300 s and was ended.'],
    [{ status: 'timed-out', limitMs: 60_000, ...ended }, 'The agent was ended after 60 s.'],
    [{ status: 'flooded', outputBytes: 5, ...ended }, 'The agent wrote more than 5 bytes and was ended.'],
  ])('%j is a truncated reply: two fresh attempts, then exhaustion', (outcome, why) => {
    expect(replyAttempts).toBe(3);
    expect(judgeReply(outcome, resultSchema, 1)).toEqual({ next: 'retry', mode: 'recovery', why });
    expect(judgeReply(outcome, resultSchema, 2)).toEqual({ next: 'retry', mode: 'recovery', why });
    expect(judgeReply(outcome, resultSchema, 3)).toEqual({ next: 'exhausted', why });
  });
});

describe('explainMismatch', () => {
  const mismatch = (schema: z.ZodType, reply: unknown) => {
    const { error } = schema.safeParse(reply);
    if (error === undefined) throw new Error('it fits');
    return error;
  };

  it('points at each fault', () => {
    const reply = { status: 'success', files: ['a', 3] };
    expect(explainMismatch(mismatch(resultSchema, reply), reply)).toEqual(['files[1]: it is a number, not a string.']);
    expect(explainMismatch(mismatch(resultSchema, reply))).toEqual([
      'files[1]: invalid input: expected string, received number',
    ]);
  });

  it('says which kinds a union knows', () => {
    const union = z.discriminatedUnion('is', [z.object({ is: z.literal('a') }), z.object({ is: z.literal('b') })]);
    expect(explainMismatch(mismatch(union, { is: 'c' }), { is: 'c' })).toEqual([
      "is: invalid discriminator value. Expected 'a' | 'b'.",
    ]);
  });

  it('stops at ten', () => {
    const reply = Array.from({ length: 50 }, () => 1);
    expect(explainMismatch(mismatch(z.array(z.string()), reply), reply)).toHaveLength(10);
  });
});
