/**
 * A module becomes a commit that passed, or the reason why not: a worker, a review whose errors go back before anything
 * is measured, validation, and while it fails an overseer's view and a debugger, three times at most. Blocked goes to a
 * person at once; what does not improve is not tried again.
 */
import type { Bench } from '../../engine/bench.ts';
import { repositoryPath } from '../../policy/finding-path.ts';
import type { Change } from '../../policy/receipt.ts';
import type { ReviewFinding } from '../../policy/review-finding.ts';
import type { Agreement, JudgedExpectation } from '../../policy/square.ts';
import type { Attempt } from '../../policy/stagnation.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { buildUntilPassed, type Passed } from '../moves/build-until-passed.ts';
import type { LoopOver, ResumedRounds } from '../moves/repeat-until-passed.ts';
import { type Checks, checkInput } from '../moves/verify.ts';
import {
  debuggerBrief,
  expectationsBrief,
  type ModuleBrief,
  type ModuleFailure,
  overseerBrief,
  reviewerBrief,
  type WorkerSituation,
  workerBrief,
} from './briefs.ts';
import type { ModuleData } from './module-data.ts';
import type { WorkerResult } from './role-results.ts';
import { askModuleRole } from './roles.ts';
import { type ContractModules, type Validation, validateModule } from './validate-module.ts';

export interface BuildModuleRequest {
  /** Before keys: the module's task, and its merge round after the first. */
  readonly name: string;
  readonly workspace: string;
  readonly brief: ModuleBrief;
  readonly checks: Checks;
  readonly modules: ContractModules;
  readonly base: string;
  readonly judge: string;
  readonly start: WorkerSituation;
  /** Counted into as the work goes on. */
  readonly data: ModuleData;
}

export type BuildOutcome =
  | { readonly status: 'passed'; readonly commit: string; readonly passed: Passed }
  | { readonly status: 'failed' | 'blocked'; readonly commit: string; readonly reason: string };

const mostReviewRounds = 2;
const mostRetries = 3;
/** The version of the workflow from which on checks run while the reviewer reads. */
const firstAhead = 4;

/** Where the work stands between two steps. */
interface Standing {
  readonly commit: string;
  readonly leftBehind: Passed['leftBehind'];
  /** Errors of the last review that nobody has fixed. */
  readonly errors: readonly ReviewFinding[];
  /** Keys of the sessions whose tool use shows how it was worked on. */
  readonly worked: readonly string[];
  readonly session: string | undefined;
  /** What the engine said last. */
  readonly validation?: Validation;
}

export async function buildModule(bench: Bench, request: BuildModuleRequest): Promise<BuildOutcome> {
  const { name, data, brief, base, judge, checks, modules } = request;
  const developed = await developAndReview(bench, request);
  if (developed.status !== 'again') return developed.result;
  const earlier: Attempt[] = [];
  const ended = await buildUntilPassed(bench, {
    task: brief.task,
    checks,
    scope: brief.input.scope,
    base,
    judge,
    policy: { rounds: 1 + mostRetriesOf(brief) },
    start: developed.standing,
    work: async ({ standing: { commit, leftBehind } }) => ({ status: 'worked', commit, leftBehind }),
    check: (asked, { round, standing }) =>
      validateModule(bench, `${name}/validate#${round}`, {
        request: {
          ...asked,
          review: (key, expectations) =>
            reviewExpectations(bench, key, { request, commit: standing.commit, expectations }),
        },
        modules,
        review: standing.errors,
        earlier,
      }),
    review: async ({ checked: validation, at: { standing } }) => {
      const { verified, verdict } = validation;
      const { commit } = standing;
      data.attempts += 1;
      data.score = verdict.score;
      if (verified.status === 'rejected') return unbuilt('failed', commit, verified.reason);
      if (verdict.passed && verified.status === 'passed') return { status: 'passed' };
      const { stagnant: isStalled, score } = verdict;
      const reason = firstOf(validation);
      return { status: 'red', standing: { ...standing, validation }, reason, remaining: 1 - score, isStalled };
    },
    fix: ({ standing }, { round }) => {
      const { validation } = standing;
      if (validation === undefined) throw new Error('a retry needs a validation');
      const history = earlier.map(describeAttempt);
      earlier.push(validation.attempt);
      return retry(bench, request, { round, validation, history, standing });
    },
  });
  if (ended.status === 'over') return ended.result;
  if (ended.status === 'passed') {
    const { passed } = ended.result;
    return { status: 'passed', commit: passed.commit, passed };
  }
  const { stalledAt, rounds, standing } = ended;
  const attempts = rounds === 1 ? 'one attempt' : `${rounds} attempts`;
  const why = stalledAt === 'progress' ? 'escalated, it does not improve' : `gave up after ${attempts}`;
  return { status: 'failed', commit: standing.commit, reason: `${why}: ${ended.reason}` };
}

const workerDoing: Readonly<Record<WorkerSituation['mode'], string>> = {
  implement: 'building',
  review: 'fixing what the reviewer found',
  conflict: 'building again on the newer head',
};

type Unbuilt = Exclude<BuildOutcome, { status: 'passed' }>;

/** The worker, and the reviewer's errors back to the same session, before anything is measured. */
async function developAndReview(bench: Bench, request: BuildModuleRequest): Promise<ResumedRounds<Standing, Unbuilt>> {
  const { name, workspace, brief, base, data } = request;
  let situation = request.start;
  let commit = base;
  let session: string | undefined;
  const worked: string[] = [];
  for (let round = 1; ; round += 1) {
    const asked = situation;
    const key = `${name}/develop#${round}`;
    const answer = await askModuleRole(bench, key, {
      input: brief.input,
      role: 'worker',
      title: round === 1 ? 'worker' : `worker, review round ${round}`,
      doing: workerDoing[asked.mode],
      task: brief.task.id,
      agent: brief.task.agent,
      workspace,
      commit,
      session,
      limits: limitsOf(brief),
      brief: (recovery) => workerBrief(brief, asked, recovery),
    });
    ({ commit, session } = answer);
    worked.push(key);
    if (answer.status !== 'accepted') return unbuilt('blocked', commit, `the worker: ${explainAnswer(answer)}`);
    if (answer.result.status === 'blocked') return unbuilt('blocked', commit, blockerOf(answer.result));
    note(data, remarks(answer.result, answer.changes));
    const ahead = checkAhead(bench, `${name}/review#${round}/check`, request, commit);
    // Awaited below, or of no use any more.
    ahead.catch(() => undefined);
    const review = await reviewModule(bench, `${name}/review#${round}`, request, commit);
    if (review.status !== 'ready') return review;
    const { errors } = review;
    if (errors.length === 0 || round > mostReviewRounds) {
      await ahead;
      return { status: 'again', standing: { commit, leftBehind: answer.leftBehind, errors, worked, session } };
    }
    situation = { mode: 'review', findings: errors };
  }
}

/**
 * Checks run while the reviewer reads. Validation asks for them again, in its own place, and gets what was found out here:
 * results are kept by the tree. Where the review sends the module back, nobody waits for them.
 */
async function checkAhead(bench: Bench, key: string, request: BuildModuleRequest, commit: string): Promise<void> {
  // Runs that were begun before do what they did.
  if (bench.run.workflowVersion < firstAhead) return;
  const { brief, checks, judge } = request;
  await bench.perform('check.run', key, checkInput(brief.task, checks, { commit, judge }));
}

function unbuilt(status: Unbuilt['status'], commit: string, reason: string): LoopOver<Unbuilt> {
  return { status: 'over', result: { status, commit, reason } };
}

type Reviewed = { readonly status: 'ready'; readonly errors: readonly ReviewFinding[] } | LoopOver<Unbuilt>;

async function reviewModule(bench: Bench, key: string, request: BuildModuleRequest, commit: string): Promise<Reviewed> {
  const { brief, base, workspace, data } = request;
  const diff = await bench.perform('diff.read', `${key}/diff`, { from: base, to: commit, chars: 60_000 });
  const own = await bench.perform('sources.read', `${key}/sources`, {
    commit,
    paths: brief.task.writes,
    chars: 60_000,
  });
  const answer = await askModuleRole(bench, key, {
    input: brief.input,
    role: 'reviewer',
    task: brief.task.id,
    workspace,
    commit,
    brief: (recovery) => reviewerBrief(brief, { diff, own }, recovery),
  });
  // Nobody looked at it, and that is not the same as nobody found anything.
  if (answer.status !== 'accepted')
    return unbuilt('failed', commit, `unverified, there is no review: ${explainAnswer(answer)}`);
  const { findings } = answer.result;
  data.warnings.push(...findings.filter((finding) => finding.severity !== 'error'));
  return { status: 'ready', errors: findings.filter((finding) => finding.severity === 'error') };
}

/** A reviewer who did not write the change says whether the plan's declaration covers it. No answer is not an agreement. */
async function reviewExpectations(
  bench: Bench,
  key: string,
  about: {
    readonly request: BuildModuleRequest;
    readonly commit: string;
    readonly expectations: readonly JudgedExpectation[];
  },
): Promise<Agreement> {
  const { brief, workspace } = about.request;
  const answer = await askModuleRole(bench, key, {
    input: brief.input,
    role: 'reviewer',
    task: brief.task.id,
    workspace,
    commit: about.commit,
    brief: (recovery) => expectationsBrief(brief, about.expectations, recovery),
  });
  const by = 'the reviewer';
  if (answer.status !== 'accepted') return { by, agrees: false, reason: explainAnswer(answer) };
  const errors = answer.result.findings.filter((finding) => finding.severity === 'error');
  return {
    by,
    agrees: errors.length === 0,
    reason: errors
      .map(({ claim }) => claim)
      .join('; ')
      .slice(0, 2000),
  };
}

async function retry(
  bench: Bench,
  request: BuildModuleRequest,
  about: {
    round: number;
    validation: Validation;
    history: readonly string[];
    standing: Standing;
  },
): Promise<ResumedRounds<Standing, Unbuilt>> {
  const { name, workspace, brief, data } = request;
  const { round, validation, history, standing } = about;
  const tools = await bench.perform('transcript.summarise', `${name}/tools#${round}`, { keys: [...standing.worked] });
  const failure: ModuleFailure = { validation, review: standing.errors, history, tools };
  const place = { input: brief.input, task: brief.task.id, commit: standing.commit };
  const overseen = await askModuleRole(bench, `${name}/overseer#${round}`, {
    ...place,
    role: 'overseer',
    workspace,
    brief: (recovery) => overseerBrief(brief, failure, recovery),
  });
  const overseer = overseen.status === 'accepted' ? overseen.result : undefined;
  if (overseer?.classification === 'blocked') {
    const hint = overseer.suggested_unblock === '' ? '' : ` To unblock: ${overseer.suggested_unblock}`;
    const evidence = overseer.evidence.trim().replace(/[^.!?]$/, '$&.');
    return unbuilt('blocked', standing.commit, `${evidence}${hint}`);
  }
  data.retries += 1;
  const key = `${name}/debug#${round}`;
  const answer = await askModuleRole(bench, key, {
    ...place,
    role: 'debugger',
    title: `debugger, retry ${round}/${mostRetriesOf(brief)}`,
    doing: 'looking for the cause',
    workspace,
    session: standing.session,
    limits: limitsOf(brief),
    brief: (recovery) => debuggerBrief(brief, failure, overseer, recovery),
  });
  const { commit } = answer;
  if (answer.status !== 'accepted') return unbuilt('blocked', commit, `the debugger: ${explainAnswer(answer)}`);
  if (answer.result.status === 'blocked') return unbuilt('blocked', commit, blockerOf(answer.result));
  if (answer.result.rootCause !== '') data.notes.push(`cause: ${answer.result.rootCause}`);
  note(
    data,
    remarks(answer.result, answer.changes).map((remark) => `debugger: ${remark}`),
  );
  const review = await reviewModule(bench, `${key}/review`, request, commit);
  if (review.status !== 'ready') return review;
  const { leftBehind, session } = answer;
  return { status: 'again', standing: { commit, leftBehind, errors: review.errors, worked: [key], session } };
}

function mostRetriesOf({ task }: ModuleBrief): number {
  return task.costBudget?.maxRetries ?? mostRetries;
}

/** Three times what was expected; without an expectation, the usual bound. */
function limitsOf({ input, task }: ModuleBrief) {
  if (task.expectedMinutes === undefined) return input.limits;
  return { ...input.limits, wallMs: task.expectedMinutes * 3 * 60_000 };
}

/** Each once: another round may say it again. */
function note(data: ModuleData, notes: readonly string[]): void {
  data.notes.push(...notes.filter((one) => !data.notes.includes(one)));
}

/** What it says it did, beside what it did. */
function remarks(result: WorkerResult, changes: readonly Change[]): readonly string[] {
  const changed = new Set(changes.map((change) => change.path));
  const claimed = new Set(result.filesChanged.map((path) => repositoryPath(path, [...changed])));
  const invented = [...claimed].filter((path) => !changed.has(path));
  const silent = [...changed].filter((path) => !claimed.has(path));
  return [
    ...(invented.length === 0 ? [] : [`claims to have changed ${invented.join(', ')}, which it did not`]),
    ...(silent.length === 0 || claimed.size === 0 ? [] : [`also changed ${silent.join(', ')}, which it does not say`]),
    ...(result.status === 'done_with_concerns' ? [`concerns: ${result.concerns}`] : []),
  ];
}

function blockerOf({ blocker, summary }: WorkerResult): string {
  return blocker === '' ? summary : blocker;
}

function describeAttempt({ score, issues }: Attempt, index: number): string {
  return `Attempt ${index + 1}: score ${score.toFixed(2)}, failing ${issues.join('; ')}`;
}

function firstOf({ attempt, total }: Validation): string {
  const { issues } = attempt;
  return `${total - issues.length} of ${total} passed, failing: ${issues.slice(0, 3).join('; ')}${issues.length > 3 ? ` and ${issues.length - 3} more` : ''}`;
}
