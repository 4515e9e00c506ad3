/**
 * The workflow `modules`: a requirement is planned as modules with a person, built in parallel as dependencies allow,
 * reviewed and validated one by one, merged as they pass, reviewed as a whole, learnt from, and published as a branch.
 * It reads as it runs; every step is keyed, every loop bounded.
 */
import type { Bench, Workflow, WorkflowResult } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import { stages } from '../../plan/graph.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Checks } from '../moves/verify.ts';
import { askRole } from './ask-role.ts';
import { learnerBrief } from './briefs.ts';
import { type FinalReview, finalReview } from './final-review.ts';
import { readModuleData } from './module-data.ts';
import { type ModulesInput, modulesInputSchema } from './modules-input.ts';
import { type Planned, planModules } from './plan-modules.ts';
import { type ModuleContext, runModule } from './run-module.ts';

export const modules: Workflow = {
  name: 'modules',
  version: 2,
  async run(bench) {
    const input = modulesInputSchema.parse(bench.run.input);
    const planned = await planModules(bench, input);
    if (planned.status === 'stopped') return { status: 'failed', reason: planned.reason };
    const { plan, lite, lessons } = planned;
    const checks = await readyChecks(bench, input);
    const context: ModuleContext = { input, plan: plan.tasks, checks, lessons, lite };
    const outcomes = await bench.schedule(
      plan.tasks,
      { limit: lite ? 1 : input.parallel, barriers: input.barriers },
      (task) => runModule(bench, task, context),
    );
    const review = outcomes.some(isDone) ? await finalReview(bench, context) : undefined;
    const lessonsAdded = await learn(bench, { input, planned, outcomes, review });
    return finish(bench, { input, plan, outcomes, review, lessonsAdded });
  },
};

const isDone = ({ status }: TaskOutcome): boolean => status === 'done';

/** Before any agent is paid for code: the checks that count for all modules, on the base. */
async function readyChecks(bench: Bench, input: ModulesInput): Promise<Checks> {
  const source = input.checks.length > 0 ? 'settings' : 'plan';
  if (input.checks.length === 0) return { source, entries: [] };
  const { base } = bench.run;
  const entries = input.checks;
  const report = await bench.perform('check.run', 'baseline', { commit: base, judge: base, source, entries });
  // A command that is red on the base without naming its failures can not tell old from new: then all count.
  const usable = report.commands.every((command) => command.status !== 'failed' || command.counts !== undefined);
  return { source, entries, ...(usable ? { baseline: 'baseline' } : {}) };
}

interface Told {
  readonly input: ModulesInput;
  readonly planned: Extract<Planned, { status: 'approved' }>;
  readonly outcomes: readonly TaskOutcome[];
  readonly review: FinalReview | undefined;
}

async function learn(bench: Bench, { input, planned, outcomes, review }: Told): Promise<number> {
  const { commit } = await bench.perform('integration.read', 'learn/base', {});
  const about = { input, story: story(outcomes, review), known: planned.lessons };
  const answer = await askRole(bench, 'learn', {
    input,
    role: 'learner',
    workspace: 'learn',
    commit,
    brief: (recovery) => learnerBrief(about, recovery),
  });
  const lessons = answer.status === 'accepted' ? answer.result.lessons : [];
  const succeeded = outcomes.every(isDone) && review?.release === 'clear';
  const saved = await bench.perform('memory.save', 'save', {
    lessons,
    applied: [...planned.applied],
    helped: succeeded ? [...planned.applied] : [],
    contradicted: answer.status === 'accepted' ? answer.result.contradicted : [],
    ...(succeeded ? { shape: shapeOf(planned.plan, outcomes) } : {}),
  });
  return saved.added;
}

function shapeOf({ tasks }: Plan, outcomes: readonly TaskOutcome[]) {
  return {
    workflow: 'modules',
    tasks: tasks.length,
    depth: stages(tasks).length,
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

/** One commit for the run, if that is wanted; else the head as it is. */
function published(commit: string, { input, plan }: { input: ModulesInput; plan: Plan }) {
  if (input.history !== 'run') return { commit };
  const [title = ''] = input.requirement.split('\n', 1);
  const body = plan.tasks.map((task) => `- ${task.id}: ${task.title}`).join('\n');
  return { commit, squash: `${title.slice(0, 100)}\n\n${body}` };
}

async function finish(
  bench: Bench,
  told: {
    input: ModulesInput;
    plan: Plan;
    outcomes: readonly TaskOutcome[];
    review: FinalReview | undefined;
    lessonsAdded: number;
  },
): Promise<WorkflowResult> {
  const { outcomes, review, lessonsAdded } = told;
  const { commit } = await bench.perform('integration.read', 'final', {});
  const branch =
    commit === bench.run.base ? undefined : await bench.perform('branch.publish', 'publish', published(commit, told));
  const all = [...outcomes, ...(review?.fixes ?? [])];
  const failed = outcomes.filter((outcome) => !isDone(outcome)).map(({ task, reason }) => `${task}: ${reason}`);
  const blocked = review?.release === 'blocked' ? [`release blocked: ${review.reason}`] : [];
  const reasons = [...failed, ...blocked];
  return {
    status: reasons.length === 0 ? 'done' : 'failed',
    reason: reasons.join('; '),
    output: {
      outcomes: all.map(({ task, status, reason, data }) => ({ task, status, reason, ...readModuleData(data) })),
      retries: retriesOf(all),
      lessonsAdded,
      findings: { mustFix: review?.mustFix ?? [], advisory: review?.advisory ?? [] },
      release: review?.release ?? 'blocked',
      ...(branch === undefined ? {} : { branch: branch.ref.replace('refs/heads/', '') }),
    },
  };
}
