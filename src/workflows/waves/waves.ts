/**
 * The workflow `waves`: a requirement is planned with a person, developed and tested wave by wave, tested as a
 * whole, learnt from, and published as a branch. It reads as it runs; every step is keyed, every loop bounded.
 */
import type { Bench, Workflow, WorkflowResult } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import { learnerResult } from '../../policy/role-results.ts';
import { waveTasks } from '../../policy/waves.ts';
import { askAgent } from '../moves/ask-agent.ts';
import type { Checks } from '../moves/verify.ts';
import { learnerBrief, type WaveBrief } from './briefs.ts';
import { planWaves } from './plan-waves.ts';
import { runWave } from './run-wave.ts';
import { type Integration, testIntegration } from './test-integration.ts';
import { readWaveData, type WaveData } from './wave-data.ts';
import { type WavesInput, wavesInputSchema } from './waves-input.ts';

export const waves: Workflow = {
  name: 'waves',
  version: 1,
  async run(bench) {
    const input = wavesInputSchema.parse(bench.run.input);
    const planned = await planWaves(bench, input);
    if (planned.status === 'stopped') return { status: 'failed', reason: planned.reason };
    if (input.planOnly) return { status: 'done', reason: 'planned only', output: { outcomes: [] } };
    const all = waveTasks(planned.plan.tasks, planned.waves);
    const checks = await readyChecks(bench, input, all);
    const done = await runWaves(bench, { input, plan: planned.plan, all, checks, grouping: planned.waves });
    const integration = await wholeTest(bench, { input, all, checks, plan: planned.plan, done });
    const lessons = await learn(bench, { input, done, integration, applied: planned.applied });
    return finish(bench, { done, integration, lessons });
  },
};

interface Done {
  readonly outcome: TaskOutcome;
  readonly data: WaveData;
}

/** Before any agent is paid for code: the checks on the base. */
async function readyChecks(bench: Bench, input: WavesInput, all: readonly Task[]): Promise<Checks> {
  const planned = [
    ...new Map(all.flatMap((wave) => wave.verify).map((entry) => [JSON.stringify(entry), entry])).values(),
  ];
  const entries = input.checks.length > 0 ? input.checks : planned;
  const source = input.checks.length > 0 ? 'settings' : planned.length > 0 ? 'plan' : 'discovery';
  const { base } = bench.run;
  const report = await bench.perform('check.run', 'baseline', { commit: base, judge: base, source, entries });
  // A command that is red on the base without naming its failures can not tell old from new: then all count.
  const usable = report.commands.every((command) => command.status !== 'failed' || command.counts !== undefined);
  return { source, entries, ...(usable ? { baseline: 'baseline' } : {}) };
}

interface Waves {
  readonly input: WavesInput;
  readonly plan: Plan;
  readonly all: readonly Task[];
  readonly grouping: readonly (readonly string[])[];
  readonly checks: Checks;
}

/** In order. A wave whose dependencies were not done is skipped, with the reason; the others go on. */
async function runWaves(bench: Bench, { input, plan, all, grouping, checks }: Waves): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const [index, wave] of all.entries()) {
    const missing = done.find(({ outcome }) => outcome.status !== 'done' && wave.depends.includes(outcome.task));
    const brief = waveBrief({ input, plan, all, done }, wave, grouping[index] ?? []);
    const [outcome] = await bench.schedule([{ ...wave, depends: [] }], { limit: 1 }, async () =>
      missing === undefined
        ? runWave(bench, wave, { input, waves: all, checks, brief })
        : {
            task: wave.id,
            status: 'skipped',
            reason: `depends on ${missing.outcome.task}, which is ${missing.outcome.status}`,
          },
    );
    if (outcome !== undefined) done.push({ outcome, data: readWaveData(outcome.data) });
  }
  return done;
}

function waveBrief(
  known: { input: WavesInput; plan: Plan; all: readonly Task[]; done: readonly Done[] },
  wave: Task,
  ids: readonly string[],
): WaveBrief {
  const { input, plan, all, done } = known;
  return {
    input,
    wave,
    tasks: plan.tasks.filter((task) => ids.includes(task.id)),
    total: all.length,
    handoffs: done
      .filter(({ outcome }) => outcome.status === 'done')
      .map(({ outcome, data }) => ({ wave: outcome.task, handoff: data.handoff })),
  };
}

async function wholeTest(
  bench: Bench,
  {
    input,
    all,
    checks,
    plan,
    done,
  }: { input: WavesInput; all: readonly Task[]; checks: Checks; plan: Plan; done: readonly Done[] },
): Promise<Integration | undefined> {
  const merged = done.filter(({ outcome }) => outcome.status === 'done');
  if (all.length < 2 || merged.length === 0) return undefined;
  const [first] = all;
  if (first === undefined) return undefined;
  const brief = waveBrief(
    { input, plan, all, done },
    first,
    plan.tasks.map((task) => task.id),
  );
  const sessions = new Map(done.map(({ outcome, data }) => [outcome.task, data.session]));
  return testIntegration(bench, { input, waves: all, checks, brief }, sessions);
}

async function learn(
  bench: Bench,
  known: { input: WavesInput; done: readonly Done[]; integration: Integration | undefined; applied: readonly string[] },
): Promise<number> {
  const { input, done, integration, applied } = known;
  const { commit } = await bench.perform('integration.read', 'learn/base', {});
  const prompt = learnerBrief(input, story(done, integration));
  const answer = await askAgent(bench, 'learn', {
    agent: input.agents.learner,
    role: 'learner',
    workspace: 'learn',
    commit,
    access: 'read',
    result: learnerResult,
    prompt,
    recoveryPrompt: (why) => `${prompt}\n\nAn earlier attempt did not give a usable result: ${why}`,
    ...(input.limits === undefined ? {} : { limits: input.limits }),
  });
  const lessons = answer.status === 'accepted' ? answer.result.lessons : [];
  if (lessons.length === 0 && applied.length === 0) return 0;
  const saved = await bench.perform('memory.save', 'save', { lessons, applied: [...applied] });
  return saved.added;
}

function story(done: readonly Done[], integration: Integration | undefined): string {
  const lines = done.map(({ outcome, data }) => {
    const bugs = data.open.map((bug) => `; open: ${bug.title}`).join('');
    return `${outcome.task}: ${outcome.status}${outcome.reason === '' ? '' : ` (${outcome.reason})`}; ${data.found} bug(s) found in ${data.rounds} round(s)${bugs}; deviations: ${data.handoff.deviations.join('; ') || 'none'}`;
  });
  const whole =
    integration === undefined ? [] : [`Integration test: ${integration.status}, ${integration.found} bug(s) found`];
  return [...lines, ...whole].join('\n');
}

async function finish(
  bench: Bench,
  { done, integration, lessons }: { done: readonly Done[]; integration: Integration | undefined; lessons: number },
): Promise<WorkflowResult> {
  const { commit } = await bench.perform('integration.read', 'final', {});
  const branch = commit === bench.run.base ? undefined : await bench.perform('branch.publish', 'publish', { commit });
  const open = done.flatMap(({ data }) => data.open);
  const remaining = [
    ...open,
    ...(integration !== undefined && integration.status !== 'passed' ? integration.bugs : []),
  ];
  const unverified = [
    ...done.flatMap(({ data }) => data.unverified),
    ...(integration?.status === 'unverified' ? [`integration: ${integration.reason}`] : []),
  ];
  const found = done.reduce((sum, { data }) => sum + data.found, 0) + (integration?.found ?? 0);
  const failed = done
    .filter(({ outcome }) => outcome.status !== 'done')
    .map(({ outcome }) => `${outcome.task}: ${outcome.reason}`);
  const broken =
    integration === undefined || integration.status === 'passed' ? [] : [`integration test: ${integration.reason}`];
  const reasons = [...failed, ...broken];
  return {
    status: reasons.length === 0 ? 'done' : 'failed',
    reason: reasons.join('; '),
    output: {
      outcomes: done.map(({ outcome: { task, status, reason } }) => ({ task, status, reason })),
      bugsFound: found,
      bugsFixed: found - remaining.length,
      remainingBugs: remaining,
      lessonsAdded: lessons,
      unverified,
      ...(branch === undefined ? {} : { branch: branch.ref.replace('refs/heads/', '') }),
    },
  };
}
