/** The most a request can cost: over whatever it can be counted as, and never more than the room it is fitted into. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costBoundOf, costOfUse, outputThatFits } from '../../../src/agents/meter/bound.ts';
import { type ModelRequest, readModelRequest } from '../../../src/agents/meter/model-request.ts';
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import { coversAmount } from '../../../src/policy/amount.ts';
import { wires } from './provider.ts';

function read(wire: WireProtocol, body: unknown, fees: Readonly<Record<string, number>> = {}): ModelRequest | string {
  const model = wire === 'gemini' ? 'gemini-2.5-flash' : undefined;
  const result = readModelRequest({ wire, model }, Buffer.from(JSON.stringify(body)), { fees });
  return result.ok ? result.request : result.sentence;
}

const plain: ModelRequest = {
  wire: 'anthropic',
  model: 'claude-haiku-4-5',
  bytes: 10_000,
  maxOutput: 8000,
  besides: 0,
  limitable: true,
  answers: 1,
  images: 0,
  opaque: 0,
  byReference: false,
  hostedUses: 0,
  fees: 0,
  thinking: 0,
  cacheWrite: 'short',
  compacts: false,
  rush: false,
};

const count = fc.nat({ max: 300_000 });
const request: fc.Arbitrary<ModelRequest> = fc.record({
  wire: fc.constantFrom<WireProtocol>('anthropic', 'openai-responses', 'openai-chat', 'gemini'),
  model: fc.constantFrom('claude-haiku-4-5', 'claude-haiku-5-5', 'gpt-6-sol', 'gemini-2.5-pro', 'house-model'),
  bytes: count,
  maxOutput: fc.option(fc.nat({ max: 200_000 }), { nil: undefined }),
  answers: fc.integer({ min: 1, max: 4 }),
  besides: fc.nat({ max: 5000 }),
  limitable: fc.constant(true),
  images: fc.nat({ max: 3 }),
  opaque: fc.nat({ max: 5000 }),
  byReference: fc.boolean(),
  hostedUses: fc.nat({ max: 10 }),
  fees: fc.constantFrom(0, 0.05, 0.1),
  compacts: fc.boolean(),
  thinking: fc.nat({ max: 20_000 }),
  cacheWrite: fc.constantFrom('none', 'short', 'long'),
  rush: fc.boolean(),
});

it('is over whatever the request is counted as within it', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(request, share, share, share, (each, cached, written, output) => {
      const bound = costBoundOf(each);
      const input = Object.values(bound.tokens).reduce((sum, value) => sum + value, 0) - bound.tokens.output;
      const cacheRead = Math.floor(input * cached);
      const cacheWrite = each.cacheWrite === 'none' ? 0 : Math.floor((input - cacheRead) * written);
      const long = each.cacheWrite === 'long';
      const tokens = {
        input: input - cacheRead - cacheWrite,
        cacheRead,
        cacheWrite: long ? 0 : cacheWrite,
        cacheWriteLong: long ? cacheWrite : 0,
        output: Math.floor(bound.tokens.output * output),
      };
      const region = each.wire === 'anthropic';
      for (const complete of [true, false]) {
        const actual = costOfUse(each, bound, { tokens, complete, region }, { prices: {}, fees: {} });
        expect(coversAmount(bound.amount, actual)).toBe(true);
      }
    }),
  );
});

it('fits into the room there is, or not at all', () => {
  const room = fc.record(
    {
      tokens: fc.nat({ max: 2_000_000 }),
      usd: fc.nat({ max: 5000 }).map((each) => each / 1000),
      unpriced: fc.nat({ max: 2_000_000 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(request, room, (each, left) => {
      const maxOutput = outputThatFits(each, left);
      if (maxOutput === undefined) return;
      expect(maxOutput).toBeLessThanOrEqual(each.maxOutput ?? Infinity);
      const { amount } = costBoundOf({ ...each, maxOutput });
      const { tokens = 1e9, usd = 1e9, unpriced = 1e9 } = left;
      expect(coversAmount({ tokens, usd, unpriced, turns: 1 }, amount)).toBe(true);
    }),
  );
});

it('does not shorten an answer beyond use', () => {
  expect(outputThatFits(plain, { tokens: 14_000 + 4002 })).toBe(4001);
  expect(outputThatFits(plain, { tokens: 14_000 + 3000 })).toBeUndefined();
  expect(outputThatFits({ ...plain, thinking: 6000 }, { tokens: 14_000 + 5000 })).toBeUndefined();
  expect(outputThatFits({ ...plain, maxOutput: 500 }, { tokens: 14_000 + 501 })).toBe(500);
});

it('takes a model at its own most when a request has no limit', () => {
  expect(costBoundOf({ ...plain, maxOutput: undefined }).amount.tokens).toBe(14_000 + 64_000);
  expect(costBoundOf({ ...plain, model: 'house-model', maxOutput: undefined }).amount).toEqual({
    tokens: 14_000 + 128_000,
    unpriced: 14_000 + 128_000,
    turns: 1,
  });
});

describe('reads from a request', () => {
  it.each<[string, WireProtocol, object, Partial<ModelRequest>]>([
    ['a limit', 'anthropic', { max_tokens: 7 }, { maxOutput: 7 }],
    ['an older limit', 'openai-chat', { max_completion_tokens: undefined, max_tokens: 7 }, { maxOutput: 7 }],
    ['several answers', 'openai-chat', { n: 3 }, { answers: 3 }],
    [
      'several candidates',
      'gemini',
      { generationConfig: { candidateCount: 2, maxOutputTokens: 5 } },
      { answers: 2, maxOutput: 5 },
    ],
    [
      'an image',
      'anthropic',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64' } }] }] },
      { images: 1, byReference: false },
    ],
    [
      'an image in a result',
      'anthropic',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', content: [{ type: 'image', source: {} }] }] }] },
      { images: 1 },
    ],
    [
      'a document',
      'anthropic',
      { messages: [{ role: 'user', content: [{ type: 'document' }] }] },
      { byReference: true },
    ],
    ['a remembered answer', 'openai-responses', { previous_response_id: 'r' }, { byReference: true }],
    ['no remembered answer', 'openai-responses', { previous_response_id: null }, { byReference: false }],
    ['a stored item', 'openai-responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }, { byReference: true }],
    [
      'a document in a prompt',
      'gemini',
      { contents: [{ parts: [{ inlineData: { mimeType: 'application/pdf', data: 'x' } }] }] },
      { byReference: true },
    ],
    [
      'an image in the other spelling',
      'gemini',
      { contents: [{ parts: [{ inline_data: { mime_type: 'image/png', data: 'x' } }] }] },
      { images: 1 },
    ],
    [
      'what only the provider can read',
      'openai-responses',
      { input: [{ type: 'reasoning', summary: [], encrypted_content: 'x'.repeat(50) }] },
      { opaque: 50 },
    ],
    ['own tools', 'anthropic', { tools: [{ type: 'bash_20250124' }, { name: 'x' }] }, { hostedUses: 0 }],
    [
      'words that mean nothing in arguments',
      'openai-responses',
      { input: [{ type: 'function_call', arguments: '{"type":"file"}' }] },
      { byReference: false },
    ],
    [
      'a short cache',
      'anthropic',
      { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] },
      { cacheWrite: 'short' },
    ],
    [
      'a long cache',
      'anthropic',
      {
        system: [
          { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'text', text: 'y', cache_control: { type: 'ephemeral' } },
        ],
      },
      { cacheWrite: 'long' },
    ],
    ['no cache', 'anthropic', {}, { cacheWrite: 'none' }],
    ['haste', 'openai-responses', { service_tier: 'priority' }, { rush: true }],
    [
      'a summary of its own input',
      'anthropic',
      { context_management: { edits: [{ type: 'compact_20260112' }] } },
      { compacts: true },
    ],
    [
      'a cleanup that costs nothing',
      'anthropic',
      { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } },
      { compacts: false },
    ],
    [
      'thinking beyond the limit',
      'anthropic',
      { max_tokens: 100, thinking: { type: 'enabled', budget_tokens: 5000 } },
      { maxOutput: 100, besides: 5000, thinking: 5000 },
    ],
    // ﷺ is three bytes, and eighteen letters in the long form that some tokenizers read.
    ['letters that become words', 'anthropic', { system: 'ﷺ'.repeat(1000) }, { bytes: 33_121 }],
  ])('%s', (_name, wire, more, wanted) => {
    expect(read(wire, { ...wires[wire].body, ...more })).toMatchObject(wanted);
  });

  it.each<[string, WireProtocol, object, Partial<ModelRequest>]>([
    [
      'with a limit of its own',
      'anthropic',
      { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }] },
      { hostedUses: 2, fees: 0.02 },
    ],
    [
      'with the usual limit',
      'anthropic',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      { hostedUses: 5, fees: 0.05 },
    ],
    [
      'with a limit on all of them',
      'openai-responses',
      { tools: [{ type: 'web_search' }], max_tool_calls: 3 },
      { hostedUses: 3, fees: 0.03 },
    ],
  ])('tools at the provider that have a fee, %s', (_name, wire, more, wanted) => {
    expect(read(wire, { ...wires[wire].body, ...more }, { web_search: 0.01 })).toMatchObject(wanted);
  });

  it('nothing from what is none', () => {
    const bodies = ['', '[]', '"x"', '{}', '{"model":5}', 'null', '{"model":["a","b"]}'];
    const results = bodies.map((body) => readModelRequest({ wire: 'anthropic', model: undefined }, Buffer.from(body)));
    expect(results.map(({ ok }) => ok)).toEqual(bodies.map(() => false));
  });
});

describe('sends', () => {
  const sent = (wire: WireProtocol, body: string, terms = {}): string => {
    const result = readModelRequest({ wire, model: wire === 'gemini' ? 'm' : undefined }, Buffer.from(body), terms);
    return result.ok ? result.render().toString() : result.sentence;
  };

  it('what it read, with numbers as they were written', () => {
    const input = '{"a":12345678901234567890,"b":1.0,"c":[1e400,-0],"d":"\\ud800 ü"}';
    const call = `{"type":"tool_use","id":"1","name":"n","input":${input}}`;
    const body = `{"model":"m","messages":[{"role":"assistant","content":[${call}]}]}`;
    expect(sent('anthropic', body.replaceAll(',', ' ,\n'))).toBe(body);
  });

  it('one spelling', () => {
    const body = { generation_config: { max_output_tokens: 7, top_p: 1 }, contents: [{ parts: [{ text: 'max_x' }] }] };
    expect(JSON.parse(sent('gemini', JSON.stringify(body)))).toEqual({
      generationConfig: { maxOutputTokens: 7, topP: 1 },
      contents: [{ parts: [{ text: 'max_x' }] }],
    });
  });

  it('a limit on tools that have none, and the usual price where the provider would choose one', () => {
    const host = 'api.openai.com';
    const fees = { web_search: 0.01 };
    const body = JSON.stringify({ model: 'gpt-5', input: 'x', tools: [{ type: 'web_search' }] });
    expect(JSON.parse(sent('openai-responses', body, { host, fees }))).toMatchObject({
      max_tool_calls: 5,
      service_tier: 'default',
    });
    expect(JSON.parse(sent('openai-responses', body, { fees }))).not.toHaveProperty('service_tier');
    const own = JSON.stringify({ model: 'm', tools: [{ type: 'web_search_20250305', name: 'web_search' }] });
    expect(JSON.parse(sent('anthropic', own, { fees }))).toMatchObject({ tools: [{ max_uses: 5 }] });
  });
});
