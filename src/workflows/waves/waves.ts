/**
 * The workflow `waves`: a requirement is planned with a person, developed and tested wave by wave, tested as a
 * whole, learnt from, and published as a branch. It reads as it runs; every step is keyed, every loop bounded.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput, StepOutline } from '../../engine/facts.ts';
import { verifyOf } from '../../plan/verify-entries.ts';
import { countText } from '../../views/figures.ts';
import { learn } from '../moves/learn.ts';
import { publishResult } from '../moves/publish-result.ts';
import { addPlanned, readyChecks } from '../moves/ready-checks.ts';
import { learnerBrief } from './briefs.ts';
import { planWaves, type WavePlanning } from './plan-waves.ts';
import { runWave } from './run-wave.ts';
import { type Integration, testIntegration } from './test-integration.ts';
import { runInOrder } from './wave-order.ts';
import { waveTasks } from './wave-rules.ts';
import { planFigures } from './wave-wording.ts';
import {
  briefOfWaves,
  checksOfWaves,
  type DoneWave,
  failuresOfWaves,
  mergedWaves,
  outputOfWaves,
  type PlannedWaves,
  readDoneWave,
  storyOfWaves,
} from './waves-done.ts';
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
  const waves = { input, plan: planned.plan, grouping: planned.waves, all, checks };
  const done = await workThrough(bench, waves);
  const integration = await testWhole(bench, waves, done);
  const lessonsAdded = await learn(bench, {
    input,
    applied: planned.applied,
    succeeded: failuresOfWaves(done, integration).length === 0,
    brief: (recovery) =>
      learnerBrief({ input, story: storyOfWaves(done, integration), known: planned.lessons }, recovery),
  });
  const { status, reason, published } = await publishResult(bench, {
    checks: checksOfWaves(waves, mergedWaves(all, done)),
    failures: failuresOfWaves(done, integration),
  });
  return { status, reason, output: { ...outputOfWaves(done, integration), lessonsAdded, ...published } };
}

function describePlanned(planned: WavePlanning): StepEndInput {
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

async function workThrough(bench: Bench, waves: PlannedWaves): Promise<readonly DoneWave[]> {
  const { input, all, grouping } = waves;
  const placeOf = (id: string): number => all.findIndex((wave) => wave.id === id);
  const outcomes = await runInOrder(
    bench,
    all,
    async (lane, wave, before) => {
      const done = before.map(readDoneWave);
      const checks = checksOfWaves(waves, [...mergedWaves(all, done), wave]);
      return runWave(lane, wave, { input, waves: all, checks, brief: briefOfWaves(waves, done, [wave]) });
    },
    {
      label: ({ id }) => waveLabel(grouping, placeOf(id)),
      parts: ({ id }) => grouping[placeOf(id)] ?? [],
    },
  );
  return outcomes.map(readDoneWave);
}

async function testWhole(
  bench: Bench,
  waves: PlannedWaves,
  done: readonly DoneWave[],
): Promise<Integration | undefined> {
  const merged = mergedWaves(waves.all, done);
  if (waves.all.length < 2 || merged.length === 0) return undefined;
  const start = { kind: 'integration', title: 'Integration test', end: describeIntegration };
  const only = (id: string) => merged.filter((wave) => wave.id === id);
  return bench.step('integration', start, () =>
    testIntegration(bench, {
      input: waves.input,
      waves: merged,
      checks: checksOfWaves(waves, merged),
      brief: briefOfWaves(waves, done, merged),
      briefOf: (id) => briefOfWaves(waves, done, only(id)),
      sessions: new Map(done.map(({ outcome, data }) => [outcome.task, data.session])),
    }),
  );
}

function describeIntegration(integration: Integration): StepEndInput {
  const found = integration.found === 0 ? 'no bugs found' : `${countText(integration.found, 'bug')} found`;
  if (integration.status === 'passed') return { status: 'done', detail: `passed, ${found}` };
  return { status: integration.status, detail: integration.reason };
}
