/** A tester's bug in the form that reports understand. Pure. */
import { type WorkFinding, workFindingSchema } from '../../policy/work-report.ts';
import type { Bug } from './role-results.ts';

const bugSeverity = { critical: 'error', major: 'error', minor: 'warning' } as const;

export function bugFinding({ title, category, severity, files, reproduction, expected, actual }: Bug): WorkFinding {
  const evidence = [
    ...(reproduction === '' ? [] : [reproduction]),
    ...(expected === '' ? [] : [`expected ${expected}`]),
    ...(actual === '' ? [] : [`got ${actual}`]),
  ];
  return workFindingSchema.parse({
    source: 'test',
    state: 'must-fix',
    severity: bugSeverity[severity],
    category: `${category} test`,
    file: files[0] ?? '',
    claim: title,
    evidence: evidence.join('; '),
  });
}
