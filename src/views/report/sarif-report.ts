/**
 * The findings that stand as SARIF 2.1.0, for tools that show them beside the code: levels from severity, rules from
 * category, places relative to the repository, fingerprints that survive a moved line.
 */
import { plainLine, plainLines } from '../terminal-text.ts';
import type { Report } from './report.ts';
import type { ReportFinding } from './report-findings.ts';

export function sarifReport(report: Pick<Report, 'run' | 'forge' | 'status' | 'findings'>): string {
  const standing = report.findings.filter((finding) => finding.state !== 'mended');
  const rules = [...new Set(standing.map(ruleId))];
  return `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'forge',
              ...(report.forge === '' ? {} : { version: report.forge }),
              rules: rules.map((id) => ({ id, shortDescription: { text: `Findings of the kind ${id}` } })),
            },
          },
          automationDetails: { id: `forge/${report.run}` },
          invocations: [{ executionSuccessful: report.status === 'done' || report.status === 'failed' }],
          columnKind: 'utf16CodeUnits',
          results: standing.map((finding) => resultOf(finding, rules)),
        },
      ],
    },
    null,
    2,
  )}\n`;
}

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

function resultOf(finding: ReportFinding, rules: readonly string[]): object {
  const { severity, claim, evidence, suggestion, file, line, source, state, seenBy, element, fingerprint } = finding;
  const id = ruleId(finding);
  const text = [claim, evidence, suggestion].map(plainText).filter((part) => part !== '');
  const uri = relativeUri(file);
  return {
    ruleId: id,
    ruleIndex: rules.indexOf(id),
    level: levels[severity],
    message: { text: text.join('\n\n') || id },
    ...(uri === ''
      ? {}
      : {
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
                ...(line === 0 ? {} : { region: { startLine: line } }),
              },
              ...(element === '' ? {} : { logicalLocations: [{ name: plainLine(element) }] }),
            },
          ],
        }),
    partialFingerprints: { 'forgeFinding/v1': fingerprint },
    properties: { source, state, seenBy: seenBy.map(plainLine) },
  };
}

/** Of a rule there is one, however its category was written. */
function ruleId({ source, category }: ReportFinding): string {
  const word = plainLine(category || source)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return (word || 'finding').slice(0, 60);
}

function plainText(text: string): string {
  return plainLines(text).join('\n').trim();
}

/** Within the repository whatever a reviewer wrote: no scheme, no root, no way out. */
function relativeUri(file: string): string {
  return plainLine(file)
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => encodeURIComponent(part))
    .join('/');
}
