/**
 * The workflow `milestone`: a milestone is planned as slices, discussed and researched; each slice is planned when its turn
 * comes, its tasks are built side by side, reviewed and closed; at the end a person decides about what stayed open, and
 * the result becomes a branch. It never asks in between: what only a person can decide parks that part, and the rest goes
 * on. It starts where the documents in `.gsd` stand, and every document it leaves there is a fact first.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import { taskSchema } from '../../plan/plan.ts';
import { publishResult } from '../moves/publish-result.ts';
import { type OwnChecks, readyChecks } from '../moves/ready-checks.ts';
import { type ClosedMilestone, closeMilestone } from './close-milestone.ts';
import { tickBoxes } from './documents/plan-texts.ts';
import { keepLessons, leaveMemory, projectUnit, recallFragments } from './keep-lessons.ts';
import { leaveDocument } from './leave-document.ts';
import { decidedFragments, type MilestoneContext, MilestoneMemory, PlanBook } from './milestone-context.ts';
import type { MilestoneInput } from './milestone-input.ts';
import { type OpenedMilestone, openMilestone } from './open-milestone.ts';
import { discussMilestone, type PlannedMilestone, planMilestone, researchMilestone } from './open-units.ts';
import { runSlice } from './run-slice.ts';
import { waitingForever } from './rules/waiting-forever.ts';
import { readSliceData } from './slice-data.ts';

/** Characters of an earlier run's events that a journal holds. */
const mostEvents = 256 * 1024;

export async function runMilestone(bench: Bench, input: MilestoneInput): Promise<WorkflowResult> {
  const opened = await openMilestone(bench, input.requirement);
  if (opened.status === 'refused') return { status: 'failed', reason: opened.reason };
  const { milestone } = opened;
  const named = { id: milestone.id, title: milestone.title };
  const projected = {
    state: milestone.paths.milestone('STATE.md'),
    events: milestone.paths.milestone('events.jsonl'),
    stateBefore: milestone.state,
    // A very long one is left alone.
    eventsBefore: milestone.events.length > mostEvents ? '' : milestone.events,
    decisionsBefore: milestone.decisions.length > mostEvents ? '' : milestone.decisions,
  };
  await bench.record('subject', 'note.recorded', { text: '', data: { subject: named, projected } });
  const own = await readyChecks(bench, input.checks);
  const planned = await planMilestone(bench, { input, milestone });
  if (planned.status === 'stopped') return { status: 'failed', reason: planned.reason };
  const { roadmap } = planned;
  const { agreed, decisions } = await discussMilestone(bench, { input, milestone }, roadmap);
  const research = await researchMilestone(bench, { input, milestone }, roadmap);
  const context = await contextOf(bench, { input, milestone, planned, own, agreed, research });
  context.memory.hear({ unit: 'discuss-milestone', learned: decidedFragments(decisions), told: [], owed: [] });
  await bench.announce('outline', [{ key: 'complete-milestone/unit', kind: 'unit', title: 'complete-milestone' }]);
  const ran = await runAllSlices(bench, context, { roadmap, before: milestone.roadmap });
  const isDone = ran.outcomes.every(({ status }) => status === 'done');
  const closed = isDone ? await closeMilestone(bench, ran.context, { milestone, ...ran }) : undefined;
  await leaveMemory(bench, context);
  await keepLessons(bench, context, isDone);
  return finish(bench, { context, outcomes: ran.outcomes, closed });
}

type Planned = Extract<PlannedMilestone, { status: 'planned' }>;

async function contextOf(
  bench: Bench,
  about: {
    readonly input: MilestoneInput;
    readonly milestone: OpenedMilestone;
    readonly planned: Planned;
    readonly own: OwnChecks;
    readonly agreed: string;
    readonly research: string;
  },
): Promise<MilestoneContext> {
  const { input, milestone, planned, own, agreed, research } = about;
  const { title, vision, criteria, slices, decisions } = planned;
  const memory = new MilestoneMemory();
  const learned = await recallFragments(bench, input, `${title} ${vision}`);
  memory.hear({ unit: milestone.id, learned: [...learned, ...milestone.learned], told: [], owed: [] });
  memory.hear({ unit: 'plan-milestone', learned: decidedFragments(decisions), told: [], owed: [] });
  memory.hear({ unit: projectUnit, learned: milestone.projectMemory, told: [], owed: [] });
  for (const { id, owed } of slices) memory.hear({ unit: `${id}/earlier`, learned: [], told: [], owed });
  return {
    input,
    id: milestone.id,
    title,
    vision,
    criteria,
    scope: milestone.scope,
    context: agreed,
    research,
    standards: milestone.standards,
    paths: milestone.paths,
    slices,
    // Every task's own commands add to the project's; the base is known for all of them.
    checks: { source: 'plan', entries: [], baseline: own.key },
    own,
    memory,
    plan: new PlanBook(),
  };
}

interface SlicesRun {
  readonly context: MilestoneContext;
  readonly outcomes: readonly TaskOutcome[];
  readonly roadmap: string;
  /** The text that the roadmap may replace. */
  readonly before: string;
}

/** A person may add slices while the run works or rests: they are built before the milestone closes. */
async function runAllSlices(
  bench: Bench,
  context: MilestoneContext,
  roadmap: Pick<SlicesRun, 'roadmap' | 'before'>,
): Promise<SlicesRun> {
  let ran: SlicesRun = { context, ...roadmap, outcomes: await runSlices(bench, context, roadmap) };
  for (let round = 2; ran.outcomes.every(({ status }) => status === 'done'); round += 1) {
    const opened = await openMilestone(bench, context.id, round);
    const known = new Set(ran.context.slices.map(({ id }) => id));
    const slices = opened.status === 'opened' ? (opened.milestone.slices ?? []) : [];
    const added = slices.filter(({ id, isDone }) => !isDone && !known.has(id));
    if (added.length === 0 || opened.status !== 'opened') break;
    const done = ran.context.slices.map((slice) => ({ ...slice, isDone: true }));
    const wider = { ...ran.context, slices: [...done, ...added] };
    const changed = { roadmap: opened.milestone.roadmap, before: opened.milestone.roadmap };
    await leaveDocument(bench, `roadmap#${round}`, {
      path: context.paths.milestone('ROADMAP.md'),
      content: tickBoxes(
        changed.roadmap,
        done.map(({ id }) => id),
      ),
      over: changed.before,
    });
    const more = await runSlices(bench, wider, changed);
    ran = { context: wider, ...changed, outcomes: [...ran.outcomes, ...more] };
  }
  return ran;
}

/** In the order of the roadmap, several at once only where it says that they are independent and the options allow it. */
async function runSlices(
  bench: Bench,
  context: MilestoneContext,
  { roadmap, before }: Pick<SlicesRun, 'roadmap' | 'before'>,
): Promise<readonly TaskOutcome[]> {
  const open = context.slices.filter(({ isDone }) => !isDone);
  const ids = new Set(open.map(({ id }) => id));
  const done = new Set(context.slices.filter(({ isDone }) => isDone).map(({ id }) => id));
  const waiting = open.map((slice) => ({ ...slice, depends: slice.depends.filter((one) => ids.has(one)) }));
  const stuck = waitingForever(waiting, ids);
  const tasks = waiting.map(({ id, title, depends }) =>
    taskSchema.parse({ id, title, kind: 'chore', depends: stuck.has(id) ? [] : depends }),
  );
  const heard = ({ task, status, data }: TaskOutcome): void => {
    if (status === 'done') done.add(task);
    for (const unit of readSliceData(data).units) context.memory.hear(unit);
  };
  // A slice itself writes nothing: its tasks do.
  const options = { limit: context.input.options.slices, readOnly: true, heard };
  return bench.schedule(tasks, options, async ({ id }) => {
    const slice = open.find((one) => one.id === id);
    if (slice === undefined) throw new Error(`there is no slice ${id}`);
    const fault = stuck.get(id);
    if (fault !== undefined) return { task: id, status: 'blocked', reason: `fix the roadmap first: ${fault}` };
    const outcome = await runSlice(bench, context, slice);
    if (outcome.status !== 'done') return outcome;
    await leaveDocument(bench, `${id}/roadmap`, {
      path: context.paths.milestone('ROADMAP.md'),
      content: tickBoxes(roadmap, [...done, id]),
      over: before,
    });
    return outcome;
  });
}

async function finish(
  bench: Bench,
  about: {
    readonly context: MilestoneContext;
    readonly outcomes: readonly TaskOutcome[];
    readonly closed: ClosedMilestone | undefined;
  },
): Promise<WorkflowResult> {
  const { context, outcomes, closed } = about;
  const open = outcomes.filter(({ status }) => status !== 'done').map(({ task, reason }) => `${task}: ${reason}`);
  const failures = [...open, ...(closed?.failures ?? [])];
  const { status, reason, published } = await publishResult(bench, { checks: context.checks, failures });
  return {
    status,
    reason,
    output: {
      milestone: context.id,
      title: context.title,
      criteria: context.criteria,
      slices: outcomes.map((outcome) => ({ id: outcome.task, status: outcome.status, reason: outcome.reason })),
      followUps: (closed?.followUps ?? []).map(({ slice, id, claim }) => ({ slice, id, claim })),
      ...published,
    },
  };
}
