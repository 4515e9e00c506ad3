/** A value as JSON would hold it, without writing it. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asJson } from '../../src/engine/json-value.ts';

const throughText = (value: unknown): unknown => {
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as unknown);
};

describe('a value as JSON', () => {
  it('is what writing and reading it gives', () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined, -0, Number.NaN, Symbol('s'), () => 1, new Date(0), new Map([[1, 2]])),
    );
    const name = fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant('constructor'));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('any'), { maxLength: 5 }),
        fc.dictionary(name, tie('any'), { maxKeys: 5, noNullPrototype: false }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (one) => {
        const copy = asJson(one);
        expect(isDeepStrictEqual(copy, throughText(one))).toBe(true);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(throughText(one)));
      }),
    );
  });

  it('shares nothing with what it was made from', () => {
    const inner = { list: [1] };
    const copy = asJson({ inner }) as { inner: { list: number[] } };
    inner.list.push(2);
    expect(copy.inner.list).toEqual([1]);
    expect(() => asJson({ n: 1n })).toThrow(TypeError);
  });
});
