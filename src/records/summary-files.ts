/** Which file a phase leaves its summary in, in the directory of the task or bug; older names come last. Pure. */
import { summaryPhases } from './schemas.ts';

const otherNames: Readonly<Record<string, readonly string[]>> = {
  review_plan: ['REVIEW-PLAN-SUMMARY.json', 'PLAN-REVIEW-SUMMARY.json'],
  code_review: ['REVIEW-CODE-SUMMARY.json', 'CODE-REVIEW-SUMMARY.json', 'CODE_REVIEW-SUMMARY.json'],
};

/** None for a phase that does not exist. */
export function summaryFiles(phase: string, ownPhases: readonly string[] = []): readonly string[] {
  if (![...summaryPhases, ...ownPhases].includes(phase)) return [];
  return otherNames[phase] ?? [`${phase.replaceAll('_', '-').toUpperCase()}-SUMMARY.json`];
}
