/** Findings of several readers joined: place, element, the worse severity, order of readers without meaning. */
import { describe, expect, it } from 'vitest';
import { type ReviewFinding, reviewFindingSchema } from '../../src/policy/review-finding.ts';
import { aggregateFindings } from '../../src/policy/self-consistency.ts';

const finding = (more: Partial<ReviewFinding>): ReviewFinding =>
  reviewFindingSchema.parse({ file: 'a.ts', line: 10, severity: 'error', claim: 'wrong', ...more });

describe('aggregateFindings', () => {
  it('joins what is about the same element in the same place', () => {
    const { mustFix } = aggregateFindings([
      { lens: 'A', findings: [finding({ element: 'Store.save', severity: 'warning' })] },
      { lens: 'C', findings: [finding({ element: 'save()', line: 14, claim: 'worse' })] },
    ]);
    expect(mustFix).toEqual([{ ...finding({ element: 'save()', line: 14, claim: 'worse' }), lenses: ['A', 'C'] }]);
  });

  it('keeps different elements on near lines apart', () => {
    const { mustFix, advisory } = aggregateFindings([
      { lens: 'A', findings: [finding({ element: 'save' })] },
      { lens: 'B', findings: [finding({ element: 'load' })] },
    ]);
    expect([mustFix.length, advisory.length]).toEqual([0, 2]);
  });

  it('counts one reader once', () => {
    const { advisory } = aggregateFindings([{ lens: 'A', findings: [finding({}), finding({ line: 12 })] }]);
    expect(advisory.map(({ lenses }) => lenses)).toEqual([['A']]);
  });

  it('reads a kind however it is spelt', () => {
    const { mustFix } = aggregateFindings([
      { lens: 'A', findings: [finding({ category: 'Silent production failure' })] },
    ]);
    expect(mustFix).toHaveLength(1);
  });
});
