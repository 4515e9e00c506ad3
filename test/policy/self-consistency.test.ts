/** Findings of several readers joined: place, element, the worse severity, order of readers without meaning. */
import { describe, expect, it } from 'vitest';
import { type ReviewFinding, reviewFindingSchema } from '../../src/policy/review-finding.ts';
import { aggregateFindings, withUnfixed } from '../../src/policy/self-consistency.ts';

const finding = (more: Partial<ReviewFinding>): ReviewFinding =>
  reviewFindingSchema.parse({ file: 'a.ts', line: 10, severity: 'error', claim: 'wrong', ...more });

describe('aggregateFindings', () => {
  it('joins what is about the same element in the same place', () => {
    const { mustFix } = aggregateFindings([
      { lens: 'A', findings: [finding({ element: 'Store.save', severity: 'warning' })] },
      { lens: 'C', findings: [finding({ file: './a.ts', element: 'save()', line: 14, claim: 'worse' })] },
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

  it('sees agreement with any finding of a reader, not only with the first nearby', () => {
    const { mustFix, advisory } = aggregateFindings([
      { lens: 'A', findings: [finding({ line: 40, claim: 'one' }), finding({ line: 44, claim: 'two' })] },
      { lens: 'B', findings: [finding({ line: 48, claim: 'three' })] },
    ]);
    expect([mustFix, advisory]).toEqual([[{ ...finding({ line: 40, claim: 'one; two' }), lenses: ['A', 'B'] }], []]);
  });

  it('keeps all that one reader found in one place', () => {
    const said = [finding({ claim: 'one' }), finding({ claim: 'two', line: 12, category: 'silent-failure' })];
    const { mustFix, advisory } = aggregateFindings([{ lens: 'A', findings: said }]);
    expect([mustFix.map(({ claim }) => claim), advisory.map(({ claim }) => claim)]).toEqual([['two'], ['one']]);
  });

  it('does not take two elements for one because of a finding that names none', () => {
    const { mustFix, advisory } = aggregateFindings([
      { lens: 'A', findings: [finding({ element: 'save', line: 8 })] },
      { lens: 'B', findings: [finding({})] },
      { lens: 'C', findings: [finding({ element: 'load', line: 12 })] },
    ]);
    expect(mustFix.map(({ element, lenses }) => [element, lenses])).toEqual([['save', ['A', 'B']]]);
    expect(advisory.map(({ element, lenses }) => [element, lenses])).toEqual([['load', ['C']]]);
  });

  it('does not care who answered first', () => {
    const all = [
      { lens: 'A', findings: [finding({ line: 40, claim: 'one' })] },
      { lens: 'B', findings: [finding({ line: 44, claim: 'two' })] },
      { lens: 'C', findings: [finding({ line: 49, claim: 'three' })] },
    ];
    expect(aggregateFindings(all.toReversed())).toEqual(aggregateFindings(all));
    expect(aggregateFindings(all).mustFix.map(({ lenses }) => lenses)).toEqual([['A', 'B', 'C']]);
  });

  it('reads a kind however it is spelt', () => {
    const { mustFix } = aggregateFindings([
      { lens: 'A', findings: [finding({ category: 'Silent production failure' })] },
    ]);
    expect(mustFix).toHaveLength(1);
  });
});

describe('a finding whose place is written in another way', () => {
  const places = (file: string, known: readonly string[] = ['src/a.js', 'lib/**']) =>
    aggregateFindings([{ lens: 'A', findings: [finding({ file, category: 'silent-failure' })] }], known).mustFix.map(
      (one) => one.file,
    );

  it.each([
    ['/src/a.js', 'src/a.js'],
    ['/home/ada/workspace/src/a.js', 'src/a.js'],
    ['/home/ada/.local/share/forge/workspaces/r1/run-x/final-1-A/tree/other/b.js', 'other/b.js'],
    ['/repo/lib/deep/b.js', 'lib/deep/b.js'],
    ['././/src//a.js', 'src/a.js'],
    ['/etc/passwd', '/etc/passwd'],
  ])('%s is %s', (written, file) => {
    expect(places(written)).toEqual([file]);
    expect(places(written, ['**', '*/a.js', ...(file.startsWith('/') ? [] : [file])])).toEqual([file]);
  });

  it('is agreed on with one that names the file', () => {
    const { mustFix } = aggregateFindings([
      { lens: 'A', findings: [finding({ file: 'src/a.js' })] },
      { lens: 'B', findings: [finding({ file: '/elsewhere/tree/src/a.js' })] },
    ]);
    expect(mustFix.map(({ file, lenses }) => [file, lenses])).toEqual([['src/a.js', ['A', 'B']]]);
  });

  it('stands in later rounds while nobody can be set to it, and only then', () => {
    const round = (...files: string[]) =>
      aggregateFindings([{ lens: 'A', findings: files.map((file) => finding({ file, category: 'silent-failure' })) }]);
    const first = round('/etc/passwd', 'src/a.js', '../b.js');
    const second = withUnfixed(first, round());
    expect(second.mustFix.map(({ file }) => file)).toEqual(['/etc/passwd', '../b.js']);
    expect(withUnfixed(second, round('../b.js')).mustFix.map(({ file }) => file)).toEqual(['../b.js', '/etc/passwd']);
  });
});
