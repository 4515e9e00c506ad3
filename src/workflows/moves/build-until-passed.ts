/**
 * A task becomes a commit that passed: agents work, the engine checks the commit, a review looks at both, and what is red
 * goes back while the policy allows another round (`repeat-until-passed.ts`). Guarantees: nothing passes that the engine
 * did not verify on that very commit, whatever a review says; a check is judged by the judge of the base and by changes
 * that were accepted in earlier rounds; the last round says so, so that a person is asked where it is theirs to decide.
 */
import type { Bench } from '../../engine/bench.ts';
import type { Task } from '../../plan/plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { Finding, RedGreen } from '../../policy/finding.ts';
import type { LeftBehind, ScopeFlag, ScopeSettings } from '../../policy/receipt.ts';
import {
  type LoopOver,
  type BrokenRound,
  type RedRound,
  repeatUntilPassed,
  type Rounds,
  type RoundsEnd,
  type RoundStart,
} from './repeat-until-passed.ts';
import type { Checks, JudgingBasis, Verified, VerifyRequest } from './verify.ts';

/** What the agents of a round left. */
export interface WorkDone {
  readonly status: 'worked';
  readonly commit: string;
  readonly leftBehind: readonly LeftBehind[];
}

/** A commit that the engine verified, ready to be integrated. */
export interface Passed {
  readonly status: 'passed';
  readonly commit: string;
  readonly base: string;
  readonly report: CheckReport;
  readonly redGreen: readonly RedGreen[];
  readonly findings: readonly Finding[];
  readonly leftBehind: readonly LeftBehind[];
  /** What was accepted about it: changes of what judges, evidence that a person or the settings let pass. */
  readonly accepted: readonly ScopeFlag[];
}

/** The round that passed. */
export interface Built<W extends WorkDone> {
  readonly passed: Passed;
  readonly worked: W;
}

/** `S` is where the work stands between rounds, `W` what a round's agents left, `C` what the engine found out about it. */
export interface BuildRequest<S, W extends WorkDone, C extends { readonly verified: Verified }, O, E extends string>
  extends Omit<Rounds<S, Built<W>, O, E>, 'round'> {
  readonly task: Task;
  readonly checks: Checks;
  readonly scope: ScopeSettings;
  readonly base: string;
  /** The commit whose scripts and configuration judge, until a change of them is accepted. */
  readonly judge: string;
  /** Agents work. Red here means that checks are not worth running yet. */
  readonly work: (at: RoundStart<S>) => Promise<W | RedRound<S> | BrokenRound<S> | LoopOver<O>>;
  /** The engine looks at the commit: `verify`, and whatever else it measures. */
  readonly check: (request: VerifyRequest, at: RoundStart<S>) => Promise<C>;
  /** Weighs what the engine found out. Where the checks passed, reviewers can be asked here. */
  readonly review: (about: {
    readonly worked: W;
    readonly checked: C;
    readonly at: RoundStart<S>;
  }) => Promise<Reviewed<S, O>>;
  /** Integrates what passed as part of the round, where a merge that fails may send it back. */
  readonly land?: (built: Built<W>, at: RoundStart<S>) => Promise<Reviewed<S, O>>;
}

export type Reviewed<S, O> = { readonly status: 'passed' } | RedRound<S> | LoopOver<O>;

export function buildUntilPassed<
  S,
  W extends WorkDone,
  C extends { readonly verified: Verified },
  O = never,
  E extends string = never,
>(bench: Pick<Bench, 'step'>, request: BuildRequest<S, W, C, O, E>): Promise<RoundsEnd<S, Built<W>, O>> {
  const { task, checks, scope, base, judge, work, check, review, land, ...rounds } = request;
  let basis: JudgingBasis = { judge, accepted: [] };
  return repeatUntilPassed<S, Built<W>, O, E>(bench, {
    ...rounds,
    round: async (at) => {
      const worked = await work(at);
      if (worked.status !== 'worked') return worked;
      const { commit, leftBehind } = worked;
      const checked = await check({ task, checks, scope, base, commit, basis, last: at.isLast }, at);
      const { verified } = checked;
      ({ basis } = verified);
      const reviewed = await review({ worked, checked, at });
      if (reviewed.status !== 'passed') return reviewed;
      if (verified.status !== 'passed') throw new Error(`${task.id}: a review passed what the engine did not`);
      const { report, redGreen, findings } = verified;
      const { accepted } = basis;
      const passed = { status: 'passed', commit, base, report, redGreen, findings, leftBehind, accepted } as const;
      const landed = await land?.({ passed, worked }, at);
      return landed === undefined || landed.status === 'passed'
        ? { status: 'passed', result: { passed, worked } }
        : landed;
    },
  });
}
