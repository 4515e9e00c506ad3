/** Whatever goes wrong at a provider reaches the client as data that the policy of trouble understands. */
import { afterEach, describe, expect, test } from 'vitest';
import { type ProviderError, providerError, TurnFailure } from '../../../src/agents/builtin/provider-error.ts';
import { classifyTrouble } from '../../../src/policy/trouble.ts';
import { refusals, type Script } from '../../clients/model-server/script.ts';
import { startModelServer } from '../../clients/model-server/server.ts';
import { makeStation, type RunningAgent, type Station } from './station.ts';

let station: Station | undefined;
afterEach(() => station?.close());

async function failureOf(agent: RunningAgent, text: string): Promise<ProviderError> {
  const session = await agent.newSession();
  const error: unknown = await agent.prompt(session, text).catch((reason: unknown) => reason);
  return (error as { data: ProviderError }).data;
}

function classified({ status, code, retryAfterMs, message }: ProviderError): string {
  const trouble = classifyTrouble({ code, status, message, retryAfterMs, at: 0 });
  return trouble.code;
}

describe.each(['anthropic', 'openai', 'openai-compatible'] as const)('trouble at %s', (provider) => {
  test('refusals keep their meaning, and nothing is tried twice', async () => {
    const rules: Script = refusals.map((refuse) => ({
      name: refuse,
      now: `<${refuse}>`,
      answers: [{ refuse, ...(refuse === 'rate_limit' ? { retryAfter: 7 } : {}) }],
    }));
    station = await makeStation(rules);
    const agent = await station.start({ provider });
    const seen: Record<string, unknown> = {};
    for (const refuse of refusals) {
      const failure = await failureOf(agent, `<${refuse}>`);
      seen[refuse] = [classified(failure), failure.retryAfterMs];
    }
    expect(seen).toEqual({
      ...Object.fromEntries(refusals.map((refuse) => [refuse, [refuse, undefined]])),
      rate_limit: ['rate_limit', 7000],
      // OpenAI calls both the same.
      ...(provider === 'anthropic' ? {} : { overloaded: [expect.stringMatching(/^(overloaded|server)$/), undefined] }),
    });
    expect(station.model.calls).toHaveLength(refusals.length);
    expect(agent.stderr()).toBe('');
  });

  test('an answer that breaks off is no answer', async () => {
    station = await makeStation([
      { name: 'before', now: '<before>', answers: [{ text: 'x', drop: 'before' }] },
      { name: 'within', now: '<within>', answers: [{ text: 'a long enough text to be cut', drop: 'within' }] },
      { name: 'call', now: '<call>', answers: [{ calls: [{ run: 'touch done' }], drop: 'within' }] },
    ]);
    const agent = await station.start({ provider });
    const codes = [];
    for (const how of ['<before>', '<within>', '<call>']) codes.push(classified(await failureOf(agent, how)));
    expect(codes.map((code) => ['network', 'stream_cut'].includes(code))).toEqual([true, true, true]);
    expect(agent.updates.filter(({ sessionUpdate }) => sessionUpdate === 'usage_update')).toEqual([]);
  });

  test('a failed turn is tried again with the same words once', async () => {
    station = await makeStation([{ name: 'all', answers: [{ tries: [{ refuse: 'overloaded' }, { text: 'Now.' }] }] }]);
    const agent = await station.start({ provider });
    const session = await agent.newSession();
    await expect(agent.prompt(session, 'Say it.')).rejects.toThrow();
    expect((await agent.prompt(session, 'Say it.')).stopReason).toBe('end_turn');
    expect(station.model.calls.at(-1)?.request.turns.filter(({ role }) => role === 'user')).toHaveLength(1);
  });
});

test('a provider that is not there is a network trouble', async () => {
  station = await makeStation([{ name: 'all', answers: [{ text: 'x' }] }]);
  const gone = await startModelServer([{ name: 'all', answers: [{ text: 'x' }] }]);
  await gone.close();
  const agent = await station.start({ baseUrl: gone.url });
  expect(classified(await failureOf(agent, 'Hello?'))).toBe('network');
});

describe('an error as data', () => {
  const at = Date.parse('2030-01-01T00:00:00Z');
  const api = (detail: object) => Object.assign(new Error('words'), detail);

  test.each([
    [
      api({ statusCode: 429, responseHeaders: { 'retry-after-ms': '1500', 'retry-after': '9' } }),
      { status: 429, retryAfterMs: 1500 },
    ],
    [
      api({ statusCode: 503, responseHeaders: { 'retry-after': 'Tue, 01 Jan 2030 00:01:00 GMT' } }),
      { status: 503, retryAfterMs: 60_000 },
    ],
    [
      api({
        statusCode: 400,
        responseBody: '{"error":{"code":"context_length_exceeded","type":"x","message":"too long"}}',
      }),
      { status: 400, code: 'context_length_exceeded', message: 'too long' },
    ],
    [
      api({ statusCode: 529, data: { type: 'error', error: { type: 'overloaded_error', message: 'busy' } } }),
      { status: 529, code: 'overloaded_error', message: 'busy' },
    ],
    [
      { type: 'overloaded_error', message: 'busy' },
      { code: 'overloaded_error', message: 'busy' },
    ],
    [api({ cause: Object.assign(new Error('socket'), { code: 'ECONNRESET' }) }), { code: 'ECONNRESET' }],
    [new TypeError('terminated'), { code: 'stream_cut', message: 'terminated' }],
    ['a string', { message: 'a string' }],
    [undefined, { message: 'undefined' }],
    [{ error: { code: 5 } }, { message: '{"error":{"code":5}}' }],
    [
      new TurnFailure({ status: undefined, code: 'x', retryAfterMs: undefined, message: 'y' }),
      { code: 'x', message: 'y' },
    ],
  ])('%#', (error, expected) => {
    expect(providerError(error, at)).toEqual({
      status: undefined,
      code: undefined,
      retryAfterMs: undefined,
      message: 'words',
      ...expected,
    });
  });
});
