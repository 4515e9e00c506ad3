import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration } from '../../src/agents/duration.ts';

test.each([
  ['200ms', 200],
  ['2s', 2000],
  ['1.5m', 90_000],
  ['1h', 3_600_000],
  [' 0s ', 0],
  ['0.4ms', 0],
])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '5', '-1s', '1 s', '1d', 's', '1e3s', '99999999999h', 'Infinitys', '１s'])(
  '%j is no duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test('any text gives undefined or a delay that a timer takes', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.tuple(fc.double(), fc.constantFrom('ms', 's', 'm', 'h')).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const ms = parseDuration(text);
      expect(ms === undefined || (Number.isInteger(ms) && ms >= 0 && ms < 2 ** 31)).toBe(true);
    }),
  );
});
