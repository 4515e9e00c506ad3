/**
 * One slice from its plan to its summary: planned just in time, its tasks built side by side where they may be, reviewed,
 * what was conceded fixed, and closed. A slice whose tasks are not all done stays open, with what is left named.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../engine/facts.ts';
import { unsealDocument } from '../../gsd/sealed-document.ts';
import { isSliceResearchDue } from '../../gsd/next-unit.ts';
import { verifyOf } from '../../plan/verify-entries.ts';
import { countText, shortCommit } from '../../views/figures.ts';
import { forecastTasks } from '../moves/forecast-tasks.ts';
import { addPlanned } from '../moves/ready-checks.ts';
import { askReader } from './ask-unit.ts';
import { briefFor, briefRules, memoryPart, milestoneParts } from './briefs.ts';
import { checkGivenPlan, hasBegun } from './check-plan.ts';
import { decideOpenItems } from './decide-items.ts';
import { decisionLine, tickBoxes } from './documents/plan-texts.ts';
import { reviewText, sliceSummaryText, verificationText, withSection } from './documents/result-texts.ts';
import { executeTasks } from './execute-tasks.ts';
import { fixItems } from './fix-items.ts';
import { leaveDocument } from './leave-document.ts';
import type { MilestoneContext } from './milestone-context.ts';
import type { OpenedSlice } from './open-milestone.ts';
import { describeText } from './open-units.ts';
import { checkSymbols, planSlice } from './plan-slice.ts';
import { scheduledTask, toTask } from './planned-task.ts';
import type { PlannedTask } from './role-results.ts';
import type { SliceData } from './slice-data.ts';
import { reviewSlice, type SliceReview } from './slice-review.ts';
import { readTaskData } from './task-data.ts';

export async function runSlice(bench: Bench, before: MilestoneContext, slice: OpenedSlice): Promise<TaskOutcome> {
  const context = before.input.rereads ? { ...before, context: await agreedByNow(bench, before, slice) } : before;
  const { commit: from } = await bench.perform('integration.read', `${slice.id}/base`, {});
  const planned = await plannedSlice(bench, context, slice);
  if (planned.status === 'stopped') return blocked(slice, planned.reason);
  await researchSlice(bench, context, { slice, hasRisks: planned.hasRisks });
  // What the slice's commands say about the base counts against nobody.
  await addPlanned(bench, context.own, verifyOf(planned.tasks), slice.id);
  await bench.perform('forecast.make', `${slice.id}/forecast`, {
    ...forecastTasks(planned.tasks.map(scheduledTask)),
    perTask: [{ role: 'executor', often: [1, 1, 1 + context.input.options.repairs] }],
    whole: [{ role: 'challenger' }, { role: 'advocate' }, { role: 'scribe' }],
    parallel: Math.min(3, context.input.parallel),
  });
  const outcomes = await executeTasks(bench, context, { slice, tasks: planned.tasks });
  const open = outcomes.filter(({ status }) => status !== 'done');
  await leaveProgress(bench, context, { slice, outcomes, plan: planned.text });
  if (open.length > 0) {
    const reason = open.map(({ task, reason: why }) => `${task}: ${why}`).join('; ');
    return { task: slice.id, status: open.some(({ status }) => status === 'failed') ? 'failed' : 'blocked', reason };
  }
  const isReviewed = slice.review !== undefined && slice.review.problem === '';
  const review = isReviewed ? slice.review : await disputeAndFix(bench, context, { slice, from });
  return closeSlice(bench, context, { slice, outcomes, review, goal: planned.goal });
}

/** A person may write down more agreements while the run works: the next slice keeps to them. */
async function agreedByNow(bench: Bench, { paths, context }: MilestoneContext, { id }: OpenedSlice): Promise<string> {
  const { files } = await bench.perform('gsd.read', `${id}/agreed`, { only: [paths.milestone('CONTEXT.md')] });
  const text = unsealDocument(files[0]?.text ?? '');
  return text === '' ? context : text;
}

function blocked({ id }: OpenedSlice, reason: string): TaskOutcome {
  return { task: id, status: 'blocked', reason };
}

interface SlicePlan {
  readonly status: 'planned';
  readonly goal: string;
  readonly tasks: readonly PlannedTask[];
  readonly text: string;
  /** Somebody looked for its risks, which is research. */
  readonly hasRisks: boolean;
}

/** A plan that is there is used as it is; the rest of its tasks is what is left to do. */
async function plannedSlice(
  bench: Bench,
  context: MilestoneContext,
  slice: OpenedSlice,
): Promise<SlicePlan | { readonly status: 'stopped'; readonly reason: string }> {
  const planned =
    slice.plan === undefined ? await planSlice(bench, context, slice) : await givenPlan(bench, context, slice);
  if (planned.status === 'stopped') return planned;
  const tasks = planned.tasks.map((task) => toTask(slice.id, task));
  await context.plan.add(bench, `${slice.id}/accepted`, { objective: context.title, tasks });
  return planned;
}

async function givenPlan(
  bench: Bench,
  context: MilestoneContext,
  slice: OpenedSlice,
): Promise<SlicePlan | { readonly status: 'stopped'; readonly reason: string }> {
  const tasks = slice.tasks.filter(({ isDone }) => !isDone).map((task) => task.planned);
  const plan = { goal: slice.demo, tasks, decisions: [], learned: [] };
  const checked = await checkGivenPlan(bench, { context, slice, plan });
  if (checked.status === 'stopped') return checked;
  if (!slice.hasSymbolCheck && !hasBegun(slice)) await checkSymbols(bench, context, { slice: slice.id, tasks });
  return { status: 'planned', goal: slice.demo, tasks, text: slice.plan ?? '', hasRisks: slice.has.risk };
}

async function researchSlice(
  bench: Bench,
  context: MilestoneContext,
  { slice, hasRisks }: { readonly slice: OpenedSlice; readonly hasRisks: boolean },
): Promise<void> {
  const found = { has: { ...slice.has, risk: hasRisks }, tasks: slice.tasks };
  if (!isSliceResearchDue(found, { skipResearch: context.input.options['skip-research'] })) return;
  const key = `${slice.id}/research`;
  await bench.step(`${key}/unit`, { kind: 'unit', title: 'research-slice', end: describeText }, async () => {
    const read = await askReader(bench, key, {
      input: context.input,
      role: 'researcher',
      brief: briefFor(context, {
        rules: briefRules.research,
        parts: [...milestoneParts(context), memoryPart(context.memory.about(slice.title))],
        task: `Research ${slice.id}: ${slice.title}.`,
      }),
    });
    if (read.status === 'missing') return '';
    context.memory.hear({ unit: key, learned: read.result.learned, told: [], owed: [] });
    const pitfalls = read.result.pitfalls.map((one) => `- ${one}`).join('\n');
    const content = `# ${slice.id}: research\n\n${read.result.research}\n\n## Pitfalls\n\n${pitfalls}\n`;
    await leaveDocument(bench, `${key}/document`, { path: context.paths.slice(slice.id, 'RESEARCH.md'), content });
    return content;
  });
}

async function leaveProgress(
  bench: Bench,
  context: MilestoneContext,
  about: { readonly slice: OpenedSlice; readonly outcomes: readonly TaskOutcome[]; readonly plan: string },
): Promise<void> {
  const { slice, outcomes, plan } = about;
  const inspected = outcomes.flatMap(({ task, data }) => {
    const { inspection } = readTaskData(data);
    return inspection === null ? [] : [{ task, inspection }];
  });
  const owed = outcomes.flatMap(({ task, data }) => readTaskData(data).dropped.map((one) => `${task}: ${one}`));
  const { paths } = context;
  await leaveDocument(bench, `${slice.id}/verification`, {
    path: paths.slice(slice.id, 'VERIFICATION.md'),
    content: verificationText(slice.id, inspected, owed),
  });
  const done = outcomes.filter(({ status }) => status === 'done').map(({ task }) => task);
  await leaveDocument(bench, `${slice.id}/ticked`, {
    path: paths.slice(slice.id, 'PLAN.md'),
    content: tickBoxes(withParts(plan, outcomes), done),
    over: slice.plan,
  });
  const decided = outcomes.flatMap(({ task, data }) => {
    const { decisions, pruned } = readTaskData(data);
    const dropped = pruned.map(
      (one) => `- Dropped (${task}): ${one}. The worker showed that it cannot be done as planned.`,
    );
    return [...dropped, ...decisions.map(decisionLine)];
  });
  if (decided.length === 0) return;
  await leaveDocument(bench, `${slice.id}/context`, {
    path: paths.slice(slice.id, 'CONTEXT.md'),
    content: withSection(slice.context, { title: `${slice.id}: context`, heading: 'Decisions', lines: decided }),
    over: slice.context,
  });
}

/** Tasks that a larger one was split into stand below the others. */
function withParts(plan: string, outcomes: readonly TaskOutcome[]): string {
  const parts = outcomes.filter(({ task }) => task.includes('.') && !plan.includes(`**${task}:`));
  const lines = parts.map(({ task, data }) => `- [ ] **${task}: ${readTaskData(data).summary}**`);
  return lines.length === 0 ? plan : `${plan.trimEnd()}\n${lines.join('\n')}\n`;
}

async function disputeAndFix(
  bench: Bench,
  context: MilestoneContext,
  { slice, from }: { readonly slice: OpenedSlice; readonly from: string },
): Promise<SliceReview> {
  const review = await reviewSlice(bench, context, { slice, from });
  const conceded = review.items.filter(({ state }) => state === 'conceded');
  const isWanted = conceded.length > 0 && context.input.options['fix-now'] === 'on';
  const fixed = isWanted
    ? await fixItems(bench, context, { key: `${slice.id}/review-fix`, items: conceded })
    : undefined;
  const outcome =
    fixed === undefined
      ? 'not fixed, waits for the triage'
      : fixed.status === 'fixed'
        ? `applied, commit ${shortCommit(fixed.commit)}`
        : `failed, waits for the triage: ${fixed.reason}`;
  const items = review.items.map((one) => (one.state === 'conceded' ? { ...one, fix: outcome } : one));
  const decided = await decideOpenItems(bench, context, { slice: slice.id, items });
  const reviewed = { ...review, items: decided };
  await leaveDocument(bench, `${slice.id}/review/document`, {
    path: context.paths.slice(slice.id, 'REVIEW.md'),
    content: reviewText(slice.id, reviewed),
  });
  return reviewed;
}

async function closeSlice(
  bench: Bench,
  context: MilestoneContext,
  about: { slice: OpenedSlice; outcomes: readonly TaskOutcome[]; review: SliceReview; goal: string },
): Promise<TaskOutcome> {
  const { slice, outcomes, review, goal } = about;
  const tasks = outcomes.map(({ task, data }) => ({ task, data: readTaskData(data) }));
  const dropped = tasks.flatMap(({ data }) => data.dropped);
  const key = `${slice.id}/complete`;
  const end = (): StepEndInput => ({ status: 'done', detail: countText(outcomes.length, 'task') });
  await bench.step(`${key}/unit`, { kind: 'unit', title: 'complete-slice', end }, async () => {
    const read = await askReader(bench, key, {
      input: context.input,
      role: 'scribe',
      brief: briefFor(context, {
        rules: briefRules.closeSlice,
        parts: [
          ...milestoneParts(context),
          {
            title: `What the tasks of ${slice.id} report`,
            text: tasks.map(({ task, data }) => `- ${task}: ${data.summary}`).join('\n'),
          },
          { title: 'The review', text: reviewText(slice.id, review) },
        ],
        task: `Write the summary of ${slice.id}: ${slice.title}. Its goal: ${goal}`,
      }),
    });
    // A summary that nobody could write is replaced by what the tasks said themselves.
    const plain = { summary: tasks.map(({ task, data }) => `- ${task}: ${data.summary}`).join('\n'), provides: [] };
    await leaveDocument(bench, `${key}/document`, {
      path: context.paths.slice(slice.id, 'SUMMARY.md'),
      content: sliceSummaryText({
        milestone: context.id,
        slice: slice.id,
        title: slice.title,
        scribe: read.status === 'read' ? read.result : plain,
        tasks: tasks.map(({ task }) => task),
        dropped,
      }),
      stamp: 'completed_at',
    });
  });
  const units = context.memory.unitsOf(slice.id).map(({ unit, learned, told, owed }) => ({
    unit,
    learned: learned.map(({ category, text, confidence }) => ({ category, text, confidence })),
    told: [...told],
    owed: [...owed],
  }));
  const data: SliceData = { title: slice.title, tasks: tasks.length, review, dropped, units };
  return { task: slice.id, status: 'done', reason: '', detail: countText(tasks.length, 'task'), data: { ...data } };
}
