/**
 * The unit `plan-slice`, with the gates around it: a look at the risks before a slice of high risk is planned, the check
 * of the plan in ten dimensions, and a look whether the names it builds on exist. A plan that came with `.gsd` is used as
 * it is. In blocking mode a plan that fails its check goes back while failures fall; then work on the slice stops.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { planSchema } from '../../plan/plan.ts';
import { validatePlan } from '../../plan/validate-plan.ts';
import type { SymbolResult } from '../../policy/promises.ts';
import { countText } from '../../views/figures.ts';
import { askReader } from './ask-unit.ts';
import { briefFor, briefRules, droppedPart, memoryPart, milestoneParts } from './briefs.ts';
import { checkPlan, type PlanChecked } from './check-plan.ts';
import { riskText, slicePlanText, symbolCheckText, taskPlanText } from './documents/plan-texts.ts';
import { leaveDocument } from './leave-document.ts';
import { decidedFragments, type MilestoneContext } from './milestone-context.ts';
import type { OpenedSlice } from './open-milestone.ts';
import { toTask } from './planned-task.ts';
import type { PlannedTask, SlicePlanResult } from './role-results.ts';

export type PlannedSlice =
  | {
      readonly status: 'planned';
      readonly goal: string;
      readonly tasks: readonly PlannedTask[];
      readonly text: string;
      /** Somebody looked for its risks. */
      readonly hasRisks: boolean;
    }
  | { readonly status: 'stopped'; readonly reason: string };

export async function planSlice(bench: Bench, context: MilestoneContext, slice: OpenedSlice): Promise<PlannedSlice> {
  const isUnknown = slice.risk === 'high' && slice.risks === '';
  const risks = isUnknown ? await riskRadar(bench, context, slice) : slice.risks;
  const start = { kind: 'unit', title: 'plan-slice', end: describePlanned };
  const planned = await bench.step<Settled>(`${slice.id}/plan`, start, async () => {
    const drafted = await draft(bench, context, { slice, risks, round: 1, revision: '' });
    if (drafted.status === 'stopped') return drafted;
    const revise = (round: number, revision: string) => draft(bench, context, { slice, risks, round, revision });
    return settle(await checkPlan(bench, { context, slice, plan: drafted.plan, revise }));
  });
  if (planned.status === 'stopped') {
    // For a person to change.
    if (planned.plan !== undefined) await leavePlan(bench, context, { slice, plan: planned.plan });
    return { status: 'stopped', reason: planned.reason };
  }
  const { goal, tasks, learned, decisions } = planned.plan;
  const text = await leavePlan(bench, context, { slice, plan: planned.plan });
  context.memory.hear({
    unit: `${slice.id}/plan`,
    learned: [...learned, ...decidedFragments(decisions)],
    told: [],
    owed: [],
  });
  await checkSymbols(bench, context, { slice: slice.id, tasks });
  return { status: 'planned', goal, tasks, text, hasRisks: risks !== '' };
}

async function leavePlan(
  bench: Bench,
  context: MilestoneContext,
  { slice, plan: { goal, tasks } }: { readonly slice: OpenedSlice; readonly plan: SlicePlanResult },
): Promise<string> {
  const text = slicePlanText({ id: slice.id, title: slice.title, goal, demo: slice.demo, tasks });
  await leaveDocument(bench, `${slice.id}/plan/document`, {
    path: context.paths.slice(slice.id, 'PLAN.md'),
    content: text,
  });
  for (const task of tasks) {
    await leaveDocument(bench, `${slice.id}/plan/document ${task.id}`, {
      path: context.paths.task(slice.id, task.id, 'PLAN.md'),
      content: taskPlanText(context.id, slice.id, task, 'planned'),
    });
  }
  return text;
}

type Settled =
  | { readonly status: 'planned'; readonly plan: SlicePlanResult }
  | { readonly status: 'stopped'; readonly reason: string; readonly plan?: SlicePlanResult };

function settle(checked: PlanChecked): Settled {
  return checked.status === 'go' ? { status: 'planned', plan: checked.plan } : checked;
}

function describePlanned(planned: Settled): StepEndInput {
  if (planned.status === 'stopped') return { status: 'blocked', detail: planned.reason };
  const { tasks, decisions } = planned.plan;
  return { status: 'done', detail: countText(tasks.length, 'task'), data: { decisions } };
}

/** Before a slice of high risk is planned, once. */
async function riskRadar(bench: Bench, context: MilestoneContext, slice: OpenedSlice): Promise<string> {
  const key = `${slice.id}/risk`;
  const read = await askReader(bench, key, {
    input: context.input,
    role: 'risk-scout',
    title: 'risk radar',
    brief: briefFor(context, {
      rules: briefRules.riskRadar,
      parts: [...milestoneParts(context), slicePart(slice)],
      task: `Name the risks of ${slice.id}.`,
    }),
  });
  if (read.status === 'missing') return '';
  const content = riskText(slice.id, read.result);
  await leaveDocument(bench, `${key}/document`, { path: context.paths.slice(slice.id, 'RISK.md'), content });
  return content;
}

export type DraftedSlice =
  | { readonly status: 'drafted'; readonly plan: SlicePlanResult }
  | { readonly status: 'stopped'; readonly reason: string };

/** A plan that the scheduler and the checks can use; what is wrong with one goes back twice. */
async function draft(
  bench: Bench,
  context: MilestoneContext,
  about: { readonly slice: OpenedSlice; readonly risks: string; readonly round: number; readonly revision: string },
): Promise<DraftedSlice> {
  const { slice, risks, round, revision } = about;
  let problems = '';
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const key = `${slice.id}/plan#${round}${attempt === 1 ? '' : `.${attempt}`}`;
    const read = await askReader(bench, key, {
      input: context.input,
      role: 'slice-planner',
      risk: slice.risk,
      title: round === 1 ? 'planner' : `planner, revision ${round}`,
      brief: briefFor(context, {
        rules: briefRules.planSlice,
        parts: [
          ...milestoneParts(context),
          slicePart(slice),
          { title: 'Risks', text: risks },
          memoryPart(context.memory.about(`${slice.title} ${slice.demo}`)),
          droppedPart(slice.depends.flatMap((one) => context.memory.owedIn(one))),
          { title: `Revision request (round ${round})`, text: revision },
          { title: 'What is wrong with your last plan', text: problems },
        ],
        task: `Plan ${slice.id}: ${slice.title}.`,
      }),
    });
    if (read.status === 'missing') return { status: 'stopped', reason: `there is no plan: ${read.why}` };
    problems = problemsOf(slice.id, read.result);
    if (problems === '') return { status: 'drafted', plan: read.result };
  }
  return { status: 'stopped', reason: `no plan could be used: ${problems}` };
}

function problemsOf(slice: string, { goal, tasks }: SlicePlanResult): string {
  const known = tasks.map((planned) => {
    const { id, depends, verify } = planned;
    const task = { ...toTask(slice, planned), id, depends };
    // The project's own checks run on every task, so one without commands of its own is checked all the same.
    return verify.length === 0 ? { ...task, kind: 'docs' as const } : task;
  });
  const validation = validatePlan(planSchema.parse({ objective: goal, tasks: known }));
  if (validation.status === 'valid') return '';
  return validation.issues.map(({ where, problem, fix }) => `${where}: ${problem} ${fix}`).join('\n');
}

/** Whether the names that the plan builds on exist. It never stops anything; what is missing is written down. */
export async function checkSymbols(
  bench: Bench,
  context: MilestoneContext,
  { slice, tasks }: { readonly slice: string; readonly tasks: readonly PlannedTask[] },
): Promise<void> {
  if (context.input.options.symbols === 'disabled') return;
  const names = [...new Set(tasks.flatMap(({ symbols }) => symbols))];
  if (names.length === 0) return;
  const key = `${slice}/symbols`;
  const created = tasks.flatMap(({ mustHaves, expectedOutput }) => [
    ...mustHaves.artifacts.map(({ path }) => path),
    ...expectedOutput,
  ]);
  const start = { kind: 'gate', title: 'symbol check', end: describeSymbols };
  const symbols = await bench.step(key, start, async () => {
    const { commit } = await bench.perform('integration.read', `${key}/base`, {});
    return (await bench.perform('symbols.check', key, { commit, names, created })).symbols;
  });
  const byTask = tasks.flatMap(({ id, symbols: own }) =>
    own.flatMap((name) => symbols.filter((one) => one.name === name).map((one) => ({ task: id, ...one }))),
  );
  const content = symbolCheckText(slice, byTask);
  await leaveDocument(bench, `${key}/document`, { path: context.paths.slice(slice, 'SYMBOL-CHECK.md'), content });
}

function describeSymbols(symbols: readonly SymbolResult[]): StepEndInput {
  const bad = symbols.filter(({ state }) => state === 'missing' || state === 'ambiguous');
  const figure = (state: SymbolResult['state']): number => symbols.filter((one) => one.state === state).length;
  return {
    status: 'done',
    detail: `${figure('verified')} verified, ${figure('missing')} missing, ${figure('ambiguous')} ambiguous`,
    lines: bad.map(({ name, state, detail }) => `- ${name}: ${state}. ${detail}`),
    figures: {
      verified: figure('verified'),
      missing: figure('missing'),
      ambiguous: figure('ambiguous'),
      unchecked: figure('uncheckable'),
      greenfield: figure('greenfield'),
    },
  };
}

function slicePart({ id, title, risk, demo, context, research, continued }: OpenedSlice) {
  const text = [title, `Risk: ${risk}`, demo === '' ? '' : `After this: ${demo}`, context, research, continued]
    .filter((one) => one !== '')
    .join('\n');
  return { title: `Slice ${id}`, text };
}
