/**
 * How often the work of a task was measured and what came of it each time: its rounds with a score, as the workflow
 * reported them. A cause that a step after a round names belongs to that round.
 */
import type { Place } from '../engine/facts.ts';
import type { Chronicle } from './chronicle.ts';
import { entriesAt } from './outline.ts';
import { taskKey } from './task-names.ts';

export interface IterationAttempt {
  readonly timestamp: string;
  readonly status: string;
  readonly score: number;
  readonly issues: readonly string[];
  readonly stagnant: boolean;
  readonly rootCause?: string;
}

export interface IterationState {
  readonly attempts: readonly IterationAttempt[];
  readonly scores: readonly number[];
  readonly stagnant: boolean;
  readonly lastStatus?: string;
  readonly lastRootCause?: string;
}

export const noIterations: IterationState = { attempts: [], scores: [], stagnant: false };

export function taskAttempts({ state, outline }: Chronicle, task: string): IterationState {
  const key = taskKey(state, task);
  if (key === undefined) return noIterations;
  const place: Place = { type: 'task', key };
  const attempts: IterationAttempt[] = [];
  for (const entry of entriesAt(outline, state, place)) {
    const end = entry.type === 'step' ? state.steps.get(entry.key)?.end : undefined;
    const { score, stagnant, cause } = end?.figures ?? {};
    const last = attempts.at(-1);
    if (typeof cause === 'string' && last !== undefined) attempts.splice(-1, 1, { ...last, rootCause: cause });
    if (end === undefined || typeof score !== 'number') continue;
    attempts.push({
      timestamp: end.at,
      status: end.status === 'done' ? 'passed' : 'failed',
      score,
      issues: end.lines,
      stagnant: stagnant === true,
    });
  }
  const lastStatus = state.tasks.get(key)?.outcome?.status ?? attempts.at(-1)?.status;
  const lastRootCause = attempts.findLast(({ rootCause }) => rootCause !== undefined)?.rootCause;
  return {
    attempts,
    scores: attempts.map(({ score }) => score),
    stagnant: attempts.at(-1)?.stagnant ?? false,
    ...(lastStatus === undefined ? {} : { lastStatus }),
    ...(lastRootCause === undefined ? {} : { lastRootCause }),
  };
}
