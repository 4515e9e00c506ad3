/**
 * What to do with a task whose work passed the checks and still lacks what its plan promised: try again, split it, drop
 * a promise that cannot be kept, or leave it to a person. A table over signals that the engine measured. Pure.
 */
import type { ContextSeverity } from './context-severity.ts';

export type RepairStrategy = 'retry' | 'decompose' | 'prune' | 'blocked';

export interface RepairSignals {
  /** Promised files that are not there. */
  readonly missingArtifacts: number;
  /** Files that are stubs or too short. */
  readonly notSubstantive: number;
  /** Files that nothing uses, and links between files that are not there. */
  readonly notWired: number;
  /** Names that the plan builds on and nobody defines. */
  readonly missingSymbols: number;
  readonly tests: { readonly disabled: number; readonly weak: number };
  readonly isLarge: boolean;
}

export interface RepairQuestion {
  readonly signals: RepairSignals;
  readonly severity?: ContextSeverity | undefined;
  /** Trouble that repairing would only repeat. */
  readonly shape?: 'context_overflow' | 'other' | undefined;
  /** What the worker says about a promise it did not keep. */
  readonly explained?: 'contradictory' | 'impossible' | undefined;
}

export interface Repair {
  readonly strategy: RepairStrategy;
  readonly reason: string;
}

/** Where nothing is known there is nothing to repair by. */
export function classifyRepair(question: RepairQuestion | undefined): Repair {
  if (question === undefined) return { strategy: 'blocked', reason: 'nothing is known about what is missing' };
  const { signals, severity, shape, explained } = question;
  if (severity === 'critical') {
    return { strategy: 'blocked', reason: 'the context is nearly used up, so nothing is split or dropped' };
  }
  if (shape === 'context_overflow') return { strategy: 'blocked', reason: 'the work does not fit into the context' };
  if (explained !== undefined)
    return { strategy: 'prune', reason: `the worker shows that the promise is ${explained}` };
  const { missingArtifacts, notSubstantive, notWired, missingSymbols, tests, isLarge } = signals;
  if (isLarge && missingArtifacts >= 2) {
    return { strategy: 'decompose', reason: `${missingArtifacts} promised files of a large task are missing` };
  }
  if (isLarge && missingSymbols >= 2) {
    return { strategy: 'decompose', reason: `${missingSymbols} names that a large task builds on are missing` };
  }
  if (notSubstantive > 0)
    return { strategy: 'retry', reason: `${notSubstantive} promised files are stubs or too short` };
  if (notWired > 0) return { strategy: 'retry', reason: `${notWired} promised files or links are not used` };
  if (tests.disabled > 0) return { strategy: 'retry', reason: `${tests.disabled} tests are switched off` };
  if (tests.weak > 0) return { strategy: 'retry', reason: `${tests.weak} tests prove too little` };
  if (missingArtifacts === 1) return { strategy: 'retry', reason: 'one promised file is missing' };
  return { strategy: 'blocked', reason: 'nothing that was measured says how to repair it' };
}

export interface TaskSize {
  /** What the plan says itself, where it does. */
  readonly isLarge?: boolean | undefined;
  readonly steps: number;
  readonly artifacts: number;
  readonly lines: number;
}

export function isLargeTask({ isLarge, steps, artifacts, lines }: TaskSize): boolean {
  return isLarge ?? (steps > 5 || artifacts >= 3 || lines > 250);
}

export interface DroppedRequirements {
  readonly dropped: readonly string[];
  readonly isCapped: boolean;
}

export const mostReinjected = 10;

/** What was promised and not delivered, for the next unit. What was dropped on purpose is not asked for again. */
export function droppedRequirements(about: {
  readonly planned: readonly string[];
  /** Undefined where nothing was measured: then nothing is known to be missing. */
  readonly delivered: readonly string[] | undefined;
  readonly pruned: readonly string[];
}): DroppedRequirements {
  const { planned, delivered, pruned } = about;
  if (delivered === undefined) return { dropped: [], isCapped: false };
  const open = planned.filter((one) => !delivered.includes(one) && !pruned.includes(one));
  return { dropped: open.slice(0, mostReinjected), isCapped: open.length > mostReinjected };
}
