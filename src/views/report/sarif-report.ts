/** The findings of a run that stand, as SARIF: levels from severity, rules from category. Pure. */
import { plainLine } from '../terminal-text.ts';
import type { ReportedFinding } from '../work-reports.ts';
import type { Report } from './report.ts';
import { type SarifFinding, sarifLog } from './sarif-log.ts';

export function sarifReport(report: Pick<Report, 'run' | 'forge' | 'status' | 'findings'>): string {
  return sarifLog({
    version: report.forge,
    automation: `forge/${report.run}`,
    isComplete: report.status === 'done' || report.status === 'failed',
    findings: report.findings.filter((finding) => finding.state !== 'fixed').map(asSarif),
  });
}

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

function asSarif(finding: ReportedFinding): SarifFinding {
  const { severity, claim, evidence, suggestion, file, line, source, state, owner, seenBy, element, fingerprint } =
    finding;
  return {
    rule: ruleId(finding),
    level: levels[severity],
    texts: [claim, evidence, suggestion],
    file,
    line,
    element,
    fingerprint,
    properties: { source, state, owner: plainLine(owner), seenBy: seenBy.map(plainLine) },
  };
}

/** Of a rule there is one, however its category was written. */
function ruleId({ source, category }: ReportedFinding): string {
  const word = plainLine(category || source)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return (word || 'finding').slice(0, 60);
}
