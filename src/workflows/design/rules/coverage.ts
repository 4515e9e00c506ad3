/**
 * How many criteria have a passing test right now, after every merge. A test that lost assertions since it first proved its
 * criterion no longer counts for it, so a criterion whose only test was weakened turns red by itself. Pure.
 */
import { z } from 'zod';
import type { CoveredRequirement } from '../../../policy/work-report.ts';
import type { ProofStatus, Traceability } from './traceability.ts';

export const coverageSchema = z.strictObject({
  /** Criteria that a passing test proves. */
  covered: z.array(z.string()),
  /** Criteria whose only tests were weakened, with what happened. */
  weakened: z.record(z.string(), z.string()),
  total: z.number().int(),
  /** The most assertions each test has had while it passed, by the test's id. */
  strength: z.record(z.string(), z.number()),
});
export type Coverage = z.infer<typeof coverageSchema>;

export const noCoverage: Coverage = { covered: [], weakened: {}, total: 0, strength: {} };

export function advanceCoverage(
  before: Coverage,
  { criteria, tests }: Pick<Traceability, 'criteria' | 'tests'>,
): Coverage {
  const strength: Record<string, number> = { ...before.strength };
  const isWeaker = (id: string, assertions: number): boolean => assertions < (before.strength[id] ?? 0);
  for (const { id, status, assertions } of tests)
    if (status === 'PASS') strength[id] = Math.max(strength[id] ?? 0, assertions);
  const covered: string[] = [];
  const weakened: Record<string, string> = {};
  for (const { id } of criteria) {
    const proving = tests.filter((test) => test.criteria.includes(id) && test.status === 'PASS' && test.assertions > 0);
    const weak = proving.filter((test) => isWeaker(test.id, test.assertions));
    if (proving.length > weak.length && !tests.some((test) => test.criteria.includes(id) && test.status === 'FAIL'))
      covered.push(id);
    else if (weak.length > 0)
      weakened[id] = weak
        .map((test) => `${test.id} had ${before.strength[test.id]} assertions and has ${test.assertions}`)
        .join('; ');
    else if (id in before.weakened) weakened[id] = before.weakened[id] ?? '';
    else if (before.covered.includes(id)) weakened[id] = 'its test no longer passes or is gone';
  }
  return { covered, weakened, total: criteria.length, strength };
}

export function coverageText({ covered, total, weakened }: Coverage): string {
  const lost = Object.keys(weakened);
  const red = lost.length === 0 ? '' : `; lost: ${lost.join(', ')}`;
  return `${covered.length} of ${total} criteria have a passing test${red}`;
}

const proofWords: Readonly<Record<ProofStatus, CoveredRequirement['status']>> = {
  PASS: 'passed',
  FAIL: 'failed',
  NOT_COVERED: 'not-covered',
};

/** Criteria and journeys one by one, as every report shows them. */
export function coveredRequirements({
  criteria,
  journeys,
}: Pick<Traceability, 'criteria' | 'journeys'>): CoveredRequirement[] {
  return [
    ...criteria.map(({ id, text, status, tests, reason = '', issue = '' }) => ({
      id,
      text,
      status: proofWords[status],
      tests: [...tests],
      reason: [reason, issue].filter((part) => part !== '').join(', '),
    })),
    ...journeys.map(({ id, status, scenarios, touchpoints_total: total, touchpoints_traversed: traversed }) => ({
      id,
      text: `Journey through ${total} touchpoints`,
      status: proofWords[status],
      tests: scenarios.map(({ test }) => test),
      reason: traversed < total ? `${traversed} of ${total} touchpoints were traversed` : '',
    })),
  ];
}
