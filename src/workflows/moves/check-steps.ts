/** The engine's checks and measurements as steps that a person can read. Each is one effect under the same key. */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput, EffectOutput } from '../../engine/effect-map.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { CheckReport } from '../../policy/check-report.ts';
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
  const red = redGreen.filter((one) => one.result === 'red').length;
  const parts = [
    ...(redGreen.length === 0 ? [] : [`red before green: ${red} of ${redGreen.length}`]),
    ...(findings.length === 0 ? [] : [countText(findings.length, 'finding')]),
  ];
  return {
    status: 'done',
    detail: parts.join(', '),
    figures: { findings: findings.length },
    lines: findings.map(({ path, line, claim }) => `- ${path}:${line} ${claim}`),
    report: evidenceReport(measured),
  };
}
