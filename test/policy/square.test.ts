import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeExpectation, type Expectation, judgeSquare, type SquareQuestion } from '../../src/policy/square.ts';

const adds: Expectation = {
  path: 'test/sum.test.js',
  test: 'sums > adds',
  change: 'fails',
  before: 'assert.equal(sum(1, 2), 3);',
  after: 'assert.equal(sum(1, 2), 4);',
  message: '4 !== 3',
};
const gone: Expectation = { ...adds, test: 'sums > subtracts', change: 'removed', after: '' };
const noticed = { status: 'noticed', reason: '' } as const;
const agrees = { by: 'the reviewer', agrees: true, reason: '' };
const differs = { by: 'the reviewer', agrees: false, reason: 'too much' };
const all = { what: 'Sums are one more' };
const one = { what: 'Sums are one more', tests: ['adds'] };

interface Row {
  readonly expectations?: readonly Expectation[];
  readonly canary?: SquareQuestion['square']['canary'];
  readonly declared?: SquareQuestion['declared'];
  readonly agreement?: SquareQuestion['agreement'];
  readonly setting?: SquareQuestion['setting'];
}

const verdict = ({ expectations = [adds], canary = noticed, declared = [], agreement, setting = 'ask' }: Row) =>
  judgeSquare({ square: { expectations: [...expectations], canary }, declared, agreement, setting }).verdict;

describe('the square', () => {
  it.each<[string, Row, string]>([
    ['nothing changed', { expectations: [] }, 'passes'],
    ['changed, not declared', {}, 'ask'],
    ['changed, not declared, a reviewer agrees all the same', { agreement: agrees }, 'ask'],
    ['declared, nobody asked yet', { declared: [all] }, 'review'],
    ['declared, nobody to ask', { declared: [all], agreement: null }, 'ask'],
    ['declared and agreed', { declared: [all], agreement: agrees }, 'passes'],
    ['declared by the last part of its name, and agreed', { declared: [one], agreement: agrees }, 'passes'],
    ['declared by its file, and agreed', { declared: [{ ...all, tests: [adds.path] }], agreement: agrees }, 'passes'],
    ['declared and not agreed', { declared: [all], agreement: differs }, 'ask'],
    ['another test is declared', { declared: [{ ...all, tests: ['dds'] }], agreement: agrees }, 'ask'],
    ['one of two is declared', { expectations: [adds, gone], declared: [one], agreement: agrees }, 'ask'],
    ['one of two is declared, nobody asked yet', { expectations: [adds, gone], declared: [one] }, 'ask'],
    ['refused by settings', { setting: 'refuse' }, 'refused'],
    [
      'refused by settings, but declared and agreed',
      { setting: 'refuse', declared: [all], agreement: agrees },
      'passes',
    ],
    ['let through by settings', { setting: 'allow' }, 'passes'],
    ['a runner that notices nothing', { expectations: [], canary: { status: 'missed', reason: '' } }, 'compromised'],
    [
      'a runner that notices nothing, whatever is declared and let through',
      { canary: { status: 'missed', reason: '' }, declared: [all], agreement: agrees, setting: 'allow' },
      'compromised',
    ],
    ['no canary was possible', { expectations: [], canary: { status: 'not-measured', reason: '' } }, 'passes'],
  ])('%s', (_name, row, expected) => {
    expect(verdict(row)).toBe(expected);
  });

  it('never lets an expectation through unless it is declared and agreed, or settings say so', () => {
    const tests = fc.array(fc.constantFrom('adds', 'sums > adds', 'other', adds.path), { maxLength: 3 });
    const row = fc.record({
      expectations: fc.array(fc.constantFrom(adds, gone), { minLength: 1, maxLength: 4 }),
      declared: fc.array(fc.record({ what: fc.constant('x'), tests: fc.option(tests, { nil: undefined }) }), {
        maxLength: 3,
      }),
      agreement: fc.constantFrom(undefined, null, agrees, differs),
      setting: fc.constantFrom('ask' as const, 'refuse' as const),
    });
    fc.assert(
      fc.property(row, ({ expectations, declared, agreement, setting }) => {
        const known = declared.map(({ what, tests: names }) =>
          names === undefined ? { what } : { what, tests: names },
        );
        const judged = judgeSquare({ square: { expectations, canary: noticed }, declared: known, agreement, setting });
        if (judged.verdict !== 'passes') return;
        expect(agreement).toBe(agrees);
        expect(
          judged.expectations.every(({ declared: words, agreedBy }) => words === 'x' && agreedBy !== undefined),
        ).toBe(true);
      }),
    );
  });

  it('shows what was expected, what is now, and what the old test says', () => {
    expect(describeExpectation(adds)).toBe(
      [
        'test/sum.test.js: "sums > adds" passed before and fails on the new code, as it was before the change',
        '  before:',
        '    assert.equal(sum(1, 2), 3);',
        '  after:',
        '    assert.equal(sum(1, 2), 4);',
        '  says:',
        '    4 !== 3',
        '  The plan does not declare this.',
      ].join('\n'),
    );
  });
});
