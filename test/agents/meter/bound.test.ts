/** The most a request can cost: over whatever it can be counted as, and never more than the room it is fitted into. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundOf, costOfUse, outputThatFits } from '../../../src/agents/meter/bound.ts';
import { type ModelRequest, readModelRequest } from '../../../src/agents/meter/model-request.ts';
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import { covers } from '../../../src/policy/amount.ts';
import { wires } from './provider.ts';

function read(wire: WireProtocol, body: unknown, model?: string): ModelRequest | undefined {
  return readModelRequest(wire, model, Buffer.from(JSON.stringify(body)))?.request;
}

const plain: ModelRequest = {
  wire: 'anthropic',
  model: 'claude-haiku-4-5',
  bytes: 10_000,
  maxOutput: 8000,
  answers: 1,
  images: 0,
  byReference: false,
  hostedUses: 0,
  thinking: 0,
  cacheWrite: 'short',
  rush: false,
};

const count = fc.nat({ max: 300_000 });
const request: fc.Arbitrary<ModelRequest> = fc.record({
  wire: fc.constantFrom<WireProtocol>('anthropic', 'openai-responses', 'openai-chat', 'gemini'),
  model: fc.constantFrom('claude-haiku-4-5', 'claude-haiku-5-5', 'gpt-6-sol', 'gemini-2.5-pro', 'house-model'),
  bytes: count,
  maxOutput: fc.option(fc.nat({ max: 200_000 }), { nil: undefined }),
  answers: fc.integer({ min: 1, max: 4 }),
  images: fc.nat({ max: 3 }),
  byReference: fc.boolean(),
  hostedUses: fc.nat({ max: 10 }),
  thinking: fc.nat({ max: 20_000 }),
  cacheWrite: fc.constantFrom('none', 'short', 'long'),
  rush: fc.boolean(),
});

it('is over whatever the request is counted as within it', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(request, share, share, share, (each, cached, written, output) => {
      const bound = boundOf(each);
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
      const actual = costOfUse(each, bound, { tokens, uses: each.hostedUses, complete: true }, {});
      expect(covers(bound.amount, actual)).toBe(true);
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
      const { amount } = boundOf({ ...each, maxOutput });
      const { tokens = 1e9, usd = 1e9, unpriced = 1e9 } = left;
      expect(covers({ tokens, usd, unpriced, turns: 1 }, amount)).toBe(true);
    }),
  );
});

it('does not shorten an answer beyond use', () => {
  expect(outputThatFits(plain, { tokens: 12_000 + 4002 })).toBe(4001);
  expect(outputThatFits(plain, { tokens: 12_000 + 3000 })).toBeUndefined();
  expect(outputThatFits({ ...plain, thinking: 6000 }, { tokens: 12_000 + 5000 })).toBeUndefined();
  expect(outputThatFits({ ...plain, maxOutput: 500 }, { tokens: 12_000 + 501 })).toBe(500);
});

it('takes a model at its own most when a request has no limit', () => {
  expect(boundOf({ ...plain, maxOutput: undefined }).amount.tokens).toBe(12_000 + 64_000);
  expect(boundOf({ ...plain, model: 'house-model', maxOutput: undefined }).amount).toEqual({
    tokens: 12_000 + 128_000,
    unpriced: 12_000 + 128_000,
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
      { messages: [{ content: [{ type: 'image', source: { type: 'base64' } }] }] },
      { images: 1, byReference: false },
    ],
    [
      'an image in a result',
      'anthropic',
      { messages: [{ content: [{ type: 'tool_result', content: [{ type: 'image' }] }] }] },
      { images: 1 },
    ],
    ['a document', 'anthropic', { messages: [{ content: [{ type: 'document' }] }] }, { byReference: true }],
    ['a remembered answer', 'openai-responses', { previous_response_id: 'r' }, { byReference: true }],
    ['no remembered answer', 'openai-responses', { previous_response_id: null }, { byReference: false }],
    ['a file', 'gemini', { contents: [{ parts: [{ fileData: { fileUri: 'x' } }] }] }, { byReference: true }],
    [
      'hosted tools',
      'openai-responses',
      { tools: [{ type: 'web_search' }, { type: 'function', name: 'x' }] },
      { hostedUses: 10 },
    ],
    [
      'hosted tools with a limit',
      'anthropic',
      { tools: [{ type: 'web_search_20250305', max_uses: 2 }] },
      { hostedUses: 2 },
    ],
    ['own tools', 'anthropic', { tools: [{ type: 'bash_20250124' }, { name: 'x' }] }, { hostedUses: 0 }],
    [
      'words that mean nothing in arguments',
      'openai-responses',
      { input: [{ type: 'function_call', arguments: '{"type":"file"}' }] },
      { byReference: false },
    ],
    ['a short cache', 'anthropic', { system: [{ cache_control: { type: 'ephemeral' } }] }, { cacheWrite: 'short' }],
    [
      'a long cache',
      'anthropic',
      { system: [{ cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      { cacheWrite: 'long' },
    ],
    ['no cache', 'anthropic', {}, { cacheWrite: 'none' }],
    ['haste', 'openai-responses', { service_tier: 'priority' }, { rush: true }],
  ])('%s', (_name, wire, more, wanted) => {
    const model = wire === 'gemini' ? 'gemini-2.5-flash' : undefined;
    expect(read(wire, { ...wires[wire].body, ...more }, model)).toMatchObject(wanted);
  });

  it('nothing from what is none', () => {
    const bodies = ['', '[]', '"x"', '{}', '{"model":5}', 'null'];
    expect(bodies.map((body) => readModelRequest('anthropic', undefined, Buffer.from(body)))).toEqual(
      bodies.map(() => undefined),
    );
  });
});

it('sends a body that needs no change as it came', () => {
  const body = Buffer.from('{ "model":"m",\n "max_tokens": 12345678901234567890, "x": 1.0 }');
  expect(readModelRequest('anthropic', undefined, body)?.render({})).toBe(body);
});
