import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionUpdate } from '../../../src/agents/acp/decode.ts';
import { usageReader } from '../../../src/agents/acp/usage.ts';

const usage = (inputTokens: number, outputTokens: number, costUsd = 0, turns = 1) => ({
  inputTokens,
  outputTokens,
  costUsd,
  turns,
});
const cost = (amount: number, currency = 'USD'): SessionUpdate => ({
  sessionUpdate: 'usage_update',
  cost: { amount, currency },
});

describe('usage', () => {
  test('of a turn counts what was cached, and takes calls beside the main loop from the figures by model', () => {
    const reader = usageReader('turn', false);
    reader.turn({ usage: { inputTokens: 100, cachedReadTokens: 20, cachedWriteTokens: 3, outputTokens: 7 } });
    expect(reader.total()).toEqual(usage(123, 7));
    const rows = [
      { model: 'big', token_count: { inputTokens: 100, cachedInputTokens: 23, outputTokens: 7 } },
      { model: 'small', token_count: { inputTokens: 10, cacheWriteInputTokens: 1, outputTokens: 2 } },
    ];
    reader.turn({ usage: { inputTokens: 123, outputTokens: 7 }, _meta: { quota: { model_usage: rows } } });
    expect(reader.total()).toEqual(usage(123 + 134, 7 + 9, 0, 2));
  });

  test('of the last call is taken as it is, with the cost of all', () => {
    const reader = usageReader('last-call', false);
    reader.update(cost(0.1));
    reader.update(cost(0.3));
    reader.turn({
      usage: { inputTokens: 5, outputTokens: 1 },
      _meta: { quota: { model_usage: [{ token_count: { inputTokens: 99 } }] } },
    });
    expect(reader.total()).toEqual(usage(5, 1, 0.3));
  });

  test('of a continued session leaves out what was paid before', () => {
    const reader = usageReader('turn', true);
    reader.update(cost(2));
    expect(reader.total().costUsd).toBe(0);
    reader.update(cost(2.5));
    reader.update(cost(9, 'EUR'));
    expect(reader.total().costUsd).toBe(0.5);
  });

  test('in quota and in chunks', () => {
    const quota = usageReader('meta-quota', false);
    quota.turn({
      usage: { inputTokens: 1 },
      _meta: { quota: { token_count: { input_tokens: 30, output_tokens: 4 } } },
    });
    expect(quota.total()).toEqual(usage(30, 4));
    const chunks = usageReader('meta-chunks', false);
    for (const inputTokens of [10, 20])
      chunks.update({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: undefined },
        _meta: { usage: { inputTokens, outputTokens: 1 } },
      });
    chunks.turn({});
    expect(chunks.total()).toEqual(usage(30, 2));
  });

  test('that is absent or nonsense is none', () => {
    fc.assert(
      fc.property(fc.constantFrom('turn', 'last-call', 'meta-quota', 'none'), fc.jsonValue(), (kind, answer) => {
        const reader = usageReader(kind, false);
        reader.turn(answer);
        const { inputTokens, outputTokens } = reader.total();
        expect(inputTokens >= 0 && outputTokens >= 0 && Number.isFinite(inputTokens + outputTokens)).toBe(true);
      }),
    );
    const none = usageReader('none', false);
    none.turn({ usage: { inputTokens: 5, outputTokens: 5 } });
    expect(none.total()).toEqual(usage(0, 0, 0, 0));
  });
});
