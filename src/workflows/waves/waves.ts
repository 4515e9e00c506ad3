/**
 * The workflow `waves`: a requirement is planned with a person, developed and tested wave by wave, tested as a
 * whole, learnt from, and published as a branch. It reads as it runs; every step is keyed, every loop bounded.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput, StepOutline, TaskOutcome } from '../../engine/facts.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import { verifyOf } from '../../plan/verify-entries.ts';
import { waveTasks } from './wave-rules.ts';
import { counted } from '../../views/figures.ts';
import { planFigures } from './wave-wording.ts';
import { learn } from '../moves/learn.ts';
import { confirmResult } from '../moves/confirm-result.ts';
import { addPlanned, readyChecks } from '../moves/ready-checks.ts';
import type { Checks } from '../moves/verify.ts';
import { learnerBrief, type WaveBrief } from './briefs.ts';
import { type Planned, planWaves } from './plan-waves.ts';
import { runWave } from './run-wave.ts';
import { type Integration, testIntegration } from './test-integration.ts';
import { readWaveData, type WaveData } from './wave-data.ts';
import { inOrder } from './wave-order.ts';
import type { WavesInput } from './waves-input.ts';

export async function runWaves(bench: Bench, input: WavesInput): Promise<WorkflowResult> {
  const own = await readyChecks(bench, input.checks);
  const planned = await bench.step('plan', { kind: 'plan', title: 'Plan', end: describePlanned }, () =>
    planWaves(bench, input, own.report),
  );
  if (planned.status === 'stopped') return { status: 'failed', reason: planned.reason };
  const all = waveTasks(planned.plan.tasks, planned.waves);
  await bench.announce('outline', outlineOf(planned.waves));
  const checks = await addPlanned(bench, own, verifyOf(all));
  const known = { input, plan: planned.plan, grouping: planned.waves, all, checks };
  const done = await workThrough(bench, known);
  const integration = await wholeTest(bench, known, done);
  const lessons = await learnFrom(bench, { input, planned, done, integration });
  return finish(bench, { known, done, integration, lessons });
}

function describePlanned(planned: Planned): StepEndInput {
  if (planned.status === 'stopped') return { status: 'failed', detail: planned.reason };
  const { plan, waves: grouping, lessons, applied } = planned;
  const texts = lessons.filter(({ id }) => applied.includes(id)).map(({ text }) => text);
  const detail = planFigures({ tasks: plan.tasks, waves: grouping });
  return { status: 'done', detail, report: { lessons: { applied: texts } } };
}

/** What is to come once there is a plan. */
function outlineOf(grouping: readonly (readonly string[])[]): readonly StepOutline[] {
  return [
    ...grouping.map((_, index) => ({ key: `W${index + 1}`, kind: 'task', title: waveLabel(grouping, index) })),
    ...(grouping.length > 1 ? [{ key: 'integration', kind: 'integration', title: 'Integration test' }] : []),
    { key: 'learning', kind: 'learn', title: 'Learn' },
  ];
}

/** `Wave 1/2 [T1, T2]`. */
function waveLabel(grouping: readonly (readonly string[])[], index: number): string {
  return `Wave ${index + 1}/${grouping.length} [${grouping[index]?.join(', ') ?? ''}]`;
}

interface Done {
  readonly outcome: TaskOutcome;
  readonly data: WaveData;
}

interface Known {
  readonly input: WavesInput;
  readonly plan: Plan;
  readonly grouping: readonly (readonly string[])[];
  readonly all: readonly Task[];
  readonly checks: Checks;
}

/** The plan's own commands hold for a wave once its turn has come: what a later one adds is not there yet. */
function checksOf({ checks }: Known, present: readonly Task[]): Checks {
  return { ...checks, entries: verifyOf(present) };
}

async function workThrough(bench: Bench, known: Known): Promise<readonly Done[]> {
  const { input, all } = known;
  const outcomes = await inOrder(
    bench,
    all,
    async (lane, wave, before) => {
      const done = before.map(readDone);
      const present = [...mergedOf(all, done), wave];
      const brief = waveBrief(known, done, [wave]);
      return runWave(lane, wave, { input, waves: all, checks: checksOf(known, present), brief });
    },
    {
      label: ({ id }) =>
        waveLabel(
          known.grouping,
          all.findIndex((wave) => wave.id === id),
        ),
      parts: ({ id }) => known.grouping[all.findIndex((wave) => wave.id === id)] ?? [],
    },
  );
  return outcomes.map(readDone);
}

function readDone(outcome: TaskOutcome): Done {
  return { outcome, data: readWaveData(outcome.data) };
}

function mergedOf(all: readonly Task[], done: readonly Done[]): readonly Task[] {
  return all.filter(({ id }) => done.some(({ outcome }) => outcome.task === id && outcome.status === 'done'));
}

/** About the waves `now`, with what those before them left and what is not there. */
function waveBrief({ input, plan, grouping, all }: Known, done: readonly Done[], now: readonly Task[]): WaveBrief {
  const tasksOf = (wave: Task): readonly Task[] => {
    const ids = grouping[all.indexOf(wave)] ?? [];
    return plan.tasks.filter((task) => ids.includes(task.id));
  };
  return {
    input,
    waves: now.map((wave) => ({ id: wave.id, tasks: tasksOf(wave) })),
    total: all.length,
    handoffs: done
      .filter(({ outcome }) => outcome.status === 'done')
      .map(({ outcome, data }) => ({ wave: outcome.task, handoff: data.handoff })),
    missing: done
      .filter(({ outcome }) => outcome.status !== 'done')
      .map(({ outcome: { task, status, reason } }) => ({ wave: task, reason: `${status}: ${reason}` })),
  };
}

async function wholeTest(bench: Bench, known: Known, done: readonly Done[]): Promise<Integration | undefined> {
  const { input, all } = known;
  const merged = mergedOf(all, done);
  if (all.length < 2 || merged.length === 0) return undefined;
  const start = { kind: 'integration', title: 'Integration test', end: describeIntegration };
  return bench.step('integration', start, () =>
    testIntegration(bench, {
      input,
      waves: merged,
      checks: checksOf(known, merged),
      brief: waveBrief(known, done, merged),
      briefOf: (id) =>
        waveBrief(
          known,
          done,
          merged.filter((wave) => wave.id === id),
        ),
      sessions: new Map(done.map(({ outcome, data }) => [outcome.task, data.session])),
    }),
  );
}

function describeIntegration(integration: Integration): StepEndInput {
  const found = integration.found === 0 ? 'no bugs found' : `${counted(integration.found, 'bug')} found`;
  if (integration.status === 'passed') return { status: 'done', detail: `passed, ${found}` };
  return { status: integration.status, detail: integration.reason };
}

interface Told {
  readonly input: WavesInput;
  readonly planned: Extract<Planned, { status: 'approved' }>;
  readonly done: readonly Done[];
  readonly integration: Integration | undefined;
}

async function learnFrom(bench: Bench, { input, planned, done, integration }: Told): Promise<number> {
  const about = { input, story: story(done, integration), known: planned.lessons };
  return learn(bench, {
    input,
    applied: planned.applied,
    succeeded: done.every(({ outcome }) => outcome.status === 'done') && (integration?.status ?? 'passed') === 'passed',
    brief: (recovery) => learnerBrief(about, recovery),
  });
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
  {
    known,
    done,
    integration,
    lessons,
  }: { known: Known; done: readonly Done[]; integration: Integration | undefined; lessons: number },
): Promise<WorkflowResult> {
  const { commit, judge } = await bench.perform('integration.read', 'final', {});
  const checks = checksOf(known, mergedOf(known.all, done));
  const unconfirmed = commit === bench.run.base ? undefined : await confirmResult(bench, { commit, judge, checks });
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
  const reasons = [...failed, ...broken, ...(unconfirmed === undefined ? [] : [unconfirmed])];
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
