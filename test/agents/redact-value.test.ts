import { expect, it } from 'vitest';
import { redactValue } from '../../src/agents/redact-value.ts';
import { deepestValue, isTooDeep } from '../../src/policy/depth.ts';

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? { a: value } : [value];
  return value;
};
const redactor = { redact: (text: string) => text };

it('cuts off what is nested deeper than any result', () => {
  expect(isTooDeep(nested(100_000))).toBe(true);
  expect(isTooDeep(redactValue(nested(100_000), redactor))).toBe(false);
});

it('leaves every real result as it is', () => {
  expect(redactValue(nested(deepestValue), redactor)).toEqual(nested(deepestValue));
});
