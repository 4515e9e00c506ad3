/**
 * Which criteria have a passing test on a commit, from the engine's own checks of that commit and from where the tests stand.
 * Results are remembered by tree, so a commit that was just checked costs nothing.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { Task } from '../../../plan/plan.ts';
import type { CheckReport } from '../../../policy/check-report.ts';
import { checkInput } from '../../moves/verify.ts';
import type { DesignContext } from '../context.ts';
import type { DeliveryStanding } from '../plan/delivery-state.ts';
import { advanceCoverage, type Coverage } from '../rules/coverage.ts';
import { type ModuleTrace, type Traceability, traceRequirements } from '../rules/traceability.ts';

export interface MeasuredCoverage {
  readonly report: CheckReport;
  readonly trace: (standing: DeliveryStanding, excused?: Excuses) => Traceability;
  readonly advance: (standing: DeliveryStanding) => Coverage;
}

export type Excuses = Readonly<Record<string, { readonly reason: string; readonly issue?: string }>>;

export async function measureCoverage(
  bench: Bench,
  key: string,
  about: { readonly context: DesignContext; readonly task: Task; readonly commit: string; readonly judge: string },
): Promise<MeasuredCoverage> {
  const { context, task, commit, judge } = about;
  const report = await bench.perform(
    'check.run',
    `${key}/proof/check`,
    checkInput(task, context.checks, { commit, judge }),
  );
  const { e2eTests } = context.conventions.commands;
  const { tests } = await bench.perform('tests.trace', `${key}/proof/tests`, { commit, all: [`${e2eTests}/**`] });
  const prd = context.design.prd ?? { features: [], journeys: [] };
  const trace = (standing: DeliveryStanding, excused: Excuses = {}): Traceability =>
    traceRequirements({
      prd,
      tests,
      report,
      modules: moduleTraces(context, standing),
      excused,
      isAcceptanceTest: (file) => file.startsWith(`${e2eTests}/`),
    });
  return { report, trace, advance: (standing) => advanceCoverage(standing.coverage, trace(standing)) };
}

export function moduleTraces({ modules, plans }: DesignContext, standing: DeliveryStanding): readonly ModuleTrace[] {
  return modules.map(({ id }) => {
    const plan = plans.get(id);
    return {
      id,
      commits: standing.modules.get(id)?.commits ?? [],
      criteria: [...new Set((plan?.criteria ?? []).map(({ criterion }) => canonical(criterion)))],
      files: plan?.files ?? [],
    };
  });
}

function canonical(criterion: string): string {
  const [, feature = '', number = ''] = /F[-_]?(\d{3,})\s?[/_ -]\s?AC\s?[-_#]?\s?(\d{1,4})/i.exec(criterion) ?? [];
  return feature === '' ? criterion : `F-${feature}/AC${Number(number)}`;
}
