/**
 * A loop goes on only while a measured number improves. Improvement is a new best since the strategy
 * last changed, so a number that swings up and down does not count. Flat rounds lead from retry to one
 * replan, then to one diagnosis, then to a person; a ceiling on all rounds holds even with progress,
 * and trouble of the infrastructure goes to a person at once when it repeats.
 */

export type Round =
  /** What is left to fix after the round: failing tests, required findings. */
  | { readonly type: 'measured'; readonly failures: number }
  | { readonly type: 'infrastructure' }
  /** The strategy was changed; flat rounds are counted anew from the next measurement. */
  | { readonly type: 'replanned' }
  | { readonly type: 'diagnosed' };

export type NextMove =
  | { readonly next: 'done' }
  | { readonly next: 'retry' }
  | { readonly next: 'replan' }
  /** Look for the cause; a way that costs no quality may be tried, anything else is a person's decision. */
  | { readonly next: 'diagnose' }
  | { readonly next: 'decide'; readonly stalledAt: 'progress' | 'ceiling' | 'infrastructure' };

export interface ProgressLimits {
  readonly flatRounds: number;
  readonly retries: number;
  readonly infrastructure: number;
}

const progressLimits: ProgressLimits = { flatRounds: 3, retries: 20, infrastructure: 2 };

export function nextMove(rounds: readonly Round[], limits: ProgressLimits = progressLimits): NextMove {
  const last = rounds.at(-1);
  if (last?.type === 'measured' && last.failures === 0) return { next: 'done' };
  if (trailing(rounds, 'infrastructure') >= limits.infrastructure)
    return { next: 'decide', stalledAt: 'infrastructure' };
  const worked = rounds.filter((round) => round.type === 'measured' || round.type === 'infrastructure').length;
  if (worked > limits.retries) return { next: 'decide', stalledAt: 'ceiling' };
  if (flatRounds(rounds) < limits.flatRounds) return { next: 'retry' };
  if (!rounds.some((round) => round.type === 'replanned')) return { next: 'replan' };
  if (!rounds.some((round) => round.type === 'diagnosed')) return { next: 'diagnose' };
  return { next: 'decide', stalledAt: 'progress' };
}

function trailing(rounds: readonly Round[], type: Round['type']): number {
  return rounds.length - 1 - rounds.findLastIndex((round) => round.type !== type);
}

/** Measurements since the last one that was a new best; the first of a strategy always is. */
function flatRounds(rounds: readonly Round[]): number {
  let best = Number.POSITIVE_INFINITY;
  let flat = 0;
  for (const round of rounds) {
    if (round.type === 'replanned' || round.type === 'diagnosed') {
      best = Number.POSITIVE_INFINITY;
      flat = 0;
    } else if (round.type === 'measured') {
      flat = round.failures < best ? 0 : flat + 1;
      best = Math.min(best, round.failures);
    }
  }
  return flat;
}
