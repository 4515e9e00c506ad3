/**
 * Where open criteria go: to a developer, to the plans with a person's approval where the design has a gap, or to a person
 * where the PRD is unclear, who clarifies a criterion, waives it, or lowers the threshold.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { PlannerReason } from '../briefs/planner-briefs.ts';
import { type DesignContext, moduleOf } from '../context.ts';
import { notePlan, planDocument, recordDelivery } from '../keep-delivery.ts';
import { type FailureClass, failureRoute } from '../rules/acceptance-verdict.ts';
import type { AcceptanceStanding } from './acceptance-round.ts';
import { approvePlans } from './approve-plans.ts';
import { planModule } from './plan-modules.ts';

/** How often a person may ask for other plans. */
const mostChanges = 5;

export interface OpenFailure {
  readonly criterion: string;
  readonly kind: FailureClass;
  readonly route: ReturnType<typeof failureRoute>;
  readonly modules: readonly string[];
  readonly text: string;
}

export async function classifyFailures(
  bench: Bench,
  key: string,
  { context, standing }: { readonly context: DesignContext; readonly standing: AcceptanceStanding },
): Promise<AcceptanceStanding> {
  const { judged } = standing;
  if (judged === undefined) return standing;
  const said = new Map(standing.failures.map((failure) => [failure.criterion, failure]));
  const failures = judged.verdict.failed.map((criterion): OpenFailure => {
    const known = said.get(criterion);
    const proof = judged.trace.criteria.find(({ id }) => id === criterion);
    const kind = known?.kind ?? 'implementation';
    return {
      criterion,
      kind,
      route: failureRoute(kind),
      modules: known === undefined || known.modules.length === 0 ? (proof?.modules ?? []) : known.modules,
      text: known?.text ?? proof?.reason ?? proof?.text ?? '',
    };
  });
  // A tester may see that a criterion cannot be tested as it is written, before any test of it fails.
  const unclear = standing.failures.filter(
    ({ kind, criterion }) => failureRoute(kind) !== 'developer' && !judged.verdict.failed.includes(criterion),
  );
  const all = [...failures, ...unclear.map((failure) => ({ ...failure, route: failureRoute(failure.kind) }))];
  const broken = judged.broken.map(
    (text): OpenFailure => ({
      criterion: 'delivery rules',
      kind: 'implementation',
      route: 'developer',
      modules: [],
      text,
    }),
  );
  const open = [
    ...judged.verdict.notCovered.map((id) => `${id}: no passing test proves it`),
    ...judged.verdict.failed.map((id) => `${id} fails`),
    ...judged.trace.orphan_tests.map((id) => `${id} names no criterion`),
  ];
  let next: AcceptanceStanding = { ...standing, failures: [...all, ...broken], open };
  const gaps = all.filter(({ route }) => route === 'replan');
  if (gaps.length > 0) next = await closeGaps(bench, `${key}/gaps`, { context, standing: next, gaps });
  for (const [at, failure] of all.filter(({ route }) => route === 'person').entries())
    next = await askAboutCriterion(bench, `${key}/prd/${at + 1}`, { context, standing: next, failure });
  return next;
}

/** The plans of the modules involved are extended, and a person approves them before anybody builds on. */
async function closeGaps(
  bench: Bench,
  key: string,
  {
    context,
    standing,
    gaps,
  }: { readonly context: DesignContext; readonly standing: AcceptanceStanding; readonly gaps: readonly OpenFailure[] },
): Promise<AcceptanceStanding> {
  const ids = [...new Set(gaps.flatMap(({ modules }) => modules))].filter((id) => context.plans.has(id));
  const plans = new Map(context.plans);
  const planAll = async (suffix: string, whyOf: (id: string) => PlannerReason): Promise<void> => {
    for (const id of ids) {
      const why = whyOf(id);
      const code = { commit: standing.commit, paths: () => context.plans.get(id)?.files ?? [] };
      const asked = { context: { ...context, plans }, why: () => why, code };
      const planned = await planModule(bench, `${key}/${id}${suffix}`, asked, moduleOf(context, id));
      if (planned.status === 'planned') plans.set(id, planned.plan);
    }
  };
  const leave = (reason: string): AcceptanceStanding => ({
    ...standing,
    guidance: `${standing.guidance}\nLeave the design as it is: ${reason}`.trim(),
  });
  await planAll('', (id) => ({
    kind: 'acceptance',
    failures: gaps.filter(({ modules }) => modules.includes(id)).map(({ criterion, text }) => `${criterion}: ${text}`),
  }));
  for (let round = 1; ; round += 1) {
    const suffix = round === 1 ? '' : `#${round}`;
    const approval = await approvePlans(bench, `${key}/approve${suffix}`, {
      context: { ...context, plans },
      revision: {
        trigger: `The design has a gap: ${gaps.map(({ criterion }) => criterion).join(', ')}`,
        before: context.plans,
        impact: ids.map((id) => `${id} will be changed`),
      },
      warnings: [],
    });
    if (approval.next === 'stop') return leave(approval.reason);
    if (approval.next !== 'changes') break;
    if (round === mostChanges) return leave(`no plans were agreed on in ${mostChanges} rounds`);
    await planAll(`${suffix}/changes`, () => ({ kind: 'changes', text: approval.text }));
  }
  for (const id of ids) await notePlan(bench, `${key}/${id}`, moduleOf(context, id), plans.get(id) as never);
  await recordDelivery(bench, context, `${key}/told`, {
    message: `docs(plan): re-plan from acceptance — ${gaps
      .map(({ criterion }) => criterion)
      .join(', ')
      .slice(0, 60)}`,
    event: () => ({
      title: `Plan revised: ${ids.join(', ')}`,
      context: 'acceptance',
      event: 'Plan revised',
      details: gaps.map(({ criterion, text }) => `${criterion}: ${text}`),
      outcome: 'A developer builds it.',
    }),
    files: ids.flatMap((id) => planDocument(moduleOf(context, id), plans.get(id), { kept: new Set() })),
  });
  const steps = ids.flatMap((id) => (plans.get(id)?.steps ?? []).map(({ title, goal }) => `${id}: ${title}. ${goal}`));
  return {
    ...standing,
    guidance: [standing.guidance, 'The plans were extended:', ...steps].filter((line) => line !== '').join('\n'),
  };
}

async function askAboutCriterion(
  bench: Bench,
  key: string,
  {
    context,
    standing,
    failure,
  }: { readonly context: DesignContext; readonly standing: AcceptanceStanding; readonly failure: OpenFailure },
): Promise<AcceptanceStanding> {
  if (standing.excused[failure.criterion] !== undefined) return standing;
  const answer = await bench.ask(key, {
    title: `${failure.criterion} is not clear. What does it mean?`,
    detail: failure.text,
    options: [
      { id: 'clarify', label: 'It means this (say it)' },
      { id: 'waive', label: 'Leave it out, and name an issue that tracks it' },
      { id: 'threshold', label: 'Accept fewer criteria (give the percentage)' },
      { id: 'open', label: 'Leave it open', recommended: true },
    ],
    freeText: true,
    topic: 'decision',
  });
  const text = answer.text ?? '';
  await recordDelivery(bench, context, `${key}/decided`, {
    event: () => ({
      title: `${failure.criterion}: a person decided`,
      context: 'acceptance',
      event: 'Human decision',
      details: [answer.option ?? '', text],
      outcome: 'The acceptance goes on.',
    }),
  });
  if (answer.option === 'waive') {
    const issue = /[\w.-]+\/[\w.-]+#\d+/.exec(text)?.[0];
    const excuse = { reason: text === '' ? 'waived by a person' : text, ...(issue === undefined ? {} : { issue }) };
    return { ...standing, excused: { ...standing.excused, [failure.criterion]: excuse } };
  }
  if (answer.option === 'threshold') {
    const threshold = Number.parseInt(text, 10);
    return Number.isInteger(threshold) && threshold >= 0 && threshold <= 100 ? { ...standing, threshold } : standing;
  }
  return answer.option === 'clarify' || text !== ''
    ? { ...standing, guidance: `${standing.guidance}\n${failure.criterion}: ${text}`.trim() }
    : standing;
}
