/**
 * Whether the software is accepted: everything proven, enough proven with known gaps, or not. A gap counts as known when an
 * issue tracks it. A failure of a feature that must be there is critical, whatever the rate. Pure.
 */
import type { Traceability } from './traceability.ts';

export type AcceptanceResult = 'PASS' | 'PARTIAL' | 'FAIL';

export interface VerdictMatter {
  readonly trace: Traceability;
  /** By feature: `P0` must be there. */
  readonly priorities: Readonly<Record<string, string>>;
  /** Per cent. */
  readonly threshold: number;
  /** Whether all checks pass on the tree with the acceptance tests. */
  readonly isGreen: boolean;
  /** Findings of the plan checkers and the delivery discipline that block. */
  readonly blocking: number;
}

export interface AcceptanceVerdict {
  readonly verdict: AcceptanceResult;
  readonly passed: number;
  readonly total: number;
  /** Per cent, rounded down, so that nothing is rounded up to a pass. */
  readonly rate: number;
  readonly failed: readonly string[];
  readonly notCovered: readonly string[];
  readonly reasons: readonly string[];
}

export function acceptanceVerdict(matter: VerdictMatter): AcceptanceVerdict {
  const { trace, priorities, threshold, isGreen, blocking } = matter;
  const { criteria, journeys } = trace;
  const passed = criteria.filter(({ status }) => status === 'PASS').length;
  const failed = [...criteria, ...journeys].filter(({ status }) => status === 'FAIL').map(({ id }) => id);
  const notCovered = [
    ...criteria.filter(({ status, issue }) => status === 'NOT_COVERED' && issue === undefined),
    ...journeys.filter(({ status, coverage_gap_issue: gap }) => status === 'NOT_COVERED' && gap === undefined),
  ].map(({ id }) => id);
  const total = criteria.length;
  const rate = total === 0 ? 100 : Math.floor((passed / total) * 100);
  const critical = failed.filter((id) => priorities[id.split('/', 1)[0] ?? ''] === 'P0');
  const reasons = [
    ...(rate < threshold ? [`${rate} % of the criteria pass, ${threshold} % are needed`] : []),
    ...critical.map((id) => `${id} fails, and its feature must be there`),
    ...(isGreen ? [] : ['the checks fail']),
  ];
  const gaps = [
    ...(failed.length === 0 ? [] : [`${failed.join(', ')} ${failed.length === 1 ? 'fails' : 'fail'}`]),
    ...(notCovered.length === 0 ? [] : [`no passing test proves ${notCovered.join(', ')}`]),
    ...(trace.orphan_tests.length === 0 ? [] : [`${trace.orphan_tests.join(', ')} prove nothing that is asked for`]),
    ...(blocking === 0 ? [] : [`${blocking} finding${blocking === 1 ? '' : 's'} of the delivery rules`]),
  ];
  const verdict = reasons.length > 0 ? 'FAIL' : gaps.length > 0 ? 'PARTIAL' : 'PASS';
  return { verdict, passed, total, rate, failed, notCovered, reasons: [...reasons, ...gaps] };
}

/** What fails now, for rounds of fixes: criteria and journeys without a pass, orphans, findings that block. */
export function openPoints({ failed, notCovered }: AcceptanceVerdict, trace: Traceability, blocking: number): number {
  return failed.length + notCovered.length + trace.orphan_tests.length + blocking;
}

export const failureClasses = ['implementation', 'cross-module', 'design-gap', 'prd-ambiguity'] as const;
export type FailureClass = (typeof failureClasses)[number];

/** Who deals with a failure of that class. */
export function failureRoute(kind: FailureClass): 'developer' | 'replan' | 'person' {
  if (kind === 'design-gap') return 'replan';
  return kind === 'prd-ambiguity' ? 'person' : 'developer';
}
