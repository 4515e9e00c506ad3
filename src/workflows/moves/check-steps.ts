/** The engine's checks and measurements as steps that a person can read. Each is one effect under the same key. */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput, EffectOutput } from '../../engine/effect-map.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { WorkReport } from '../../policy/work-report.ts';
import { countText } from '../../views/figures.ts';
import { checksText } from '../../views/wording.ts';
import { evidenceReport } from './work-findings.ts';

export function runCheck(
  bench: Bench,
  key: string,
  input: EffectInput<'check.run'>,
  title = 'checks',
): Promise<CheckReport> {
  const end = (report: CheckReport): StepEndInput => ({ ...describeReport(report, input), links: [key] });
  return bench.step(key, { kind: 'check', title, end }, () => bench.perform('check.run', key, input));
}

export function measureEvidence(
  bench: Bench,
  key: string,
  input: EffectInput<'evidence.measure'>,
): Promise<EffectOutput<'evidence.measure'>> {
  const end = (measured: EffectOutput<'evidence.measure'>): StepEndInput => ({
    ...describeEvidence(measured),
    links: [key],
  });
  return bench.step(key, { kind: 'check', title: 'evidence', end }, () =>
    bench.perform('evidence.measure', key, input),
  );
}

const statuses = { passed: 'done', flaky: 'done', failed: 'failed', unverified: 'unverified' } as const;

function describeReport(report: CheckReport, { part }: Pick<EffectInput<'check.run'>, 'part'>): StepEndInput {
  if (part === 'added' && report.commands.length === 0)
    return { status: 'done', detail: "nothing beyond the project's own checks" };
  return { status: statuses[report.status], detail: checksText(report) };
}

function describeEvidence(measured: EffectOutput<'evidence.measure'>): StepEndInput {
  const { redGreen, findings } = measured;
  const report = evidenceReport(measured);
  const parts = [
    ...(redGreen.length === 0 ? [] : [`without the change: ${describeRedGreen(report.redGreen)}`]),
    ...(findings.length === 0 ? [] : [countText(findings.length, 'finding')]),
  ];
  return {
    status: 'done',
    detail: parts.join(', '),
    figures: { findings: findings.length },
    lines: findings.map(({ path, line, claim }) => `- ${path}:${line} ${claim}`),
    report,
  };
}

/** What the added and changed test files do on the code before. That they fail there is what shows that they test the change. */
function describeRedGreen(figures: WorkReport['redGreen']): string {
  const { red, absent, green, notMeasured } = figures ?? { red: 0, absent: 0, green: 0, notMeasured: 0 };
  const kinds = [
    [red, 'fails', 'fail'],
    [absent, 'does not load', 'do not load'],
    [green, 'passes', 'pass'],
    [notMeasured, 'was not measured', 'were not measured'],
  ] as const;
  return kinds
    .filter(([count]) => count > 0)
    .map(
      ([count, one, many], place) =>
        `${place === 0 ? countText(count, 'test file') : count} ${count === 1 ? one : many}`,
    )
    .join(', ');
}
