/** Where a run stands or stopped, as data and in words: for lists of interrupted runs, state, resuming. */
import { isOver } from '../engine/run-state.ts';
import type { Chronicle } from './chronicle.ts';
import { proposalOf } from './proposal.ts';
import { fixRounds, integrationRounds, roundsOf, type WavesStep, wavesStep } from './waves-keys.ts';

export type StepName =
  | 'plan'
  | 'wave_plan'
  | 'dev'
  | 'test'
  | 'fix'
  | 'retest'
  | 'integration_test'
  | 'integration_fix'
  | 'learn'
  | 'done';

export interface Position {
  readonly step: StepName;
  /** 0 before the first. */
  readonly wave: number;
  readonly fixRound: number;
  readonly integrationFixRound: number;
  /** In words, e.g. `wave 1/2, fixing (round 1/3)`. */
  readonly text: string;
}

/** Of a `waves` run. */
export function positionOf(chronicle: Chronicle): Position {
  const { state } = chronicle;
  const last = lastStep(chronicle);
  const reached = waveOf(last) ?? lastWave(chronicle);
  const fixRound = reached === 0 ? 0 : Math.max(0, roundsOf(chronicle, `W${reached}`).length - 1);
  const integrationFixRound = Math.max(0, integrationRounds(chronicle).length - 1);
  const step = isOver(state) ? 'done' : stepName(last, { fixRound, hasPlan: proposalOf(chronicle) !== undefined });
  const total = proposalOf(chronicle)?.waves.length ?? 0;
  const words = describe(step, { wave: `wave ${reached}/${total}`, fixRound, integrationFixRound });
  return { step, wave: reached, fixRound, integrationFixRound, text: words };
}

/** The newest step that was begun; steps are in the order they began. */
function lastStep({ state }: Chronicle): WavesStep | undefined {
  let last: WavesStep | undefined;
  for (const key of state.effects.keys()) {
    const step = wavesStep(key);
    if (step !== undefined && !quiet.has(step.step)) last = step;
  }
  return last;
}

const quiet: ReadonlySet<WavesStep['step']> = new Set(['recall', 'baseline', 'save', 'publish']);

function waveOf(step: WavesStep | undefined): number | undefined {
  return step !== undefined && 'wave' in step && step.step !== 'integration-fix' ? step.wave : undefined;
}

function lastWave({ state }: Chronicle): number {
  return Math.max(0, ...[...state.tasks.keys()].map((id) => Number(/^W(\d+)$/.exec(id)?.[1] ?? 0)));
}

function stepName(last: WavesStep | undefined, at: { fixRound: number; hasPlan: boolean }): StepName {
  if (last === undefined) return 'plan';
  if (last.step === 'plan') return at.hasPlan ? 'wave_plan' : 'plan';
  if (last.step === 'learn') return 'learn';
  if (last.step === 'integration-fix') return 'integration_fix';
  if (last.step.startsWith('integration-')) return 'integration_test';
  if (last.step === 'develop') return at.fixRound === 0 ? 'dev' : 'fix';
  return at.fixRound === 0 ? 'test' : 'retest';
}

function describe(
  step: StepName,
  { wave, fixRound, integrationFixRound }: { wave: string; fixRound: number; integrationFixRound: number },
): string {
  const words: Readonly<Record<StepName, string>> = {
    plan: 'planning',
    wave_plan: 'plan ready, not approved yet',
    dev: `${wave}, developing`,
    test: `${wave}, testing`,
    fix: `${wave}, fixing (round ${fixRound}/${fixRounds})`,
    retest: `${wave}, testing again (round ${fixRound}/${fixRounds})`,
    integration_test: 'integration test',
    integration_fix: `integration test, fixing (round ${integrationFixRound}/${fixRounds})`,
    learn: 'learning',
    done: 'over',
  };
  return words[step];
}
