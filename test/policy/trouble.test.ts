/** What is known about trouble of real providers and agents, and what must never be taken for it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { troubleSchema } from '../../src/policy/agent-outcome.ts';
import { classifyTrouble, troubleCodes, type TroubleReport } from '../../src/policy/trouble.ts';

const anthropic = (type: string, message: string) => JSON.stringify({ type: 'error', error: { type, message } });

describe('structured codes', () => {
  it.each(troubleCodes)('%s is itself', (code) => {
    expect(classifyTrouble({ code })).toEqual({ code, message: '' });
  });

  it.each<[TroubleReport['code'], string]>([
    ['error:rate_limit', 'rate_limit'],
    ['rate_limit_error', 'rate_limit'],
    ['rate_limit_exceeded', 'rate_limit'],
    ['usageLimitExceeded', 'rate_limit'],
    ['RESOURCE_EXHAUSTED', 'rate_limit'],
    ['overloaded_error', 'overloaded'],
    ['serverOverloaded', 'overloaded'],
    ['UNAVAILABLE', 'overloaded'],
    ['api_error', 'server'],
    ['internalServerError', 'server'],
    ['INTERNAL', 'server'],
    ['DEADLINE_EXCEEDED', 'server'],
    ['ECONNREFUSED', 'network'],
    ['httpConnectionFailed', 'network'],
    ['responseStreamDisconnected', 'stream_cut'],
    ['transport_lost', 'stream_cut'],
    ['authentication_failed', 'authentication'],
    ['invalid_api_key', 'authentication'],
    ['UNAUTHENTICATED', 'authentication'],
    ['permission_error', 'authentication'],
    [-32000, 'authentication'],
    ['billing_error', 'billing'],
    ['insufficient_quota', 'billing'],
    ['model_not_found', 'model_not_found'],
    ['NOT_FOUND', 'model_not_found'],
    ['context_length_exceeded', 'prompt_too_long'],
    ['contextWindowExceeded', 'prompt_too_long'],
    ['request_too_large', 'prompt_too_long'],
    ['content_filter', 'refusal'],
    ['cyberPolicy', 'refusal'],
    ['SAFETY', 'refusal'],
    ['error_max_turns', 'limit_reached'],
    ['error_max_budget_usd', 'limit_reached'],
    ['max_turn_requests', 'limit_reached'],
    ['ENOENT', 'tool_missing'],
    ['SIGKILL', 'killed'],
    ['timed-out', 'hung'],
    [429, 'rate_limit'],
    ['529', 'overloaded'],
    [['invalid_request_error', 'context_length_exceeded'], 'prompt_too_long'],
    [-32603, 'unknown'],
    ['INVALID_ARGUMENT', 'unknown'],
    ['constructor', 'unknown'],
    ['script-exhausted', 'unknown'],
  ])('%s is %s', (code, wanted) => {
    expect(classifyTrouble({ code }).code).toBe(wanted);
  });

  it.each<[number, string]>([
    [400, 'unknown'],
    [401, 'authentication'],
    [402, 'billing'],
    [403, 'authentication'],
    [404, 'model_not_found'],
    [413, 'prompt_too_long'],
    [429, 'rate_limit'],
    [500, 'server'],
    [503, 'overloaded'],
    [504, 'server'],
    [529, 'overloaded'],
    [200, 'unknown'],
  ])('status %i is %s', (status, wanted) => {
    expect(classifyTrouble({ status }).code).toBe(wanted);
  });

  it('go before words', () => {
    expect(classifyTrouble({ code: 'rate_limit', message: 'Overloaded' }).code).toBe('rate_limit');
    expect(classifyTrouble({ status: 401, message: 'fetch failed' }).code).toBe('authentication');
  });

  it('of several meanings are settled by words', () => {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    expect(classifyTrouble({ code: 'invalid_request_error', status: 400, message }).code).toBe('prompt_too_long');
    expect(classifyTrouble({ code: -32603, message: 'Internal error: fetch failed' }).code).toBe('network');
    const broke = 'Your credit balance is too low to access the Anthropic API.';
    expect(classifyTrouble({ code: 'invalid_request_error', message: broke }).code).toBe('billing');
    // Small servers answer 500 to what is too long.
    expect(classifyTrouble({ status: 500, message: 'context length exceeded' }).code).toBe('prompt_too_long');
  });

  it('tell a spent account from a busy one', () => {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    expect(classifyTrouble({ status: 429, message }).code).toBe('billing');
    expect(classifyTrouble({ status: 429, code: 'insufficient_quota', message, retryAfterMs: 5 }).code).toBe('billing');
    expect(classifyTrouble({ status: 429, code: 'RESOURCE_EXHAUSTED', message }).code).toBe('rate_limit');
    expect(classifyTrouble({ status: 429, message: `${message} Please retry in 34.07s.` })).toEqual({
      code: 'rate_limit',
      message: `${message} Please retry in 34.07s.`,
      retryAfterMs: 34_070,
    });
  });
});

describe('words', () => {
  const said: [string, string][] = [
    [`429 ${anthropic('rate_limit_error', 'This request would exceed your rate limit.')}`, 'rate_limit'],
    [`API Error: 529 ${anthropic('overloaded_error', 'Overloaded')}`, 'overloaded'],
    [
      `Internal error: API Error: 400 ${anthropic('invalid_request_error', 'prompt is too long: 2 > 1')}`,
      'prompt_too_long',
    ],
    ['API Error: Request rejected (429) · this may be a temporary capacity issue.', 'rate_limit'],
    ["You've hit your session limit · resets 8:30pm (Asia/Tokyo)", 'rate_limit'],
    ['You’ve hit your usage limit. Upgrade to Pro or try again in 2 days 17 hours 14 minutes.', 'rate_limit'],
    ['Claude AI usage limit reached|1749924000', 'rate_limit'],
    ['unexpected status 401 Unauthorized: bad key', 'authentication'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit'],
    ['stream disconnected before completion: error', 'stream_cut'],
    ['Request failed with status code 503', 'overloaded'],
    ['Not logged in · Please run /login', 'authentication'],
    ['TypeError: fetch failed', 'network'],
    ['connect ECONNREFUSED 127.0.0.1:443', 'network'],
    ['getaddrinfo ENOTFOUND api.anthropic.com', 'network'],
    ['read ECONNRESET', 'network'],
    ['socket hang up', 'network'],
    ['Error: socket hang up (ECONNRESET)', 'network'],
    ['FetchError: request to https://api.example.com/v1 failed, reason: socket hang up', 'network'],
    ['Forbidden', 'authentication'],
    ['API Error: Forbidden: the key may not use this model', 'authentication'],
    ['{"error":{"type":"forbidden","message":"no"}}', 'authentication'],
    ['spawn claude-agent-acp ENOENT', 'tool_missing'],
    ['bash: codex: command not found', 'tool_missing'],
    ['sh: 1: codex: not found', 'tool_missing'],
    ['Killed', 'killed'],
    ['{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED"}}', 'rate_limit'],
    [
      JSON.stringify({ error: { message: JSON.stringify({ error: { code: 503, status: 'UNAVAILABLE' } }) } }),
      'overloaded',
    ],
    ['{"error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"x"}}', 'prompt_too_long'],
    ['The model `gpt-9` does not exist or you do not have access to it.', 'model_not_found'],
    ["I'm not able to help with that.", 'refusal'],
    ['some output first\nError: Overloaded\n    at main.js:1', 'overloaded'],
  ];

  it.each(said)('%s', (message, wanted) => {
    expect(classifyTrouble({ message }).code).toBe(wanted);
  });

  const plain = said.map(([message]) => message).filter((message) => !/[{\n]/.test(message));
  it.each(plain)('within a sentence mean nothing: %s', (message) => {
    expect(classifyTrouble({ message: `we handle ${message}` }).code).toBe('unknown');
  });

  it.each([
    '',
    'author not found',
    'used 1500 tokens',
    'token',
    '500 tests failed',
    '404 pages were crawled',
    '429-line file',
    'line 429',
    'the API returned nothing',
    'I cannot find the file src/a.ts',
    "I'm not able to run the tests because node is missing",
    'rate limit middleware added',
    'Overloaded functions are listed in api.md',
    'permission denied',
    'policy',
    'network tests pass',
    'a prompt that is too long is shortened',
    'unterminated string',
    '{"error":',
    '{"type":"error","error":{"type":"surprise"}}',
  ])('unknown: %s', (message) => {
    expect(classifyTrouble({ message })).toEqual({ code: 'unknown', message });
  });
});

describe('the end of a process', () => {
  it.each<[TroubleReport, string]>([
    [{ exit: 127 }, 'tool_missing'],
    [{ exit: 126 }, 'tool_missing'],
    [{ exit: 137, signal: null }, 'killed'],
    [{ exit: null, signal: 'SIGKILL' }, 'killed'],
    [{ exit: 1, signal: null }, 'unknown'],
    [{ exit: 0 }, 'unknown'],
    [{ exit: 1, message: 'Error: fetch failed' }, 'network'],
  ])('%o is %s', (report, wanted) => {
    expect(classifyTrouble(report).code).toBe(wanted);
  });
});

describe('a report', () => {
  it('keeps a time to come back only where it means something', () => {
    expect(classifyTrouble({ code: 'server', retryAfterMs: 50 }).retryAfterMs).toBe(50);
    expect(classifyTrouble({ code: 'authentication', retryAfterMs: 50 })).toEqual({
      code: 'authentication',
      message: '',
    });
    expect(classifyTrouble({ code: 'rate_limit', retryAfterMs: -5 }).retryAfterMs).toBe(0);
    expect(classifyTrouble({ code: 'rate_limit', retryAfterMs: Number.NaN }).retryAfterMs).toBeUndefined();
  });

  it('prefers what was said for machines', () => {
    const message = 'Rate limit exceeded, try again in 5h 12m';
    expect(classifyTrouble({ message }).retryAfterMs).toBe(18_720_000);
    expect(classifyTrouble({ message, resetAt: '90s' }).retryAfterMs).toBe(90_000);
    expect(classifyTrouble({ message, resetAt: '90s', retryAfter: '3' }).retryAfterMs).toBe(3000);
    expect(classifyTrouble({ message, resetAt: '90s', retryAfter: '3', retryAfterMs: 7 }).retryAfterMs).toBe(7);
  });

  it('of any kind becomes trouble a journal can hold', () => {
    const text = fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary', maxLength: 300 }));
    const report = fc.record(
      {
        code: fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 3 })),
        status: fc.integer(),
        message: text,
        retryAfterMs: fc.double(),
        retryAfter: text,
        resetAt: fc.oneof(text, fc.double()),
        exit: fc.option(fc.integer()),
        signal: fc.option(fc.string()),
        at: fc.nat(),
        zone: text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(report, (given) => {
        const trouble = classifyTrouble(given);
        expect(troubleCodes).toContain(trouble.code);
        expect(troubleSchema.parse(trouble)).toEqual(trouble);
        expect(classifyTrouble(given)).toEqual(trouble);
      }),
    );
  });

  it('of enormous or hostile text is read quickly and kept short', () => {
    for (const text of [
      '{'.repeat(200_000),
      'error: '.repeat(50_000),
      'a: '.repeat(50_000),
      `model ${' '.repeat(200_000)}`,
    ]) {
      expect(classifyTrouble({ message: text })).toEqual({ code: 'unknown', message: text.slice(0, 2000) });
    }
  });
});
