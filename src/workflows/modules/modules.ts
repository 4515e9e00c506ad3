/**
 * The workflow `modules`: a requirement is planned as modules with a person, built in parallel as dependencies allow,
 * reviewed and validated one by one, merged as they pass, reviewed as a whole, learnt from, and published as a branch.
 * It reads as it runs; every step is keyed, every loop bounded.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../engine/facts.ts';
import { planStages } from '../../plan/graph.ts';
import type { Plan } from '../../plan/plan.ts';
import { verifyOf } from '../../plan/verify-entries.ts';
import { countText } from '../../views/figures.ts';
import { learn } from '../moves/learn.ts';
import { publishResult } from '../moves/publish-result.ts';
import { addPlanned, readyChecks } from '../moves/ready-checks.ts';
import type { Checks } from '../moves/verify.ts';
import { learnerBrief } from './briefs.ts';
import { type FinalReview, finalReview } from './final-review.ts';
import { readModuleData } from './module-data.ts';
import type { ModulesInput } from './modules-input.ts';
import { type ModulePlanning, planModules } from './plan-modules.ts';
import { type ModuleContext, runModule } from './run-module.ts';

export async function runModules(bench: Bench, input: ModulesInput): Promise<WorkflowResult> {
  const own = await readyChecks(bench, input.checks);
  const planned = await bench.step('plan', { kind: 'plan', title: 'Plan', end: describePlanned }, () =>
    planModules(bench, input, own.report),
  );
  if (planned.status === 'stopped') return { status: 'failed', reason: planned.reason };
  const { plan, lite, lessons } = planned;
  await bench.announce('outline', outline);
  // Every module's own commands add to these; the base is known for all of them.
  const checks = { ...(await addPlanned(bench, own, verifyOf(plan.tasks))), entries: [] };
  const context: ModuleContext = { input, plan: plan.tasks, checks, lessons, lite };
  const limit = lite ? 1 : input.parallel;
  const outcomes = await bench.schedule(plan.tasks, { limit, barriers: input.options.barriers }, (task) =>
    runModule(bench, task, context),
  );
  const review = outcomes.some(isDone) ? await finalReview(bench, context) : undefined;
  const lessonsAdded = await learnFrom(bench, { input, planned, outcomes, review });
  return finish(bench, { input, plan, checks, outcomes, review, lessonsAdded });
}

const outline = [
  { key: 'final', kind: 'integration', title: 'Final review' },
  { key: 'learning', kind: 'learn', title: 'Learn' },
];

function describePlanned(planned: ModulePlanning): StepEndInput {
  if (planned.status === 'stopped') return { status: 'failed', detail: planned.reason };
  const { tasks } = planned.plan;
  const order = `${countText(tasks.length, 'module')} in ${countText(planStages(tasks).length, 'stage')}`;
  const detail = planned.lite ? `${order}, one after the other` : order;
  return { status: 'done', detail, report: { lessons: { applied: appliedLessons(planned) } } };
}

function appliedLessons({ lessons, applied }: Extract<ModulePlanning, { status: 'approved' }>): string[] {
  return lessons.filter(({ id }) => applied.includes(id)).map(({ text }) => text);
}

const isDone = ({ status }: TaskOutcome): boolean => status === 'done';

interface ModulesStory {
  readonly input: ModulesInput;
  readonly planned: Extract<ModulePlanning, { status: 'approved' }>;
  readonly outcomes: readonly TaskOutcome[];
  readonly review: FinalReview | undefined;
}

async function learnFrom(bench: Bench, { input, planned, outcomes, review }: ModulesStory): Promise<number> {
  const about = { input, story: story(outcomes, review), known: planned.lessons };
  const succeeded = outcomes.every(isDone) && review?.release === 'clear';
  return learn(bench, {
    input,
    applied: planned.applied,
    succeeded,
    shape: succeeded ? shapeOf(planned.plan, outcomes) : undefined,
    brief: (recovery) => learnerBrief(about, recovery),
  });
}

function shapeOf({ tasks }: Plan, outcomes: readonly TaskOutcome[]) {
  return {
    workflow: 'modules',
    tasks: tasks.length,
    depth: planStages(tasks).length,
    files: new Set(tasks.flatMap((task) => task.writes)).size,
    retries: retriesOf(outcomes),
  };
}

function retriesOf(outcomes: readonly TaskOutcome[]): number {
  return outcomes.reduce((sum, { data }) => sum + readModuleData(data).retries, 0);
}

function story(outcomes: readonly TaskOutcome[], review: FinalReview | undefined): string {
  const lines = outcomes.map(({ task, status, reason, data }) => {
    const { attempts, retries, score, notes } = readModuleData(data);
    const why = reason === '' ? '' : ` (${reason})`;
    return `${task}: ${status}${why}; ${attempts} attempt(s), ${retries} retried, score ${score.toFixed(2)}; ${notes.join('; ') || 'nothing noted'}`;
  });
  const whole =
    review === undefined
      ? []
      : [
          `Final review: ${review.release}`,
          ...[...review.mustFix, ...review.advisory].map(({ file, line, claim }) => `${file}:${line} ${claim}`),
        ];
  return [...lines, ...whole].join('\n');
}

/** The message of the one commit for the run, if that is wanted. */
function squashMessage({ input, plan }: { input: ModulesInput; plan: Plan }): string | undefined {
  if (input.history !== 'run') return undefined;
  const [title = ''] = input.requirement.split('\n', 1);
  const body = plan.tasks.map((task) => `- ${task.id}: ${task.title}`).join('\n');
  return `${title.slice(0, 100)}\n\n${body}`;
}

async function finish(
  bench: Bench,
  about: {
    input: ModulesInput;
    plan: Plan;
    checks: Checks;
    outcomes: readonly TaskOutcome[];
    review: FinalReview | undefined;
    lessonsAdded: number;
  },
): Promise<WorkflowResult> {
  const { plan, checks, outcomes, review, lessonsAdded } = about;
  const merged = plan.tasks.filter(({ id }) => outcomes.some((outcome) => outcome.task === id && isDone(outcome)));
  const failed = outcomes.filter((outcome) => !isDone(outcome)).map(({ task, reason }) => `${task}: ${reason}`);
  const blocked = review?.release === 'blocked' ? [`release blocked: ${review.reason}`] : [];
  const { status, reason, isConfirmed, published } = await publishResult(bench, {
    checks: { ...checks, entries: [...checks.entries, ...verifyOf(merged)] },
    squash: squashMessage(about),
    failures: [...failed, ...blocked],
  });
  const all = [...outcomes, ...(review?.fixes ?? [])];
  return {
    status,
    reason,
    output: {
      outcomes: all.map(({ task, status: ended, reason: why, data }) => ({
        task,
        status: ended,
        reason: why,
        ...readModuleData(data),
      })),
      retries: retriesOf(all),
      lessonsAdded,
      findings: { mustFix: review?.mustFix ?? [], advisory: review?.advisory ?? [] },
      release: isConfirmed ? (review?.release ?? 'blocked') : 'blocked',
      ...published,
    },
  };
}
