/** Remarks of reviewers and evidence about tests in the one form that reports understand. Pure. */
import type { EffectOutput } from '../../engine/effect-map.ts';
import type { Finding } from '../../policy/finding.ts';
import type { ReviewFinding } from '../../policy/review-finding.ts';
import type { AgreedFinding } from '../../policy/self-consistency.ts';
import { type WorkFinding, workFindingSchema, type WorkReport } from '../../policy/work-report.ts';

/** An error is sent back; anything less is advice. */
export function reviewFinding(finding: ReviewFinding): WorkFinding {
  const state = finding.severity === 'error' ? 'must-fix' : 'advisory';
  return workFindingSchema.parse({ source: 'review', state, ...finding });
}

/** What several readers agreed on, or one of them alone. */
export function agreedFinding(finding: AgreedFinding, state: WorkFinding['state'], source: string): WorkFinding {
  const { lenses, ...rest } = finding;
  return workFindingSchema.parse({ source, state, ...rest, seenBy: [...lenses] });
}

export function evidenceReport({ redGreen, findings }: EffectOutput<'evidence.measure'>): WorkReport {
  const files = (result: (typeof redGreen)[number]['result']): number =>
    redGreen.filter((one) => one.result === result).reduce((sum, one) => sum + Math.max(1, one.files.length), 0);
  return {
    findings: findings.map(evidenceFinding),
    redGreen: {
      red: files('red'),
      absent: files('absent'),
      green: files('green'),
      notMeasured: files('not-measured'),
    },
  };
}

function evidenceFinding({ path, line, kind, claim }: Finding): WorkFinding {
  return workFindingSchema.parse({
    source: 'evidence',
    state: 'advisory',
    severity: 'warning',
    category: kind,
    file: path,
    line,
    claim,
  });
}
