/** The verdict about a commit: what its tests prove, whether its checks pass, and which rules of delivery it breaks. */

import { checkAcceptance } from '../../../delivery/check-acceptance.ts';
import { checkTraceability } from '../../../delivery/check-traceability.ts';
import { blocksGate } from '../../../delivery/plan-issue.ts';
import type { Bench } from '../../../engine/bench.ts';
import type { CheckReport } from '../../../policy/check-report.ts';
import type { Verified } from '../../moves/verify.ts';
import type { DesignContext } from '../context.ts';
import { renderAcceptance, traceabilityJson } from '../plan/acceptance-report.ts';
import type { DeliveryStanding } from '../plan/delivery-state.ts';
import { type AcceptanceVerdict, acceptanceVerdict, openPoints } from '../rules/acceptance-verdict.ts';
import { type Traceability, traceRequirements } from '../rules/traceability.ts';
import { type Excuses, moduleTraces } from './measure-coverage.ts';
import { issueText } from './review-module.ts';

export interface JudgedAcceptance {
  readonly verdict: AcceptanceVerdict;
  readonly trace: Traceability;
  readonly report: CheckReport;
  readonly commit: string;
  /** Findings that block, one line each. */
  readonly broken: readonly string[];
  readonly open: number;
  /** Modules that were fixed on the way. */
  readonly fixed?: readonly string[];
  /** Criteria and journeys that were fixed on the way. */
  readonly mended?: readonly string[];
}

export interface JudgeRequest {
  readonly context: DesignContext;
  readonly standing: DeliveryStanding;
  readonly commit: string;
  readonly verified: Verified;
  readonly excused: Excuses;
  readonly threshold: number;
}

export async function judgeAcceptance(bench: Bench, key: string, request: JudgeRequest): Promise<JudgedAcceptance> {
  const { context, standing, commit, verified, excused, threshold } = request;
  const { input, design, conventions } = context;
  const { e2eTests } = conventions.commands;
  const { report } = verified;
  const { tests } = await bench.perform('tests.trace', `${key}/tests`, { commit, all: [`${e2eTests}/**`] });
  const { issues } = await bench.perform('delivery.check', `${key}/rules`, {
    commit,
    since: bench.run.base,
    planDir: input.plan.dir,
    gate: 'execute',
  });
  const prd = design.prd ?? { features: [], journeys: [] };
  const trace = traceRequirements({
    prd,
    tests,
    report,
    modules: moduleTraces(context, standing),
    excused,
    isAcceptanceTest: (file) => file.startsWith(`${e2eTests}/`),
  });
  const priorities = Object.fromEntries(prd.features.map(({ id, priority }) => [id, priority]));
  const isGreen = verified.status === 'passed';
  const inSource = issues
    .filter(({ scope, severity }) => scope === 'source' && (severity === 'error' || severity === 'critical'))
    .map(issueText);
  const first = acceptanceVerdict({ trace, priorities, threshold, isGreen, blocking: inSource.length });
  const broken = [...inSource, ...structural(request, trace, first)];
  const verdict = acceptanceVerdict({ trace, priorities, threshold, isGreen, blocking: broken.length });
  return { verdict, trace, report, commit, broken, open: openPoints(verdict, trace, broken.length) };
}

/** The same checks that `forge check-plan` runs on the report, before anybody calls it a pass. */
function structural(
  { context, commit, verified, threshold }: JudgeRequest,
  trace: Traceability,
  verdict: AcceptanceVerdict,
): readonly string[] {
  const { prd } = context.design;
  if (prd === undefined) return [];
  // What fails or is not covered is counted already; here it is about the report itself and journeys without an unhappy path.
  const text = renderAcceptance({
    prd,
    designDir: context.input.design.dir,
    commit,
    trace,
    verdict,
    threshold,
    report: verified.report,
    e2eFolder: context.conventions.commands.e2eTests,
    remarks: [],
  });
  const counted: ReadonlySet<string> = new Set(['CR-AF08', 'CR-AF09', 'CR-AF10', 'CR-AF23', 'CR-AF07']);
  return [
    ...checkAcceptance('reports/acceptance.md', text),
    ...checkTraceability('reports/traceability.json', traceabilityJson(trace)),
  ]
    .filter((issue) => blocksGate(issue) && !counted.has(issue.rule))
    .map(issueText);
}
