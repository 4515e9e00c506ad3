/**
 * One finding of a plan checker: rule, file, severity, what is wrong, what to do. The rules and their severities are the ones
 * that `docs/check-plan.md` lists. Sorted by rule, file and description, so that the same tree always gives the same text. Pure.
 */
import { compareTexts } from '../design/design-problems.ts';

export const issueSeverities = ['info', 'warning', 'error', 'critical'] as const;
export type IssueSeverity = (typeof issueSeverities)[number];

export interface PlanIssue {
  /** `CR-AF04`, or `DD-…` for rules of the delivery discipline that have no number. */
  readonly rule: string;
  readonly file: string;
  /** Zero where the whole file is meant. */
  readonly line: number;
  readonly severity: IssueSeverity;
  readonly description: string;
  readonly fix: string;
}

/** Issues of one file, in the order of their lines. */
export interface FoundIssue {
  readonly rule: string;
  readonly line: number;
  readonly description: string;
  readonly fix: string;
}

/** What is not an error. */
const severities: Readonly<Record<string, IssueSeverity>> = {
  'CR-AF13': 'warning',
  'CR-AF19': 'critical',
  'CR-AF24': 'critical',
  'CR-AF25': 'critical',
  'CR-AF27': 'critical',
  'CR-AF28': 'critical',
  'CR-AF29': 'critical',
  'CR-AF32': 'warning',
  'DD-SW1': 'warning',
  'DD-SW3': 'warning',
  'DD-SW4': 'warning',
  'DD-SW6': 'warning',
  'DD-SW7': 'warning',
  'DD-E': 'warning',
};

export function issueIn(file: string, found: FoundIssue, severity?: IssueSeverity): PlanIssue {
  return { ...found, file, severity: severity ?? severities[found.rule] ?? 'error' };
}

export function sortIssues<T extends PlanIssue>(issues: readonly T[]): T[] {
  return issues.toSorted(
    (a, b) =>
      compareTexts(a.rule, b.rule) ||
      compareTexts(a.file, b.file) ||
      a.line - b.line ||
      compareTexts(a.description, b.description),
  );
}

export function worstSeverity(issues: readonly PlanIssue[]): IssueSeverity | undefined {
  const ranks = issues.map(({ severity }) => issueSeverities.indexOf(severity));
  return ranks.length === 0 ? undefined : issueSeverities[Math.max(...ranks)];
}

/** Only these stop a gate. */
export function blocksGate({ severity }: PlanIssue): boolean {
  return severity === 'error' || severity === 'critical';
}
