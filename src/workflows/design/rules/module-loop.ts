/**
 * How long a module is tried: while failures or required findings get fewer, or it gets further than before. Three flat
 * rounds call for a new strategy, three more for a diagnosis, three more for a person; twenty retries for a person too.
 * A phase and the acceptance are fixed by the same rule with their own numbers. Data for policy/progress.ts. Pure.
 */
import type { ProgressPolicy } from '../../../policy/progress.ts';

export type ModuleEscalation = 'replan' | 'diagnose' | 'decide';

export const moduleLoop: ProgressPolicy<ModuleEscalation> = {
  rounds: 21,
  flatRounds: 3,
  escalations: ['replan', 'diagnose', 'decide'],
  // A diagnosis comes with it, so that a person has something to choose from.
  lastEscalations: ['decide'],
};

export type FixEscalation = 'new-approach' | 'decide';

export const fixLoop: ProgressPolicy<FixEscalation> = {
  rounds: 11,
  flatRounds: 3,
  escalations: ['new-approach', 'decide'],
  lastEscalations: ['decide'],
};

/** In the order in which a round meets them. */
const roundStages = ['gate', 'test', 'checks', 'discipline', 'review', 'merge'] as const;
export type RoundStage = (typeof roundStages)[number];

/** One number that falls when less fails and when the work gets further. */
export function remainingAt(stage: RoundStage, count: number): number {
  return (roundStages.length - roundStages.indexOf(stage)) * stageWeight + Math.min(count, stageWeight - 1);
}

const stageWeight = 10_000;
