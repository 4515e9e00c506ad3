import { expect, test } from 'vitest';
import type { JobEnd } from '../../src/agents/job.ts';
import { outcomeOf, type ProcessReport } from '../../src/agents/job-outcome.ts';
import { type AgentOutcome, agentOutcomeSchema } from '../../src/policy/agent-outcome.ts';
import { addUsage, noUsage } from '../../src/policy/usage.ts';

const reply = { value: { status: 'success' } };
const trouble = { code: 'rate_limit', message: '' };
const ended = { usage: noUsage, durationMs: 5 };

test.each<[JobEnd['end'], Partial<ProcessReport>, AgentOutcome]>([
  [{ status: 'exited', code: 0 }, {}, { status: 'silent', exit: 0, ...ended }],
  [{ status: 'exited', code: 0 }, { reply }, { status: 'replied', reply: reply.value, ...ended }],
  [{ status: 'exited', code: 0 }, { reply: { value: null } }, { status: 'replied', reply: null, ...ended }],
  [
    { status: 'exited', code: 0 },
    { reply, trouble },
    { status: 'trouble', trouble, ...ended },
  ],
  [{ status: 'exited', code: 1 }, { reply }, { status: 'crashed', exit: 1, signal: null, ...ended }],
  [{ status: 'exited', code: 1 }, { trouble }, { status: 'trouble', trouble, ...ended }],
  [{ status: 'exited', code: 143 }, {}, { status: 'crashed', exit: 143, signal: 'SIGTERM', ...ended }],
  [{ status: 'exited', code: 255 }, {}, { status: 'crashed', exit: 255, signal: null, ...ended }],
  [
    { status: 'signalled', signal: 'SIGKILL' },
    { reply },
    { status: 'crashed', exit: 137, signal: 'SIGKILL', ...ended },
  ],
  [{ status: 'signalled', signal: 'unknown' }, {}, { status: 'crashed', exit: null, signal: 'unknown', ...ended }],
  [
    { status: 'idle', idleMs: 9 },
    { reply, session: 's' },
    { status: 'idle', idleMs: 9, session: 's', ...ended },
  ],
  [{ status: 'timed-out', limitMs: 9 }, { reply }, { status: 'timed-out', limitMs: 9, ...ended }],
  [{ status: 'timed-out', timeMs: 9 }, { reply }, { status: 'timed-out', limitMs: 9, ...ended }],
  [{ status: 'output-limit', outputBytes: 9 }, { reply }, { status: 'flooded', outputBytes: 9, ...ended }],
])('%j and %j', (end, heard, outcome) => {
  expect(outcomeOf({ end, durationMs: 5 }, { usage: noUsage, ...heard })).toEqual(outcome);
  expect(agentOutcomeSchema.parse(outcome)).toEqual(outcome);
});

test('an end that is none of the agent has no outcome', () => {
  expect(() => outcomeOf({ end: { status: 'aborted' }, durationMs: 0 }, { usage: noUsage })).toThrow('has no outcome');
});

test('usage adds up', () => {
  const usage = { inputTokens: 1, outputTokens: 2, costUsd: 3, turns: 4 };
  expect(addUsage(usage, usage)).toEqual({ inputTokens: 2, outputTokens: 4, costUsd: 6, turns: 8 });
});
