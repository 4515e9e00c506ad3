/**
 * Where open criteria go: to a developer, to the plans with a person's approval where the design has a gap, or to a person
 * where the PRD is unclear, who clarifies a criterion, waives it, or lowers the threshold.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { Answer } from '../../../engine/facts.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import { issueIn } from '../../../design/design-ids.ts';
import type { PlannerReason } from '../briefs/planner-briefs.ts';
import { type DesignContext, moduleOf } from '../context.ts';
import { notePlan, planDocument, recordDelivery } from '../keep-delivery.ts';
import { type FailureClass, failureRoute } from '../rules/acceptance-verdict.ts';
import type { AcceptanceStanding } from './acceptance-round.ts';
import { agreeOnPlans } from './agree-on-plans.ts';
import { planModule } from './plan-modules.ts';

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
  const ids = [...new Set(gaps.flatMap((gap) => responsibleFor(context, gap)))].filter((id) => context.plans.has(id));
  const planOne = async (id: string, suffix: string, why: PlannerReason, known: DesignContext) => {
    const code = { commit: standing.commit, paths: () => context.plans.get(id)?.files ?? [] };
    const asked = { context: known, why: () => why, code };
    const planned = await planModule(bench, `${key}/${id}${suffix}`, asked, moduleOf(context, id));
    return planned.status === 'planned' ? planned.plan : undefined;
  };
  const leave = (reason: string): AcceptanceStanding => ({
    ...standing,
    guidance: `${standing.guidance}\nLeave the design as it is: ${reason}`.trim(),
  });
  const revised = new Map<string, ModulePlan>();
  for (const id of ids) {
    const own = gaps.filter((gap) => responsibleFor(context, gap).includes(id));
    const failures = own.map(({ criterion, text }) => `${criterion}: ${text}`);
    const known = { ...context, plans: new Map([...context.plans, ...revised]) };
    const plan = await planOne(id, '', { kind: 'acceptance', failures }, known);
    if (plan !== undefined) revised.set(id, plan);
  }
  const named = gaps.map(({ criterion }) => criterion).join(', ');
  if (revised.size === 0) return leave(`no plan closes the gap of ${named}`);
  const agreed = await agreeOnPlans(bench, key, {
    context,
    revised,
    trigger: `The design has a gap: ${named}`,
    impact: [...revised.keys()].map((id) => `${id} will be changed`),
    planAgain: ({ id, suffix, why }, known) => planOne(id, suffix, why, known),
  });
  if (agreed.status === 'stopped') return leave(agreed.reason);
  const { plans } = agreed;
  for (const [id, plan] of plans) await notePlan(bench, `${key}/${id}`, moduleOf(context, id), plan);
  await recordDelivery(bench, context, `${key}/told`, {
    message: `docs(plan): re-plan from acceptance — ${named.slice(0, 60)}`,
    event: () => ({
      title: `Plan revised: ${[...plans.keys()].join(', ')}`,
      context: 'acceptance',
      event: 'Plan revised',
      details: gaps.map(({ criterion, text }) => `${criterion}: ${text}`),
      outcome: 'A developer builds it.',
    }),
    files: [...plans].flatMap(([id, plan]) => planDocument(moduleOf(context, id), plan, { kept: new Set() })),
  });
  const steps = [...plans].flatMap(([id, plan]) => plan.steps.map(({ title, goal }) => `${id}: ${title}. ${goal}`));
  return {
    ...standing,
    guidance: [standing.guidance, 'The plans were extended:', ...steps].filter((line) => line !== '').join('\n'),
  };
}

/** Where nobody is named, everybody who works on the feature. */
function responsibleFor({ modules }: DesignContext, { criterion, modules: named }: OpenFailure): readonly string[] {
  if (named.length > 0) return named;
  const feature = criterion.split('/', 1)[0] ?? '';
  return modules.filter(({ features }) => features.includes(feature)).map(({ id }) => id);
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
  const answer = await askUntilUsable(bench, key, failure);
  const text = answer.text ?? '';
  await recordDelivery(bench, context, `${key}/decided`, {
    event: () => ({
      title: `${failure.criterion}: a person decided`,
      context: 'acceptance',
      event: 'Human decision',
      details: [answer.option ?? '', text],
      outcome: 'The acceptance continues.',
    }),
  });
  if (answer.option === 'waive') {
    const excuse = { reason: text, issue: issueIn(text) ?? '' };
    return { ...standing, excused: { ...standing.excused, [failure.criterion]: excuse } };
  }
  if (answer.option === 'threshold') {
    return { ...standing, threshold: Number.parseInt(text, 10) };
  }
  return answer.option === 'clarify' || text !== ''
    ? { ...standing, guidance: `${standing.guidance}\n${failure.criterion}: ${text}`.trim() }
    : standing;
}

const mostAsks = 3;

/** An answer that lacks what its option needs is asked for again; whoever never gives it leaves the criterion open. */
async function askUntilUsable(
  bench: Bench,
  key: string,
  { criterion, text }: OpenFailure,
): Promise<Pick<Answer, 'option' | 'text'>> {
  let missing = '';
  for (let round = 1; round <= mostAsks; round += 1) {
    const answer = await bench.ask(round === 1 ? key : `${key}#${round}`, {
      title: `${criterion} is not clear. What does it mean?`,
      detail: [missing, text].filter((line) => line !== '').join('\n'),
      options: [
        { id: 'clarify', label: 'It means this (say what)' },
        { id: 'waive', label: 'Leave it out (name the issue that tracks it, such as owner/repo#123)' },
        { id: 'threshold', label: 'Accept fewer criteria (give the percentage)' },
        { id: 'open', label: 'Leave it open', recommended: true },
      ],
      freeText: true,
      topic: 'decision',
    });
    missing = missingIn(answer);
    if (missing === '') return answer;
  }
  return { option: 'open' };
}

function missingIn({ option, text = '' }: Pick<Answer, 'option' | 'text'>): string {
  if (option === 'waive' && issueIn(text) === undefined) return 'Name the issue as owner/repo#123.';
  if (option === 'threshold' && !/^\s*(?:100|\d{1,2})\s*%?\s*$/.test(text)) return 'Give a percentage from 0 to 100.';
  return option === 'clarify' && text.trim() === '' ? 'Say what the criterion means.' : '';
}
