/** `reports/acceptance.md` and `reports/traceability.json`, drawn from what tests really did. Pure. */
import { acceptanceMark } from '../../../delivery/check-acceptance.ts';
import type { ProductRequirements } from '../../../design/design.ts';
import type { CheckReport } from '../../../policy/check-report.ts';
import type { AcceptanceVerdict } from '../rules/acceptance-verdict.ts';
import type { ProvenCriterion, Traceability } from '../rules/traceability.ts';
import { bulletList, fencedText, oneLine, tableText } from './markdown-text.ts';

export interface AcceptanceMatter {
  readonly prd: ProductRequirements;
  readonly designDir: string;
  readonly commit: string;
  readonly trace: Traceability;
  readonly verdict: AcceptanceVerdict;
  readonly threshold: number;
  readonly report: CheckReport;
  readonly e2eFolder: string;
  /** What a person decided about gaps. */
  readonly remarks: readonly string[];
}

export function traceabilityJson(trace: Traceability): string {
  return `${JSON.stringify(trace, null, 2)}\n`;
}

export function renderAcceptance(matter: AcceptanceMatter): string {
  const { prd, trace, verdict } = matter;
  const scenarios = trace.journeys.flatMap(({ scenarios: all }) => all);
  const passed = scenarios.filter(({ status }) => status === 'PASS').length;
  return `${[
    acceptanceMark,
    '# Acceptance report',
    section(
      'Summary',
      tableText(
        ['Field', 'Value'],
        [
          ['Features Tested', String(prd.features.length)],
          ['Acceptance Criteria Passed', `${verdict.passed}/${verdict.total}`],
          ['E2E Scenarios Passed', `${passed}/${scenarios.length}`],
          ['Overall Pass Rate', `${verdict.rate}%`],
          ['Verdict', verdict.verdict],
        ],
      ),
    ),
    section(
      'Input',
      tableText(
        ['Field', 'Value'],
        [
          ['PRD', prd.dir],
          ['Design', matter.designDir],
          ['Commit', matter.commit],
          ['Acceptance Threshold', `${matter.threshold}%`],
        ],
      ),
    ),
    section('Feature Acceptance', prd.features.map((feature) => featureText(feature, trace)).join('\n\n')),
    section('Journey E2E Scenarios', journeyTable(prd, trace)),
    section(
      'Requirements Traceability Matrix',
      tableText(
        ['Criterion', 'Status', 'Tests', 'Modules', 'Commits'],
        trace.criteria.map(({ id, status, tests, modules, commits }) => [
          id,
          status,
          tests.join(', '),
          modules.join(', '),
          commits.map((commit) => commit.slice(0, 7)).join(', '),
        ]),
      ),
    ),
    section(
      'E2E Traceability Matrix',
      tableText(
        ['Test', 'Line', 'Status', 'Criteria', 'Journeys'],
        trace.tests.map(({ id, line, status, criteria, journeys }) => [
          id,
          String(line),
          status,
          criteria.join(', '),
          journeys.join(', '),
        ]),
      ),
    ),
    section('E2E Test Run', runText(matter)),
    section('Negative-Path Coverage', negativeTable(trace)),
    section('Failed Items', bulletList(verdict.failed.map((id) => `${id}: ${reasonOf(trace, id)}`))),
    section(
      'Not Covered Items',
      bulletList(
        trace.criteria
          .filter(({ status }) => status === 'NOT_COVERED')
          .map(({ id, reason = '' }) => `${id}: ${reason}`),
      ),
    ),
    section(
      'Outstanding Debt',
      tableText(
        ['#', 'PRD Reference', 'Current State', 'User Impact', 'Issue'],
        trace.criteria
          .filter(({ issue }) => issue !== undefined)
          .map(({ id, reason = '', text, issue = '' }, at) => [String(at + 1), id, reason, text, issue]),
      ),
    ),
    section('Orphan Tests', bulletList(trace.orphan_tests)),
    section('Unmapped Acceptance Criteria', bulletList(trace.unmapped_criteria)),
    section('Naming-vs-Content Mismatches', bulletList(mismatches(trace))),
    section('Verdict', [`**${verdict.verdict}**`, bulletList([...verdict.reasons, ...matter.remarks])].join('\n\n')),
  ].join('\n\n')}\n`;
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`;
}

function featureText({ id, name, criteria }: ProductRequirements['features'][number], trace: Traceability): string {
  const rows = criteria.map(({ id: criterion, text }, at) => {
    const proof = trace.criteria.find((each) => each.id === criterion);
    return [String(at + 1), text, proof?.status ?? 'NOT_COVERED', (proof?.tests ?? []).join(', '), proof?.reason ?? ''];
  });
  return `### ${id}: ${oneLine(name)}\n\n${tableText(['#', 'Acceptance Criterion', 'Status', 'Test', 'Notes'], rows)}`;
}

function journeyTable({ journeys }: ProductRequirements, trace: Traceability): string {
  return tableText(
    ['#', 'Scenario', 'Path', 'Steps', 'Features Exercised', 'Touchpoints Traversed', 'Status', 'Notes'],
    trace.journeys.flatMap((journey) => {
      const spec = journeys.find(({ id }) => id === journey.id);
      const features = [...new Set((spec?.touchpoints ?? []).flatMap((point) => point.features))].join(', ');
      return journey.scenarios.map(({ kind, test, status }, at) => [
        `${journey.id} ${at + 1}`,
        test.slice(test.indexOf('::') + 2),
        kind,
        String(journey.touchpoints_total),
        features,
        `${journey.touchpoints_traversed}/${journey.touchpoints_total}`,
        status,
        '',
      ]);
    }),
  );
}

function runText({ report, trace, e2eFolder }: AcceptanceMatter): string {
  const command = report.commands.find(({ counts }) => (counts?.passed ?? 0) > 0) ?? report.commands[0];
  const counts = command?.counts;
  const specs = [
    ...new Set(trace.tests.filter(({ file }) => file.startsWith(`${e2eFolder}/`)).map(({ file }) => file)),
  ];
  const table = tableText(
    ['Field', 'Value'],
    [
      ['Command', command?.label ?? ''],
      ['Working Dir', command?.cwd ?? ''],
      ['Exit Code', command?.exit === null || command === undefined ? '' : String(command.exit)],
      ['Specs Discovered', String(specs.length)],
      ['Tests Passed', String(counts?.passed ?? 0)],
      ['Tests Failed', String(counts?.failed ?? 0)],
      ['Tests Skipped', String(counts?.skipped ?? 0)],
      ['Duration', `${Math.round((command?.durationMs ?? 0) / 100) / 10} s`],
    ],
  );
  const coverage = tableText(
    ['F-ID', 'Spec File', 'Status'],
    trace.criteria.map(({ id, tests, status }) => [
      id,
      [...new Set(tests.map((test) => test.split('::', 1)[0] ?? ''))].join(', '),
      status,
    ]),
  );
  return [
    table,
    fencedText((command?.output ?? '').slice(-6000) || '(it printed nothing)'),
    '### F-ID Coverage',
    coverage,
  ].join('\n\n');
}

function negativeTable(trace: Traceability): string {
  return tableText(
    ['Journey', 'Happy', 'Error', 'Boundary', 'Concurrency', 'Idempotency', 'Coverage Gap Issue'],
    trace.journeys.map(({ id, scenarios, coverage_gap_issue: issue = '' }) => [
      id,
      ...(['happy', 'error', 'boundary', 'concurrency', 'idempotency'] as const).map((kind) =>
        String(scenarios.filter((each) => each.kind === kind && each.status === 'PASS').length),
      ),
      issue,
    ]),
  );
}

function reasonOf({ criteria }: Traceability, id: string): string {
  return criteria.find((each: ProvenCriterion) => each.id === id)?.reason ?? 'a scenario fails';
}

/** A test that names a criterion and asserts nothing says something it does not do. */
function mismatches({ tests }: Traceability): readonly string[] {
  return tests
    .filter(({ criteria, assertions }) => criteria.length > 0 && assertions === 0)
    .map(({ id }) => `${id} asserts nothing`);
}
