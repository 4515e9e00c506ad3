/** How many criteria are proven right now, module by module: what lost its proof stays red until it is proven again. */
import { expect, it } from 'vitest';
import {
  advanceCoverage,
  type Coverage,
  coverageText,
  noCoverage,
} from '../../../src/workflows/design/rules/coverage.ts';
import type { ProvenTest } from '../../../src/workflows/design/rules/traceability.ts';

const criteria = [{ id: 'F-001/AC1' }, { id: 'F-001/AC2' }] as never;
const test = (id: string, more: Partial<ProvenTest> = {}): ProvenTest => ({
  id,
  file: id,
  line: 1,
  status: 'PASS',
  criteria: ['F-001/AC1'],
  journeys: [],
  assertions: 3,
  ...more,
});
const after = (before: Coverage, ...tests: readonly ProvenTest[]): Coverage =>
  advanceCoverage(before, { criteria, tests });

it('counts a criterion with a passing test that asserts something', () => {
  expect(coverageText(after(noCoverage, test('a')))).toBe('1 of 2 criteria have a passing test');
  expect(after(noCoverage, test('a', { status: 'FAIL' })).covered).toEqual([]);
  expect(after(noCoverage, test('a', { assertions: 0 })).covered).toEqual([]);
  expect(after(noCoverage, test('a'), test('b', { status: 'FAIL' })).covered).toEqual([]);
});

it('turns red when the only test is weakened, and stays red until it is strong again', () => {
  const first = after(noCoverage, test('a'));
  const weaker = after(first, test('a', { assertions: 2 }));
  expect(coverageText(weaker)).toBe('0 of 2 criteria have a passing test; lost: F-001/AC1');
  expect(weaker.weakened['F-001/AC1']).toBe('a had 3 assertions and has 2');
  expect(after(weaker, test('a', { assertions: 2 })).weakened).toEqual(weaker.weakened);
  expect(after(weaker, test('a', { assertions: 2 }), test('b', { assertions: 1 })).covered).toEqual(['F-001/AC1']);
  expect(after(weaker, test('a')).weakened).toEqual({});
});

it('stays red when the test is gone, whatever is merged after it', () => {
  const gone = after(after(noCoverage, test('a')));
  expect(gone.weakened).toEqual({ 'F-001/AC1': 'its test no longer passes or is gone' });
  expect(after(gone, test('c', { criteria: ['F-001/AC2'] }))).toMatchObject({
    covered: ['F-001/AC2'],
    weakened: { 'F-001/AC1': 'its test no longer passes or is gone' },
  });
});
