/** What happened, in a few words: shared by the tree, the plain lines, the summary and the documents. */
import type { CheckReport } from '../policy/check-report.ts';
import type { ReviewFinding } from '../policy/review-finding.ts';
import { countText } from './figures.ts';

/** `passed, 12 tests` or the reasons of the worst commands. */
export function checksText(report: CheckReport): string {
  const { status, commands } = report;
  if (commands.length === 0) return 'unverified: there is nothing to run';
  const ran = commands.reduce((sum, { counts }) => sum + (counts === undefined ? 0 : counts.passed + counts.failed), 0);
  if (status === 'passed') return ran === 0 ? 'passed' : `passed, ${countText(ran, 'test')}`;
  const worst = commands.filter((command) => command.status === status);
  return `${status}: ${worst.map((command) => `${command.label}: ${command.reason}`).join('; ')}`;
}

/** What stands for a status where there is room for one sign. */
export const statusMarks: Readonly<Record<string, string>> = {
  waiting: '○',
  running: '●',
  interrupted: '●',
  cancelled: '–',
  done: '✓',
  failed: '✗',
  blocked: '⊘',
  skipped: '–',
  unverified: '?',
};

/** `no findings`, `1 error, 2 warnings`. */
export function findingFigures(findings: readonly Pick<ReviewFinding, 'severity'>[]): string {
  const words = { error: 'error', warning: 'warning', info: 'remark' } as const;
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return number === 0 ? [] : [countText(number, words[severity])];
  });
  return parts.length === 0 ? 'no findings' : parts.join(', ');
}

/** `error src/m2.js:2 m2 ignores its second argument (lenses A, B)`. */
export function findingLine(
  finding: Pick<ReviewFinding, 'file' | 'line' | 'severity' | 'claim'> & { readonly lenses?: readonly string[] },
): string {
  const { file, line, severity, claim, lenses = [] } = finding;
  const place = line === 0 ? file : `${file}:${line}`;
  const seen = lenses.length === 0 ? '' : ` (${lenses.length === 1 ? 'lens' : 'lenses'} ${lenses.join(', ')})`;
  return `${[severity, place, claim].filter((part) => part !== '').join(' ')}${seen}`;
}
