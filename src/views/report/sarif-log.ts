/**
 * Findings as a SARIF 2.1.0 log, for tools that show them beside the code: places relative to the repository, fingerprints that
 * survive a moved line. Knows no source of findings; whoever has some maps them. Pure.
 */
import { plainLine, plainLines } from '../terminal-text.ts';

export interface SarifFinding {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  /** Sentences; empty ones are left out. */
  readonly texts: readonly string[];
  /** Empty when it is about no file. */
  readonly file: string;
  /** 0 when it is about the whole file. */
  readonly line: number;
  readonly element?: string;
  readonly fingerprint: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface SarifRun {
  readonly version: string;
  /** Tells this kind of log from others of the same repository. */
  readonly automation: string;
  readonly isComplete: boolean;
  readonly findings: readonly SarifFinding[];
}

export function sarifLog({ version, automation, isComplete, findings }: SarifRun): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return `${JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'forge',
              ...(version === '' ? {} : { version }),
              rules: rules.map((id) => ({ id, shortDescription: { text: `Findings of the kind ${id}` } })),
            },
          },
          automationDetails: { id: automation },
          invocations: [{ executionSuccessful: isComplete }],
          columnKind: 'utf16CodeUnits',
          results: findings.map((finding) => resultOf(finding, rules)),
        },
      ],
    },
    null,
    2,
  )}\n`;
}

function resultOf(finding: SarifFinding, rules: readonly string[]): object {
  const { rule, level, texts, file, line, element = '', fingerprint, properties } = finding;
  const text = texts.map(plainText).filter((part) => part !== '');
  const uri = relativeUri(file);
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level,
    message: { text: text.join('\n\n') || rule },
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
    properties,
  };
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
