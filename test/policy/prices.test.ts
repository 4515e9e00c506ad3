import fc from 'fast-check';
import { expect, it } from 'vitest';
import { publishedPrices } from '../../src/policy/price-data.ts';
import { costOf, priceOf, priceSettingsSchema } from '../../src/policy/prices.ts';

const tokens = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, output: 0 };
const million = 1_000_000;

it.each<[string, number, number]>([
  ['claude-opus-4-5-20251101', 5, 25],
  ['anthropic/claude-opus-4.5', 5, 25],
  ['claude-opus-4-1-20250805', 15, 75],
  ['claude-sonnet-4-6[1m]', 3, 15],
  ['claude-haiku-4-5', 1, 5],
  ['gpt-5-mini-2025-08-07', 0.25, 2],
  ['openai/gpt-5.1', 1.25, 10],
  ['models/gemini-2.5-flash', 0.3, 2.5],
  ['gemini-3-flash-preview', 0.5, 3],
])('knows %s', (model, input, output) => {
  const found = priceOf(model);
  expect(found.known && [found.price.input, found.price.output]).toEqual([input, output]);
});

it.each(['gpt-5-ultra', 'claude', 'claude-opus-9', 'gpt-5:free', 'llama3', '', 'toString', '__proto__', 'fake-model'])(
  'does not guess at %s',
  (model) => {
    expect(priceOf(model)).toEqual({ known: false });
    expect(costOf(model, { ...tokens, input: million })).toEqual({ known: false });
  },
);

it('counts each kind of token at its own rate', () => {
  const each = { input: million / 10, cacheRead: 10 * million, cacheWrite: 0, cacheWriteLong: 0, output: million };
  expect(costOf('claude-opus-4-6', each)).toEqual({ known: true, usd: 0.5 + 5 + 25 });
  const writes = { ...tokens, cacheWrite: million, cacheWriteLong: million };
  expect(costOf('claude-opus-4-6', writes)).toEqual({ known: true, usd: 6.25 + 10 });
  expect(costOf('claude-opus-4-6', writes, { rush: true })).toEqual({ known: true, usd: 6 * 16.25 });
});

it('has other rates for long input', () => {
  expect(costOf('gemini-2.5-pro', { ...tokens, input: 200_000 })).toEqual({ known: true, usd: 0.25 });
  expect(costOf('gemini-2.5-pro', { ...tokens, input: 400_000, output: million })).toEqual({ known: true, usd: 16 });
});

it('lets settings go first, and the most exact of them', () => {
  const settings = priceSettingsSchema.parse({
    'local-*': { input: 0, output: 0 },
    'local-big-*': { input: 1, output: 2 },
    'gpt-5': { input: 7, output: 8, maxOutput: 10 },
  });
  const one = { ...tokens, input: million, output: million };
  expect(costOf('local-small', one, { settings })).toEqual({ known: true, usd: 0 });
  expect(costOf('local-big-one', one, { settings })).toEqual({ known: true, usd: 3 });
  expect(costOf('gpt-5', one, { settings })).toEqual({ known: true, usd: 15 });
  expect(costOf('gpt-5-mini', one, { settings })).toEqual({ known: true, usd: 2.25 });
});

it('has no price that makes no sense', () => {
  const odd = Object.entries(publishedPrices).filter(
    ([name, { input, output, cacheRead, cacheWrite, context, maxOutput }]) =>
      !/^[a-z0-9-]+$/.test(name) ||
      !(cacheRead > 0 && cacheRead <= input && input <= cacheWrite && input < output && maxOutput < context),
  );
  expect(odd).toEqual([]);
});

it('never costs less for more', () => {
  const count = fc.nat({ max: 1_000_000 });
  const counts = fc.record({ input: count, cacheRead: count, cacheWrite: count, cacheWriteLong: count, output: count });
  const model = fc.constantFrom(...Object.keys(publishedPrices));
  fc.assert(
    fc.property(model, counts, count, (name, some, more) => {
      const less = costOf(name, some);
      const greater = costOf(name, { ...some, input: some.input + more, output: some.output + more });
      expect(less.known && greater.known && less.usd <= greater.usd).toBe(true);
    }),
  );
});

it.each([
  ['claude-sonnet-5-5', 2, 0.1, 10],
  ['gpt-5.6-sol', 4, 0.4, 20],
  ['gemini-3.6-flash', 1.5, 0.15, 7.5],
])('has the rates of %s as they are since they were changed', (model, input, cacheRead, output) => {
  const found = priceOf(model);
  expect(found.known && found.price).toMatchObject({ input, cacheRead: expect.closeTo(cacheRead, 9), output });
});

it('does not know what nobody could be found to publish', () => {
  expect(priceOf('gpt-5.1-codex-mini')).toEqual({ known: false });
});
