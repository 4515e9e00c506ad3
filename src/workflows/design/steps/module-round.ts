/** A round of a module: what it starts from, what it leaves, and how it fails. Types, and the few words they are made with. */
import type { Task } from '../../../plan/plan.ts';
import type { Passed, WorkDone } from '../../moves/build-until-passed.ts';
import type { BrokenRound, LoopOver, RedRound } from '../../moves/repeat-until-passed.ts';
import type { DeveloperSituation, ModuleSubject } from '../briefs/module-briefs.ts';
import type { PlanIssue } from '../role-results.ts';
import { type RoundStage, remainingAt } from '../rules/module-loop.ts';

export interface BuildRequest {
  /** Before keys: the task, and its merge round after the first. */
  readonly name: string;
  readonly task: Task;
  readonly subject: Omit<ModuleSubject, 'takenBack'>;
  readonly base: string;
  readonly judge: string;
  readonly start: DeveloperSituation;
  readonly notes: string[];
}

/** Where the work stands between two rounds. */
export interface ModuleStanding {
  readonly commit: string;
  readonly situation: DeveloperSituation;
  readonly session: string | undefined;
  /** A stronger model for the next developer. */
  readonly isHeavy: boolean;
  readonly rejects: number;
  readonly takenBack: readonly string[];
  /** Findings about the tester's own files. */
  readonly testFindings: readonly string[];
  readonly history: readonly string[];
  readonly retries: number;
  readonly hasReplanned: boolean;
  /** What the last red round counted, and where. */
  readonly last: { readonly stage: RoundStage; readonly count: number } | undefined;
}

export type ModuleOver =
  | { readonly kind: 'broken'; readonly reason: string; readonly commit: string; readonly retries: number }
  | { readonly kind: 'revision'; readonly issue: PlanIssue; readonly commit: string; readonly retries: number }
  | { readonly kind: 'skipped'; readonly reason: string; readonly commit: string; readonly retries: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly commit: string; readonly retries: number };

export type ModuleBuilt =
  | {
      readonly kind: 'passed';
      readonly passed: Passed;
      readonly retries: number;
      readonly message: RoundMessage;
      readonly standing: ModuleStanding;
    }
  | ModuleOver;

export interface RoundMessage {
  readonly description: string;
  readonly footer: string;
}

export interface ModuleWorked extends WorkDone {
  readonly standing: ModuleStanding;
  readonly message: RoundMessage;
}

export type RedModuleRound = RedRound<ModuleStanding>;
export type ModuleLoopOver = LoopOver<ModuleOver>;

export type WorkEnd = ModuleWorked | RedModuleRound | BrokenRound<ModuleStanding> | ModuleLoopOver;

export function fundamentalIssue(issue: PlanIssue | undefined, notes: string[]): PlanIssue | undefined {
  if (issue?.severity === 'minor') notes.push(`deviates from the plan: ${issue.evidence}`);
  return issue?.severity === 'fundamental' ? issue : undefined;
}

export function endLoop(issue: PlanIssue, commit: string, { retries }: ModuleStanding): ModuleLoopOver {
  return { status: 'over', result: { kind: 'revision', issue, commit, retries } };
}

export function redRound(
  standing: ModuleStanding,
  {
    situation,
    stage,
    count,
    reason,
  }: {
    readonly situation: DeveloperSituation;
    readonly stage: RoundStage;
    readonly count: number;
    readonly reason: string;
  },
): RedModuleRound {
  return {
    status: 'red',
    standing: {
      ...standing,
      situation,
      retries: standing.retries + 1,
      history: [...standing.history, reason],
      last: { stage, count },
    },
    reason,
    remaining: remainingAt(stage, count),
  };
}
