/**
 * Whether a loop of work goes on, from nothing but what its rounds measured. A loop goes on while a number falls: a round
 * improves when it leaves less than any round since the strategy last changed, so a number that swings up and down does not
 * count. When nothing improves, the escalations of the policy are tried, each once and in order; then the loop stops. The
 * number of rounds is bounded even while they improve. Pure: a policy is data, and a decision follows from the events.
 */

/** How long a loop may go on. `E` names the escalations, such as `replan` and `diagnose`. */
export interface ProgressPolicy<E extends string = never> {
  /** How many rounds may be measured, the first included. */
  readonly rounds: number;
  /** How many rounds in a row may pass without improvement. Without it, only `rounds` and a round's own verdict count. */
  readonly flatRounds?: number;
  /** What is tried when nothing improves. */
  readonly escalations?: readonly E[];
  /** What is tried when the rounds are used up. Each one buys a single round more. */
  readonly lastEscalations?: readonly E[];
  /** How many rounds in a row may fail for reasons outside the work. They do not count as rounds. By default 1. */
  readonly infrastructureRetries?: number;
}

export type ProgressEvent<E extends string = never> =
  /** What the round left to fix: failing tests, required findings. `isStalled`: a rule of its own says more is pointless. */
  | { readonly type: 'measured'; readonly remaining?: number | undefined; readonly isStalled?: boolean | undefined }
  | { readonly type: 'infrastructure' }
  /** The strategy changed. Flat rounds count from the next measurement on. */
  | { readonly type: 'escalated'; readonly to: E };

/** Why a loop stops: nothing improves, its rounds are used up, or the infrastructure keeps failing. */
export type StalledAt = 'progress' | 'ceiling' | 'infrastructure';

export type NextMove<E extends string = never> =
  | { readonly next: 'again' }
  | { readonly next: 'escalate'; readonly to: E; readonly stalledAt: StalledAt }
  | { readonly next: 'stop'; readonly stalledAt: StalledAt };

/** What follows a round that did not pass. */
export function nextMove<E extends string>(
  events: readonly ProgressEvent<E>[],
  policy: ProgressPolicy<E>,
): NextMove<E> {
  if (trailingInfrastructure(events) > (policy.infrastructureRetries ?? 1))
    return { next: 'stop', stalledAt: 'infrastructure' };
  const isFlat = isStalled(events, policy);
  const isUsedUp = measuredRounds(events) >= policy.rounds;
  if (!isFlat && !isUsedUp) return { next: 'again' };
  const stalledAt = isFlat ? 'progress' : 'ceiling';
  const to = untried(events, (isUsedUp ? policy.lastEscalations : policy.escalations) ?? []);
  return to === undefined ? { next: 'stop', stalledAt } : { next: 'escalate', to, stalledAt };
}

/** Whether nothing follows the coming round unless it passes. */
export function isLastRound<E extends string>(events: readonly ProgressEvent<E>[], policy: ProgressPolicy<E>): boolean {
  const isLast = measuredRounds(events) + 1 >= policy.rounds;
  return isLast && untried(events, policy.lastEscalations ?? []) === undefined;
}

function isStalled<E extends string>(events: readonly ProgressEvent<E>[], { flatRounds }: ProgressPolicy<E>): boolean {
  const last = events.at(-1);
  if (last?.type !== 'measured') return false;
  return last.isStalled === true || (flatRounds !== undefined && countFlatRounds(events) >= flatRounds);
}

/** Measurements since the last that improved. The first of a strategy always does; one without a number never does. */
function countFlatRounds(events: readonly ProgressEvent<string>[]): number {
  const strategy = events.slice(events.findLastIndex(({ type }) => type === 'escalated') + 1);
  let best: number | undefined;
  let flat = 0;
  for (const event of strategy) {
    if (event.type !== 'measured') continue;
    const remaining = event.remaining ?? Number.POSITIVE_INFINITY;
    flat = best === undefined || remaining < best ? 0 : flat + 1;
    best = Math.min(best ?? remaining, remaining);
  }
  return flat;
}

function measuredRounds(events: readonly ProgressEvent<string>[]): number {
  return events.filter(({ type }) => type === 'measured').length;
}

function trailingInfrastructure(events: readonly ProgressEvent<string>[]): number {
  return events.length - 1 - events.findLastIndex(({ type }) => type !== 'infrastructure');
}

function untried<E extends string>(events: readonly ProgressEvent<E>[], escalations: readonly E[]): E | undefined {
  return escalations.find((to) => !events.some((event) => event.type === 'escalated' && event.to === to));
}
