/**
 * The workflow `design`: a finished design becomes plans that a person approves, a project to build in, modules that are built
 * and merged as their dependencies allow, phases that are tested together, software that is accepted against its PRD, and a
 * branch. The next delivery of the design builds only what changed. It reads as it runs; every step is keyed.
 */
import type { Bench, ScheduleLane, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../engine/facts.ts';
import { type Task, taskSchema } from '../../plan/plan.ts';
import { countText } from '../../views/figures.ts';
import { addPlanned, type OwnChecks, readyChecks } from '../moves/ready-checks.ts';
import { criteriaCount, type DesignContext, moduleId, moduleOf } from './context.ts';
import type { DesignInput } from './design-input.ts';
import { writeDocuments } from './keep-delivery.ts';
import { type AcceptanceEnd, acceptDelivery } from './steps/accept-delivery.ts';
import { bootstrapProject } from './steps/bootstrap.ts';
import { deliverDesign } from './steps/deliver-design.ts';
import { makePlans, type PlansMade, scheduledIds } from './steps/make-plans.ts';
import type { PlannedContext } from './steps/plan-context.ts';
import { moduleWrites } from './steps/plan-modules.ts';
import { type EarlierDelivery, readEarlierDelivery } from './steps/read-earlier-delivery.ts';
import { removeModules } from './steps/remove-modules.ts';
import { runModule } from './steps/run-module.ts';
import { recordPhaseStart } from './steps/record-module.ts';
import { phaseTask, testPhase } from './steps/test-phase.ts';

export async function runDesign(bench: Bench, input: DesignInput): Promise<WorkflowResult> {
  const own = await readyChecks(bench, input.checks);
  const planned = await bench.step('planning', { kind: 'plan', title: 'Plan', end: describePlans }, () =>
    makePlans(bench, input),
  );
  if (planned.status === 'stopped') return { status: 'failed', reason: planned.reason };
  const context = await withChecks(bench, own, planned.context);
  const earlier = await readEarlierDelivery(bench, context);
  await bench.announce('outline', outlineOf(context));
  if (!input.hasSource && !earlier.isBootstrapped) {
    const set = await bootstrapProject(bench, context);
    if (set.status === 'failed') return { status: 'failed', reason: `the project could not be set up: ${set.reason}` };
  }
  const tasks = tasksOf(context);
  const options = {
    limit: input.parallel,
    label: ({ id, title }: Task) => (id.startsWith('phase-') ? title : `${id} ${title}`),
  };
  const begun = new Map<number, Promise<void>>();
  const outcomes = await bench.schedule(tasks, options, (task, lane) =>
    buildOne(bench, context, { task, lane, begun }),
  );
  if (context.evolution !== undefined)
    await removeModules(bench, { context, directory: earlier.directory, isLate: true });
  const accepted = outcomes.every(isDone) ? await acceptAll(bench, context, earlier) : undefined;
  return deliverDesign(bench, { context, outcomes, accepted, before: earlier });
}

function describePlans(made: PlansMade): StepEndInput {
  if (made.status === 'stopped') return { status: 'failed', detail: made.reason };
  const { modules, kept } = made.context;
  const phases = new Set(modules.map(({ phase }) => phase)).size;
  const rest = kept.size === 0 ? '' : `, ${kept.size} kept`;
  return { status: 'done', detail: `${countText(modules.length, 'module')} in ${countText(phases, 'phase')}${rest}` };
}

/** The test command of the conventions judges along with the project's own; in a new project it exists only once that is set up. */
async function withChecks(bench: Bench, own: OwnChecks, context: PlannedContext): Promise<DesignContext> {
  const { test } = context.conventions.commands;
  const entries = test === '' ? [] : [test];
  const checks = context.input.hasSource
    ? await addPlanned(bench, own, entries)
    : ({ source: 'plan', entries, baseline: own.key } as const);
  return { ...context, checks };
}

function outlineOf({ design, input }: DesignContext) {
  const proof = {
    key: 'acceptance',
    kind: 'integration',
    title: `Acceptance of ${countText(criteriaCount(design), 'criterion', 'criteria')}`,
  };
  return [...(input.hasSource ? [] : [{ key: 'bootstrap', kind: 'build', title: 'Set up the project' }]), proof];
}

/** A task for every module that is built now, and one for every phase; with barriers a phase waits for the one before. */
function tasksOf(context: DesignContext): readonly Task[] {
  const ids = scheduledIds(context);
  const phases = [...new Set(context.modules.map(({ phase }) => phase))].toSorted((a, b) => a - b);
  const { barriers } = context.input.options;
  const modules = ids.map((id) => {
    const { name, depends, phase } = moduleOf(context, id);
    const plan = context.plans.get(id);
    const after = barriers && phase > 1 ? [`phase-${phase - 1}`] : [];
    return taskSchema.parse({
      id,
      title: name,
      depends: [...depends.filter((other) => ids.includes(other)), ...after],
      writes: plan === undefined ? [] : [...moduleWrites(context.conventions, id, plan)],
      complexity: (plan?.steps.length ?? 0) > 8 ? 'L' : 'M',
    });
  });
  const known = new Set([...ids, ...phases.map((phase) => `phase-${phase}`)]);
  const tests = phases
    .filter((phase) => !context.testedPhases.has(phase) || ids.some((id) => moduleOf(context, id).phase <= phase))
    .map((phase) => phaseTask(context, phase))
    .map((task) => ({ ...task, depends: task.depends.filter((id) => known.has(id)) }));
  return [...modules, ...tests];
}

interface TaskWork {
  readonly task: Task;
  readonly lane: ScheduleLane;
  /** Phases that have begun. */
  readonly begun: Map<number, Promise<void>>;
}

async function buildOne(bench: Bench, context: DesignContext, { task, lane, begun }: TaskWork): Promise<TaskOutcome> {
  const phase = /^phase-(\d+)$/.exec(task.id)?.[1];
  if (phase !== undefined) return testPhase(bench, context, task, Number(phase));
  await beginPhase(bench, context, task.id, begun);
  return runModule(bench, { context, task, lane });
}

/** The first module of a phase says so in the log. A module that was split off later belongs to one that has begun. */
function beginPhase(
  bench: Bench,
  context: DesignContext,
  task: string,
  begun: Map<number, Promise<void>>,
): Promise<void> {
  const phase = context.modules.find(({ id }) => id === moduleId(task))?.phase;
  if (phase === undefined) return Promise.resolve();
  const scheduled = scheduledIds(context);
  const modules = context.modules.filter((module) => module.phase === phase && scheduled.includes(module.id));
  const known = begun.get(phase) ?? recordPhaseStart(bench, context, { phase, modules: modules.map(({ id }) => id) });
  begun.set(phase, known);
  return known;
}

const isDone = ({ status }: TaskOutcome): boolean => status === 'done';

/** The report of the delivery before is kept under another name. A design without a PRD has nothing to be accepted against. */
async function acceptAll(bench: Bench, context: DesignContext, { archive }: EarlierDelivery): Promise<AcceptanceEnd> {
  const { input, design } = context;
  if (criteriaCount(design) === 0)
    return { status: 'accepted', reason: 'the design names no criteria to prove', judged: undefined, remarks: [] };
  if (archive.length > 0) {
    const message = `docs(plan): archive delivery-${input.plan.delivery - 1} acceptance report`;
    await bench.exclusive('integrate', () =>
      writeDocuments(bench, 'evolve/archive', context, { message, files: archive }),
    );
  }
  return acceptDelivery(bench, context);
}
