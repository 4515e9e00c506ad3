/**
 * The software against its PRD: end-to-end tests for every criterion and journey, a verdict computed from what they really
 * did, and fixes while less is open. Failures go where they belong: to a developer, to the plans, or to a person. Only what
 * passed is merged; with gaps left, a person decides whether to merge, go on, or stop.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { StepEndInput } from '../../../engine/facts.ts';
import { buildUntilPassed, type Passed } from '../../moves/build-until-passed.ts';
import type { ResumedRounds } from '../../moves/repeat-until-passed.ts';
import { type Verified, verify } from '../../moves/verify.ts';
import type { DesignContext } from '../context.ts';
import { thresholdOf } from '../design-input.ts';
import { readStanding, recordDelivery } from '../keep-delivery.ts';
import type { AcceptanceVerdict } from '../rules/acceptance-verdict.ts';
import { fixTitle } from '../rules/fix-title.ts';
import { advanceCoverage, coveredRequirements } from '../rules/coverage.ts';
import { type FixEscalation, fixLoop } from '../rules/module-loop.ts';
import {
  type AcceptancePlace,
  type AcceptanceStanding,
  type AcceptanceWorked,
  acceptanceTask,
  workOnAcceptance,
} from './acceptance-round.ts';
import { afterBreakdown } from './ask-after-breakdown.ts';
import { classifyFailures } from './classify-failures.ts';
import { type JudgedAcceptance, judgeAcceptance } from './judge-acceptance.ts';
import { recordDecided } from './record-module.ts';
import { landInTwo } from './test-phase.ts';

type Checked = { readonly verified: Verified; readonly judged: JudgedAcceptance };
type Over =
  | { readonly kind: 'merge'; readonly standing: AcceptanceStanding }
  | { readonly kind: 'abort'; readonly reason: string; readonly standing: AcceptanceStanding };

export interface AcceptanceEnd {
  readonly status: 'accepted' | 'refused';
  readonly reason: string;
  readonly judged: JudgedAcceptance | undefined;
  readonly remarks: readonly string[];
}

export function acceptDelivery(bench: Bench, context: DesignContext): Promise<AcceptanceEnd> {
  const start = { kind: 'integration', title: 'Acceptance', end: describe };
  return bench.step('acceptance', start, () => acceptWhole(bench, context, 1));
}

function describe({ status, reason, judged }: AcceptanceEnd): StepEndInput {
  if (judged === undefined) return { status: status === 'accepted' ? 'done' : 'failed', detail: reason };
  const { verdict, passed, total } = judged.verdict;
  const detail = `${verdict}, ${passed} of ${total} criteria${reason === '' ? '' : `: ${reason}`}`;
  return {
    status: status === 'accepted' ? 'done' : 'failed',
    detail,
    figures: { criteria: `${passed}/${total}` },
    report: { coverage: coveredRequirements(judged.trace) },
  };
}

async function acceptWhole(bench: Bench, planned: DesignContext, go: number): Promise<AcceptanceEnd> {
  const key = go === 1 ? 'accept' : `accept@${go}`;
  const { commit: base, judge } = await bench.perform('integration.read', `${key}/base`, {});
  const known = await readStanding(bench, `${key}/known`, planned);
  const context = { ...planned, ...known };
  const threshold = thresholdOf(context.input);
  const start: AcceptanceStanding = {
    commit: base,
    failures: [],
    open: [],
    output: '',
    isNewApproach: false,
    guidance: '',
    excused: {},
    threshold,
    judged: undefined,
  };
  let latest: JudgedAcceptance | undefined;
  let current = start;
  const fixed = new Set<string>();
  const mended = new Set<string>();
  const ended = await buildUntilPassed<AcceptanceStanding, AcceptanceWorked, Checked, Over, FixEscalation>(bench, {
    policy: fixLoop,
    task: acceptanceTask,
    checks: context.checks,
    scope: context.input.scope,
    base,
    judge,
    start,
    step: ({ round }) => ({ key: `${key}/round#${round}`, kind: 'round', title: `Round ${round}`, end: describeRound }),
    work: async (at) => {
      for (const { modules, criterion } of at.standing.failures) {
        mended.add(criterion);
        for (const id of modules) fixed.add(id);
      }
      const worked = await workOnAcceptance(bench, { key, context }, at);
      if (worked.status === 'worked') current = worked.standing;
      return worked;
    },
    check: async (asked, at) => {
      const verified = await verify(bench, `${key}/verify#${at.round}`, asked);
      const judged = await judgeAcceptance(bench, `${key}/judge#${at.round}`, {
        context,
        standing: known.standing,
        commit: asked.commit,
        verified,
        excused: current.excused,
        threshold: current.threshold,
      });
      latest = { ...judged, fixed: [...fixed], mended: [...mended] };
      return { verified, judged };
    },
    review: async ({ worked, checked: { verified, judged }, at }) => {
      const standing = { ...worked.standing, judged };
      await tellResult(bench, context, `${key}/round#${at.round}`, judged);
      if (verified.status === 'passed' && judged.verdict.verdict === 'PASS') return { status: 'passed' };
      if (verified.status === 'rejected')
        return { status: 'over', result: { kind: 'abort', reason: verified.reason, standing } };
      const output = verified.report.commands
        .filter(({ status }) => status === 'failed')
        .map((each) => `$ ${each.label}\n${each.output}`)
        .join('\n\n');
      const routed = await classifyFailures(bench, `${key}/classify#${at.round}`, {
        context,
        standing: { ...standing, output },
      });
      const { verdict } = judged;
      return {
        status: 'red',
        standing: routed,
        reason: verdict.reasons[0] ?? 'something is open',
        remaining: judged.open + (verified.status === 'red' ? verified.findings.length : 0),
      };
    },
    escalate: async ({ to, standing, round, reason }) =>
      to === 'new-approach'
        ? { status: 'again', standing: { ...standing, isNewApproach: true } }
        : decide(bench, `${key}/decide#${round}`, { context, standing, reason }),
  });
  switch (ended.status) {
    case 'passed':
      return land(bench, { context, passed: ended.result.passed, judged: latest, remarks: [] });
    case 'over':
      if (ended.result.kind === 'merge')
        return mergePartly(bench, { key, context, base, judge, standing: ended.result.standing });
      return { status: 'refused', reason: ended.result.reason, judged: ended.result.standing.judged, remarks: [] };
    case 'stalled': {
      const answer =
        ended.stalledAt === 'infrastructure'
          ? await afterBreakdown(bench, { context, key: `${key}/broken`, id: 'acceptance', reason: ended.reason })
          : 'abort';
      if (answer === 'retry' && go < 5) return acceptWhole(bench, planned, go + 1);
      return { status: 'refused', reason: ended.reason, judged: ended.standing.judged, remarks: [] };
    }
  }
}

function describeRound(end: { readonly status: string; readonly reason?: string }): StepEndInput {
  return end.status === 'passed'
    ? { status: 'done', detail: 'every criterion is proven' }
    : { status: 'failed', detail: (end.reason ?? '').split('\n', 1)[0] ?? '' };
}

async function tellResult(
  bench: Bench,
  context: DesignContext,
  key: string,
  { verdict, trace }: JudgedAcceptance,
): Promise<void> {
  await recordDelivery(bench, context, `${key}/result`, {
    event: ({ coverage }) => ({
      title: `Acceptance: ${verdict.verdict} (${verdict.rate} %)`,
      context: 'acceptance',
      event: 'Acceptance test result',
      details: [
        `${verdict.passed} of ${verdict.total} criteria pass`,
        `${verdict.failed.length} fail`,
        ...verdict.reasons.slice(0, 10),
      ],
      outcome: verdict.verdict === 'PASS' ? 'The software is accepted.' : 'What is still open is fixed next.',
      acceptance: { verdict: `${verdict.verdict} (${verdict.rate}%)`, features: featureRows(context, trace) },
      coverage: advanceCoverage(coverage, trace),
    }),
  });
}

function featureRows({ design }: DesignContext, trace: JudgedAcceptance['trace']) {
  return (design.prd?.features ?? []).map(({ id, criteria }) => {
    const own = trace.criteria.filter((each) => each.id.startsWith(`${id}/`));
    const count = (status: string): number => own.filter((each) => each.status === status).length;
    return {
      feature: id,
      total: criteria.length,
      passed: count('PASS'),
      failed: count('FAIL'),
      notCovered: count('NOT_COVERED'),
    };
  });
}

/** Nothing gets better: with enough proven a person may take it as it is, go on with guidance, or stop. */
async function decide(
  bench: Bench,
  key: string,
  about: { readonly context: DesignContext; readonly standing: AcceptanceStanding; readonly reason: string },
): Promise<ResumedRounds<AcceptanceStanding, Over>> {
  const { context, standing, reason } = about;
  const verdict: AcceptanceVerdict | undefined = standing.judged?.verdict;
  const canMerge = verdict?.verdict === 'PARTIAL';
  const answer = await bench.ask(key, {
    title: canMerge
      ? 'Some criteria are not proven. Merge it as it is?'
      : 'The acceptance fails. What should happen next?',
    detail: [...(verdict?.reasons ?? [reason])].join('\n'),
    options: [
      ...(canMerge ? [{ id: 'merge', label: 'Merge it with these gaps' }] : []),
      { id: 'continue', label: 'Continue fixing (say what matters)' },
      { id: 'abort', label: 'Stop, and go back to the design', recommended: true },
    ],
    freeText: true,
    topic: 'decision',
  });
  await recordDecided(bench, context, {
    key,
    id: 'acceptance',
    choice: [answer.option ?? '', answer.text ?? ''].filter((part) => part !== '').join(': '),
    outcome: answer.option === 'abort' ? 'The run ends without a delivery.' : 'The delivery continues.',
  });
  if (answer.option === 'merge') return { status: 'over', result: { kind: 'merge', standing } };
  if (answer.option === 'abort')
    return { status: 'over', result: { kind: 'abort', reason: `the acceptance was given up: ${reason}`, standing } };
  return { status: 'again', isFresh: true, standing: { ...standing, guidance: answer.text ?? '' } };
}

async function land(
  bench: Bench,
  about: {
    readonly context: DesignContext;
    readonly passed: Passed;
    readonly judged: JudgedAcceptance | undefined;
    readonly remarks: readonly string[];
  },
): Promise<AcceptanceEnd> {
  const { context, passed, judged, remarks } = about;
  const { e2eTests } = context.conventions.commands;
  const wrong = await landInTwo(bench, {
    go: 1,
    task: acceptanceTask,
    context,
    passed,
    tests: [`${e2eTests}/**`],
    titles: { fix: fixTitle(fixedModule(context, judged), mendedCriteria(bench, judged)), test: acceptanceTask.title },
  });
  await bench.perform('workspace.drop', 'accept/drop', { workspace: 'accept', captured: passed.commit });
  if (wrong !== undefined) return { status: 'refused', reason: wrong, judged, remarks };
  return { status: 'accepted', reason: '', judged, remarks };
}

/** What passes is merged. Test files with failures stay out of the branch, in a commit that the report names. */
async function mergePartly(
  bench: Bench,
  about: AcceptancePlace & { readonly base: string; readonly judge: string; readonly standing: AcceptanceStanding },
): Promise<AcceptanceEnd> {
  const { key, context, base, judge, standing } = about;
  const { judged } = standing;
  const failing = [
    ...new Set((judged?.trace.tests ?? []).filter(({ status }) => status === 'FAIL').map(({ file }) => file)),
  ];
  const kept =
    failing.length === 0
      ? { commit: standing.commit }
      : await bench.perform('changes.confine', `${key}/partial`, {
          from: base,
          commit: standing.commit,
          forbids: failing,
        });
  const asked = {
    task: acceptanceTask,
    checks: context.checks,
    scope: context.input.scope,
    base,
    commit: kept.commit,
    basis: { judge, accepted: [] },
    last: true,
  };
  const verified = await verify(bench, `${key}/partial/verify`, asked);
  if (verified.status !== 'passed') return { status: 'refused', reason: verified.reason, judged, remarks: [] };
  const { report, redGreen, findings, basis } = verified;
  const passed: Passed = {
    status: 'passed',
    commit: kept.commit,
    base,
    report,
    redGreen,
    findings,
    leftBehind: [],
    accepted: basis.accepted,
  };
  const remarks = [
    'a person merged it with these gaps',
    ...(failing.length === 0
      ? []
      : [`failing tests are not on the branch but in commit ${standing.commit}: ${failing.join(', ')}`]),
  ];
  return land(bench, { context, passed, judged, remarks });
}

/** From this version of the workflow on, the commit names what it fixes. Runs that were begun before do what they did. */
const firstNamed = 2;

function mendedCriteria(bench: Bench, judged: JudgedAcceptance | undefined): readonly { id: string; text: string }[] {
  if (bench.run.workflowVersion < firstNamed) return [];
  const criteria = judged?.trace.criteria ?? [];
  return (judged?.mended ?? []).map((id) => ({ id, text: criteria.find((each) => each.id === id)?.text ?? '' }));
}

/** The one module that fixes were about, if it was one. */
function fixedModule({ modules }: DesignContext, judged: JudgedAcceptance | undefined): string {
  const named = (judged?.fixed ?? []).filter((id) => modules.some((module) => module.id === id));
  return named.length === 1 ? (named[0] ?? 'e2e') : 'e2e';
}
