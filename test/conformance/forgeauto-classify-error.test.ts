/**
 * Error messages and whether they are worth another try. Our codes are finer: `server` is also `overloaded`, `stream`
 * and `connection` are one, and what is not retried has a code of its own where more is known. Known defect: words
 * anywhere in a sentence decided there; here they do not.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { afterTrouble, backoffMs, troubleLimits } from '../../src/policy/after-trouble.ts';
import { classifyTrouble, type TroubleCode } from '../../src/policy/trouble.ts';
import { readVectors } from './read-vectors.ts';

const caseSchema = z.object({
  msg: z.string(),
  retryAfterMs: z.number().optional(),
  expect: z.object({
    kind: z.enum(['rate-limit', 'network', 'stream', 'connection', 'server', 'permanent', 'unknown']),
    retry: z.boolean(),
    backoffMs: z.number().optional(),
  }),
});
const cases = readVectors('forgeauto-classify-error', caseSchema);

const codes: Readonly<Record<z.infer<typeof caseSchema>['expect']['kind'], readonly TroubleCode[]>> = {
  'rate-limit': ['rate_limit'],
  network: ['network'],
  stream: ['stream_cut'],
  connection: ['stream_cut'],
  server: ['server', 'overloaded'],
  permanent: ['billing'],
  unknown: ['unknown', 'prompt_too_long'],
};

it('has all of them', () => expect(cases).toHaveLength(24));

it.each(cases)('$msg', ({ msg, retryAfterMs, expect: wanted }) => {
  const trouble = classifyTrouble({ message: msg, retryAfterMs });
  expect(codes[wanted.kind]).toContain(trouble.code);
  expect(trouble.retryAfterMs ?? backoffMs[trouble.code]).toBe(wanted.backoffMs);
  const { action } = afterTrouble({
    trouble,
    history: [],
    agent: 'worker',
    now: 0,
    jitter: 0,
    alternatives: { agents: [] },
  });
  expect(action === 'retry' || action === 'wait').toBe(wanted.retry);
});

it.each(['author not found', 'used 1500 tokens', 'the test 500 of 600 failed', 'cannot read the policy file'])(
  'known defect: %s says nothing',
  (message) => {
    expect(classifyTrouble({ message })).toEqual({ code: 'unknown', message });
  },
);

it('retries three times', () => expect(troubleLimits.retries).toBe(3));

it.each([
  ['network', [2000, 3000, 3000]],
  ['server', [2000, 4000, 8000]],
  ['stream_cut', [2000, 4000, 8000]],
] as const)('%s is tried again after min(backoff, 2000 * 2^(attempt - 1))', (code, delays) => {
  const past = { agent: 'worker', code, action: 'retry' } as const;
  const asked = { trouble: { code, message: '' }, agent: 'worker', now: 0, jitter: 0, alternatives: { agents: [] } };
  const answers = delays.map((_, done) =>
    afterTrouble({ ...asked, history: Array.from({ length: done }, () => past) }),
  );
  expect(answers).toEqual(delays.map((delayMs) => ({ action: 'retry', delayMs })));
});
