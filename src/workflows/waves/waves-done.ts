/**
 * What the waves of a run left behind: what the briefs of later sessions say about it, the story that lessons are drawn
 * from, and the run's result. Pure.
 */
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import { verifyOf } from '../../plan/verify-entries.ts';
import type { Checks } from '../moves/verify.ts';
import type { WaveBrief } from './briefs.ts';
import type { Integration } from './test-integration.ts';
import { readWaveData, type WaveData } from './wave-data.ts';
import type { WavesInput } from './waves-input.ts';

/** The approved plan, and what its waves are checked with. */
export interface PlannedWaves {
  readonly input: WavesInput;
  readonly plan: Plan;
  readonly grouping: readonly (readonly string[])[];
  readonly all: readonly Task[];
  readonly checks: Checks;
}

export interface DoneWave {
  readonly outcome: TaskOutcome;
  readonly data: WaveData;
}

export function readDoneWave(outcome: TaskOutcome): DoneWave {
  return { outcome, data: readWaveData(outcome.data) };
}

export function mergedWaves(all: readonly Task[], done: readonly DoneWave[]): readonly Task[] {
  return all.filter(({ id }) => done.some(({ outcome }) => outcome.task === id && outcome.status === 'done'));
}

/** The plan's own commands hold for a wave once its turn has come: what a later one adds is not there yet. */
export function checksOfWaves({ checks }: PlannedWaves, present: readonly Task[]): Checks {
  return { ...checks, entries: verifyOf(present) };
}

/** About the waves `now`, with what those before them left and what is not there. */
export function briefOfWaves(
  { input, plan, grouping, all }: PlannedWaves,
  done: readonly DoneWave[],
  now: readonly Task[],
): WaveBrief {
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

/** What happened, for the learner. */
export function storyOfWaves(done: readonly DoneWave[], integration: Integration | undefined): string {
  const lines = done.map(({ outcome, data }) => {
    const bugs = data.open.map((bug) => `; open: ${bug.title}`).join('');
    return `${outcome.task}: ${outcome.status}${outcome.reason === '' ? '' : ` (${outcome.reason})`}; ${data.found} bug(s) found in ${data.rounds} round(s)${bugs}; deviations: ${data.handoff.deviations.join('; ') || 'none'}`;
  });
  const whole =
    integration === undefined ? [] : [`Integration test: ${integration.status}, ${integration.found} bug(s) found`];
  return [...lines, ...whole].join('\n');
}

/** Why the run fails: waves that were not merged, an integration test that did not pass. */
export function failuresOfWaves(done: readonly DoneWave[], integration: Integration | undefined): readonly string[] {
  const failed = done
    .filter(({ outcome }) => outcome.status !== 'done')
    .map(({ outcome }) => `${outcome.task}: ${outcome.reason}`);
  const broken =
    integration === undefined || integration.status === 'passed' ? [] : [`integration test: ${integration.reason}`];
  return [...failed, ...broken];
}

/** The run's output, without what publishing adds. */
export function outputOfWaves(done: readonly DoneWave[], integration: Integration | undefined) {
  const remaining = [
    ...done.flatMap(({ data }) => data.open),
    ...(integration !== undefined && integration.status !== 'passed' ? integration.bugs : []),
  ];
  const found = done.reduce((sum, { data }) => sum + data.found, 0) + (integration?.found ?? 0);
  return {
    outcomes: done.map(({ outcome: { task, status, reason } }) => ({ task, status, reason })),
    bugsFound: found,
    bugsFixed: found - remaining.length,
    remainingBugs: remaining,
    unverified: [
      ...done.flatMap(({ data }) => data.unverified),
      ...(integration?.status === 'unverified' ? [`integration: ${integration.reason}`] : []),
    ],
  };
}
