/**
 * A task becomes a commit that the engine verified and that holds what its plan promised, or the reason why not. A red
 * check goes back to the worker; what is promised and not there is repaired within a budget, each repair a fact before it
 * begins; a worker that cannot go on gets a stronger or another model where that may help.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { Finding } from '../../policy/finding.ts';
import type { Inspection } from '../../policy/promises.ts';
import type { TierEscalation } from '../../policy/routing.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { buildUntilPassed, type Passed, type WorkDone } from '../moves/build-until-passed.ts';
import { type Checks, verify } from '../moves/verify.ts';
import type { MilestoneContext } from './milestone-context.ts';
import { isLarge, promisesOf } from './planned-task.ts';
import type { ExecutorResult, PlannedTask } from './role-results.ts';
import { askMilestoneRole } from './roles.ts';
import { type BlockerRecovery, classifyBlocker } from './rules/blocker.ts';
import { contextSeverity } from './rules/context-severity.ts';
import { describeDrift, driftOf, repairSignals } from './rules/drift.ts';
import { classifyRepair, type Repair } from './rules/repair.ts';
import { auditClaims } from './rules/verification-claims.ts';
import type { TaskData } from './task-data.ts';

/** What a worker is told about where things stand. */
export type TaskSituation =
  | { readonly mode: 'first' }
  /** `isHere`: what was done is in the workspace, because it was done in this run. */
  | { readonly mode: 'continue'; readonly notes: string; readonly isHere: boolean }
  | { readonly mode: 'fix'; readonly report: CheckReport; readonly findings: readonly Finding[] }
  | { readonly mode: 'repair'; readonly reason: string; readonly drift: readonly string[] }
  | { readonly mode: 'conflict'; readonly why: string };

export interface BuildTaskRequest {
  readonly context: MilestoneContext;
  readonly task: Task;
  readonly planned: PlannedTask;
  /** Before keys: the task, and its merge round after the first. */
  readonly name: string;
  readonly workspace: string;
  readonly base: string;
  readonly judge: string;
  readonly checks: Checks;
  readonly start: TaskSituation;
  readonly brief: (situation: TaskSituation) => (recovery?: string) => string;
  /** Counted into as the work goes on. */
  readonly data: TaskData;
}

export type BuiltTask =
  | { readonly status: 'passed'; readonly passed: Passed }
  /** Too much is missing for one more try: what is there is sound and can be merged, the rest becomes tasks. */
  | {
      readonly status: 'decompose';
      readonly passed: Passed;
      readonly unmet: readonly string[];
      readonly reason: string;
    }
  | { readonly status: 'failed' | 'blocked' | 'partial'; readonly reason: string; readonly commit: string };

interface Standing {
  readonly situation: TaskSituation;
  readonly commit: string;
  readonly session: string | undefined;
}

interface Worked extends WorkDone {
  readonly result: ExecutorResult;
  readonly session: string | undefined;
}

/** Red checks go back three times; repairs and continuations have a budget of their own. */
const mostFixes = 3;

export async function buildTask(bench: Bench, request: BuildTaskRequest): Promise<BuiltTask> {
  const { context, task, checks, base, judge, name, data } = request;
  const budget = context.input.options.repairs;
  const ended = await buildUntilPassed<Standing, Worked, Checked, Exclude<BuiltTask, { status: 'passed' }>>(bench, {
    task,
    checks,
    scope: context.input.scope,
    base,
    judge,
    policy: { rounds: 1 + mostFixes + budget },
    start: { situation: request.start, commit: base, session: undefined },
    work: ({ round, standing }) => work(bench, request, { round, standing }),
    check: async (asked, { round, isLast }) => {
      const verified = await verify(bench, `${name}/verify#${round}`, { ...asked, last: asked.last || isLast });
      if (verified.status !== 'passed') return { verified };
      const promises = promisesOf(request.planned);
      const inspection = await inspectPromises(bench, `${name}/promises#${round}`, { commit: asked.commit, promises });
      return { verified, inspection };
    },
    review: async ({ worked, checked: { verified, inspection }, at }) => {
      const { commit, session, result } = worked;
      const claims = auditClaims(result.verification, verified.report);
      data.claims = [...claims.wrong];
      data.unconfirmed = [...claims.unconfirmed];
      data.verification = verified.report.commands.map(({ label, status }) => ({ command: label, status }));
      if (verified.status === 'rejected')
        return { status: 'over', result: { status: 'failed', reason: verified.reason, commit } };
      if (verified.status === 'red') {
        const situation = { mode: 'fix', report: verified.report, findings: verified.findings } as const;
        return { status: 'red', standing: { situation, commit, session }, reason: verified.reason };
      }
      if (inspection !== undefined) data.inspection = inspection;
      const drift = driftOf(inspection, result);
      if (drift.length === 0) return { status: 'passed' };
      const found = verified.findings.map(({ kind }) => kind);
      const key = `${name}/repair#${at.round}`;
      const repair = await chooseRepair(bench, request, { inspection, result, found, commit, key });
      if (repair.strategy === 'prune') {
        data.pruned = [...data.pruned, ...drift];
        return { status: 'passed' };
      }
      if (repair.strategy === 'retry') {
        const situation = { mode: 'repair', reason: repair.reason, drift } as const;
        return { status: 'red', standing: { situation, commit, session }, reason: describeDrift(drift) };
      }
      const { report, redGreen, findings, basis } = verified;
      const passed = {
        status: 'passed',
        commit,
        base,
        report,
        redGreen,
        findings,
        leftBehind: worked.leftBehind,
        accepted: basis.accepted,
      } as const;
      if (repair.strategy === 'decompose')
        return { status: 'over', result: { status: 'decompose', passed, unmet: drift, reason: repair.reason } };
      const reason = `${describeDrift(drift)}; ${repair.reason}`;
      return { status: 'over', result: { status: 'blocked', reason, commit } };
    },
  });
  if (ended.status === 'passed') return { status: 'passed', passed: ended.result.passed };
  if (ended.status === 'over') return ended.result;
  return { status: 'failed', reason: ended.reason, commit: ended.standing.commit };
}

interface Checked {
  readonly verified: Awaited<ReturnType<typeof verify>>;
  readonly inspection?: Inspection;
}

type Work = Worked | { readonly status: 'red'; readonly standing: Standing; readonly reason: string } | Over;
type Over = { readonly status: 'over'; readonly result: Exclude<BuiltTask, { status: 'passed' }> };

/** One turn of the worker; recoveries of a blocked one are turns of the same round. */
async function work(bench: Bench, request: BuildTaskRequest, at: { round: number; standing: Standing }): Promise<Work> {
  const { context, task, name, workspace, data } = request;
  const { situation } = at.standing;
  let { commit, session } = at.standing;
  const tried: BlockerRecovery['action'][] = [];
  for (;;) {
    const last = tried.at(-1);
    const escalate: TierEscalation | undefined = last === undefined || last === 'stop' ? undefined : last;
    const key = `${name}/execute#${at.round}${tried.map((one, index) => `/${one}#${index + 1}`).join('')}`;
    const answer = await askMilestoneRole(bench, key, {
      input: context.input,
      role: 'executor',
      title: titles[situation.mode],
      doing: escalate === undefined ? '' : escalate === 'tier-up' ? 'with a stronger model' : 'with another model',
      task: task.id,
      agent: task.agent,
      workspace,
      commit,
      session: escalate === undefined ? session : undefined,
      escalate,
      brief: request.brief(situation),
    });
    ({ commit, session } = answer);
    if (answer.status !== 'accepted')
      return { status: 'over', result: { status: 'blocked', reason: explainAnswer(answer), commit } };
    const { result, leftBehind } = answer;
    keepWords(data, result);
    if (result.status === 'done') return { status: 'worked', commit, leftBehind, result, session };
    if (result.status === 'partial') return continueLater(bench, request, { result, commit, round: at.round });
    const text = result.blocker === '' ? result.summary : result.blocker;
    const { class: kind, recovery } = classifyBlocker({ kind: result.blockerKind, text }, tried);
    if (recovery.action === 'stop') {
      const reason = kind === 'unknown' ? recovery.sentence : `${recovery.sentence} (${kind}: ${text})`;
      return { status: 'over', result: { status: 'blocked', reason, commit } };
    }
    tried.push(recovery.action);
  }
}

const titles: Readonly<Record<TaskSituation['mode'], string>> = {
  first: 'executor',
  continue: 'executor, goes on',
  fix: 'executor, fixes the checks',
  repair: 'executor, repairs',
  conflict: 'executor, on the newer head',
};

/** What is half done is gone on with by a fresh session that knows what is left, within the budget of repairs. */
async function continueLater(
  bench: Bench,
  request: BuildTaskRequest,
  { result, commit, round }: { result: ExecutorResult; commit: string; round: number },
): Promise<Work> {
  const { data, context, name } = request;
  const left = result.remaining.join('; ');
  const reason = `partly done${left === '' ? '' : `, left: ${left}`}`;
  if (data.repairs.length >= context.input.options.repairs)
    return { status: 'over', result: { status: 'partial', reason, commit } };
  await useRepair(bench, `${name}/continue#${round}`, { data, repair: { strategy: 'retry', reason } });
  const notes = [result.summary, ...result.remaining.map((one) => `Left: ${one}`), result.nextAction].join('\n');
  return {
    status: 'red',
    standing: { situation: { mode: 'continue', notes, isHere: true }, commit, session: undefined },
    reason,
  };
}

/** A fact before anything is begun, so that a budget that was used stays used after a crash. */
async function useRepair(
  bench: Bench,
  key: string,
  { data, repair }: { data: TaskData; repair: Repair },
): Promise<void> {
  const count = data.repairs.length + 1;
  data.repairs = [...data.repairs, { strategy: repair.strategy, reason: repair.reason }];
  await bench.record(key, 'note.recorded', {
    text: `Repair ${count}: ${repair.strategy} (${repair.reason})`,
    data: { repair: { strategy: repair.strategy, reason: repair.reason, count } },
  });
}

async function chooseRepair(
  bench: Bench,
  { planned, data, context }: BuildTaskRequest,
  about: {
    inspection: Inspection | undefined;
    result: ExecutorResult;
    found: readonly string[];
    commit: string;
    key: string;
  },
): Promise<Repair> {
  const { inspection, result, found, commit, key } = about;
  if (data.repairs.length >= context.input.options.repairs)
    return { strategy: 'blocked', reason: `all ${context.input.options.repairs} repairs are used` };
  const large = isLarge(planned);
  const missingSymbols = large ? await countMissingSymbols(bench, `${key}/symbols`, { planned, commit }) : 0;
  const signals = repairSignals(inspection, { isLarge: large, missingSymbols, found });
  const severity = result.contextLeft === undefined ? undefined : contextSeverity(result.contextLeft);
  const repair = classifyRepair({ signals, severity, explained: result.unmetBecause });
  if (repair.strategy !== 'blocked') await useRepair(bench, key, { data, repair });
  return repair;
}

async function countMissingSymbols(
  bench: Bench,
  key: string,
  { planned: { symbols: names }, commit }: { planned: PlannedTask; commit: string },
): Promise<number> {
  if (names.length === 0) return 0;
  const { symbols } = await bench.perform('symbols.check', key, { commit, names: [...names], created: [] });
  return symbols.filter(({ state }) => state === 'missing').length;
}

export function inspectPromises(
  bench: Bench,
  key: string,
  about: { commit: string; promises: ReturnType<typeof promisesOf> },
): Promise<Inspection> {
  const end = (found: Inspection): StepEndInput => {
    const drift = driftOf(found, { unmet: [] });
    const status = drift.length === 0 ? 'done' : 'failed';
    return { status, detail: describeDrift(drift), lines: drift.map((one) => `- ${one}`), links: [key] };
  };
  return bench.step(key, { kind: 'gate', title: 'must-haves', end }, () =>
    bench.perform('promises.inspect', key, about),
  );
}

function keepWords(data: TaskData, result: ExecutorResult): void {
  data.summary = result.summary;
  data.files = result.filesChanged;
  data.decisions = [...data.decisions, ...result.decisions];
  data.learned = [...data.learned, ...result.learned];
  data.completed = result.completed;
  data.remaining = result.remaining;
  data.nextAction = result.nextAction;
}
