/**
 * Rounds until one passes, something else ends them, or the policy stops them. This is the one loop behind everything that
 * is tried, measured and tried again: building, reviewing a whole change, checking a plan. What happens in a round is the
 * caller's; whether another follows is decided by `policy/progress.ts` alone. Rounds are numbered from 1 without gaps, so
 * that `${name}/work#${round}` is a key. Nothing is kept here that a replay would not compute again.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepStart } from '../../engine/steps.ts';
import {
  isLastRound,
  nextMove,
  type ProgressEvent,
  type ProgressPolicy,
  type StalledAt,
} from '../../policy/progress.ts';

/** A round, and where the work stands when it starts. */
export interface RoundStart<S> {
  readonly round: number;
  /** Nothing follows this round unless it passes: what only a person can decide is asked now. */
  readonly isLast: boolean;
  readonly standing: S;
}

/** It did not pass. `standing` is where the next round starts. */
export interface RedRound<S> {
  readonly status: 'red';
  readonly standing: S;
  readonly reason: string;
  /** What is left to fix. The number has to fall where the policy limits flat rounds. */
  readonly remaining?: number;
  /** A rule of the caller says that another round like this one is pointless. */
  readonly isStalled?: boolean;
}

/** Something outside the work failed. The round is repeated and does not count. */
export interface BrokenRound<S> {
  readonly status: 'infrastructure';
  readonly standing: S;
  readonly reason: string;
}

/** Something other than the policy ends the loop: an agent is blocked, a person refuses. */
export interface LoopOver<O> {
  readonly status: 'over';
  readonly result: O;
}

export type RoundEnd<S, P, O> =
  | { readonly status: 'passed'; readonly result: P }
  | RedRound<S>
  | BrokenRound<S>
  | LoopOver<O>;

/** `isFresh`: rounds and escalations count from zero again, such as after a person decided to go on. */
export type ResumedRounds<S, O> =
  | { readonly status: 'again'; readonly standing: S; readonly isFresh?: boolean }
  | LoopOver<O>;

export interface Rounds<S, P, O, E extends string = never> {
  readonly policy: ProgressPolicy<E>;
  /** Where the work stands before the first round. */
  readonly start: S;
  /** Makes each round a step: its key, and what people read about it. */
  readonly step?: (at: RoundStart<S>) => StepStart<RoundEnd<S, P, O>> & { readonly key: string };
  readonly round: (at: RoundStart<S>) => Promise<RoundEnd<S, P, O>>;
  /** Fixes what a red round left, inside that round's step. Only called when another round follows. */
  readonly fix?: (red: RedRound<S>, at: RoundStart<S>) => Promise<ResumedRounds<S, O>>;
  /** Changes the strategy when nothing improves: replan, diagnose, ask a person. */
  readonly escalate?: (escalation: RoundsEscalation<S, E>) => Promise<ResumedRounds<S, O>>;
}

export interface RoundsEscalation<S, E extends string> {
  readonly to: E;
  readonly stalledAt: StalledAt;
  /** Of the round that led here. */
  readonly round: number;
  readonly standing: S;
  readonly reason: string;
}

export type RoundsEnd<S, P, O> =
  | { readonly status: 'passed'; readonly result: P; readonly rounds: number }
  | { readonly status: 'over'; readonly result: O; readonly rounds: number }
  | {
      readonly status: 'stalled';
      readonly stalledAt: StalledAt;
      readonly standing: S;
      readonly reason: string;
      readonly rounds: number;
    };

export async function repeatUntilPassed<S, P, O = never, E extends string = never>(
  bench: Pick<Bench, 'step'>,
  rounds: Rounds<S, P, O, E>,
): Promise<RoundsEnd<S, P, O>> {
  const { policy } = rounds;
  let events: readonly ProgressEvent<E>[] = [];
  let { start: standing } = rounds;
  for (let round = 1; ; round += 1) {
    const at = { round, isLast: isLastRound(events, policy), standing };
    const { end, resumed } = await playRound(bench, rounds, at, events);
    if (end.status === 'passed' || end.status === 'over') return { ...end, rounds: round };
    events = [...events, eventOf(end)];
    let next = resumed;
    const move = nextMove(events, policy);
    if (move.next === 'stop') {
      const { reason } = end;
      return { status: 'stalled', stalledAt: move.stalledAt, standing: end.standing, reason, rounds: round };
    }
    if (move.next === 'escalate') {
      const { to, stalledAt } = move;
      if (rounds.escalate === undefined) throw new Error(`nobody handles the escalation ${to}`);
      next = await rounds.escalate({ to, stalledAt, round, standing: end.standing, reason: end.reason });
      events = [...events, { type: 'escalated', to }];
    }
    if (next.status === 'over') return { ...next, rounds: round };
    ({ standing } = next);
    if (next.isFresh === true) events = [];
  }
}

interface Played<S, P, O> {
  readonly end: RoundEnd<S, P, O>;
  /** What its fix came to, where another round follows. */
  readonly resumed: ResumedRounds<S, O>;
}

async function playRound<S, P, O, E extends string>(
  bench: Pick<Bench, 'step'>,
  rounds: Rounds<S, P, O, E>,
  at: RoundStart<S>,
  events: readonly ProgressEvent<E>[],
): Promise<Played<S, P, O>> {
  const { policy, round, fix } = rounds;
  const play = async (): Promise<Played<S, P, O>> => {
    const end = await round(at);
    if (end.status === 'passed') return { end, resumed: { status: 'again', standing: at.standing } };
    if (end.status === 'over') return { end, resumed: end };
    const isFixed = end.status === 'red' && nextMove([...events, eventOf(end)], policy).next === 'again';
    if (!isFixed || fix === undefined) return { end, resumed: { status: 'again', standing: end.standing } };
    return { end, resumed: await fix(end, at) };
  };
  if (rounds.step === undefined) return play();
  const { key, end: describe, ...start } = rounds.step(at);
  return bench.step(key, describe === undefined ? start : { ...start, end: ({ end }) => describe(end) }, play);
}

function eventOf<S, E extends string>(end: RedRound<S> | BrokenRound<S>): ProgressEvent<E> {
  if (end.status === 'infrastructure') return { type: 'infrastructure' };
  return { type: 'measured', remaining: end.remaining, isStalled: end.isStalled };
}
