/**
 * The check of a slice's plan before anything is built: ten dimensions, each passed, doubtful or failed. Whether a plan
 * goes back is decided here: in blocking mode while failures fall, three rounds at most. Pure.
 */
import { nextMove, type ProgressPolicy } from '../../../policy/progress.ts';

export const planDimensions = [
  'completeness',
  'must-haves',
  'ordering',
  'dependencies',
  'risk-coverage',
  'acceptance',
  'scope',
  'decisions',
  'expected-output',
  'context-fit',
] as const;
export type PlanDimension = (typeof planDimensions)[number];
export type PlanCheckMode = 'advisory' | 'blocking' | 'disabled';
export const dimensionVerdicts = ['pass', 'warn', 'fail'] as const;
export type DimensionVerdict = (typeof dimensionVerdicts)[number];

export interface JudgedDimension {
  readonly dimension: PlanDimension;
  readonly verdict: DimensionVerdict;
  readonly why: string;
}

export const mostPlanRounds = 3;
/** Failures have to fall from round to round. */
export const planCheckPolicy: ProgressPolicy = { rounds: mostPlanRounds, flatRounds: 1 };

export type PlanCheckOutcome = 'passed' | 'revised' | 'terminated-non-decreasing' | 'terminated-exhausted';

/** What follows from the failures of all rounds so far, the newest last. `revised`: the plan goes back once more. */
export function planCheckOutcome(failures: readonly number[]): PlanCheckOutcome {
  if ((failures.at(-1) ?? 0) === 0) return 'passed';
  const move = nextMove(
    failures.map((remaining) => ({ type: 'measured', remaining }) as const),
    planCheckPolicy,
  );
  if (move.next !== 'stop') return 'revised';
  return move.stalledAt === 'progress' ? 'terminated-non-decreasing' : 'terminated-exhausted';
}

export interface CheckerWord {
  readonly dimension: string;
  readonly verdict: DimensionVerdict;
  readonly why: string;
}

/** Every dimension once, in order. One that the checker says nothing about is doubtful, never passed. */
export function readDimensions(words: readonly CheckerWord[]): readonly JudgedDimension[] {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '-');
  return planDimensions.map((dimension) => {
    const word = words.find((one) => plain(one.dimension) === dimension);
    return { dimension, verdict: word?.verdict ?? 'warn', why: word?.why ?? 'The checker says nothing about it.' };
  });
}

export function countVerdicts(judged: readonly JudgedDimension[]): Readonly<Record<DimensionVerdict, number>> {
  const count = (verdict: DimensionVerdict): number => judged.filter((one) => one.verdict === verdict).length;
  return { pass: count('pass'), warn: count('warn'), fail: count('fail') };
}
