/**
 * What the engine itself does in two phases. After an implementation it verifies the commit: what fails goes back to the
 * engineer once, and then to a person. For the commit phase it carries the verified work onto the integration head, one
 * record at a time, with the checks on the merged tree; a conflict goes to a person.
 */
import type { Bench } from '../../engine/bench.ts';
import type { Task } from '../../plan/plan.ts';
import { addUsage } from '../../policy/usage.ts';
import type { AgentWork } from '../moves/ask-agent.ts';
import type { Passed } from '../moves/build-until-passed.ts';
import { describeUnmerged, integrate } from '../moves/integrate.ts';
import { describeChecks, type Verified, verify } from '../moves/verify.ts';
import { askPhase, type PhaseAnswer } from './ask-phase.ts';
import { endEscalated, type PhaseEnd, type PhaseRequest } from './phase.ts';
import type { WorkResult } from './role-results.ts';

/** A red result goes back so often. */
const mostRepairs = 1;

export async function buildChecked(bench: Bench, request: PhaseRequest): Promise<PhaseAnswer> {
  const { standing, phase } = request;
  let wishes: { suffix?: string; sentBack?: string } = {};
  let work: AgentWork | undefined;
  for (let round = 1; ; round += 1) {
    const answer = await askPhase(bench, request, wishes);
    if (answer.status !== 'answered') return answer;
    standing.commit = answer.commit;
    work = work === undefined ? answer.work : together(work, answer.work);
    const last = round > mostRepairs;
    const verified = await verifyWork(bench, `${request.key}/verify#${round}`, request, last);
    if (verified.status === 'passed') {
      standing.passed = passedOf(request, verified, answer);
      return { ...answer, work };
    }
    if (verified.status === 'rejected' || last)
      return endEscalated('checks-red', phase, verified.reason, 'Look at the work and its checks: forge logs.');
    const findings = verified.findings.map(({ path, line, claim }) => `- ${path}:${line} ${claim}`);
    const sentBack = [`Forge ran the checks on your commit: ${verified.reason}`, ...findings].join('\n');
    wishes = { suffix: `/repair#${round}`, sentBack };
  }
}

/** A phase whose agent was asked again used both. */
function together(first: AgentWork, second: AgentWork): AgentWork {
  const wall =
    first.wall === undefined || second.wall === undefined ? second.wall : { from: first.wall.from, to: second.wall.to };
  return { ...second, usage: addUsage(first.usage, second.usage), wall };
}

async function verifyWork(bench: Bench, key: string, request: PhaseRequest, last: boolean): Promise<Verified> {
  const { standing, task, context } = request;
  const { base, commit, basis } = standing;
  const verified = await verify(bench, key, {
    task,
    checks: context.checks,
    scope: context.input.scope,
    base,
    commit,
    basis,
    last,
  });
  standing.basis = verified.basis;
  standing.evidence = [{ title: 'What the engine measured', text: describeChecks(verified.report), budget: 4_000 }];
  return verified;
}

function passedOf(
  { standing }: PhaseRequest,
  verified: Extract<Verified, { status: 'passed' }>,
  { leftBehind }: Pick<Passed, 'leftBehind'>,
): Passed {
  const { report, redGreen, findings, basis } = verified;
  const { base, commit } = standing;
  return { status: 'passed', commit, base, report, redGreen, findings, leftBehind, accepted: basis.accepted };
}

type Merged = { readonly status: 'merged' } | Extract<PhaseEnd, { status: 'escalated' }>;

export async function mergeRecordWork(
  bench: Bench,
  request: PhaseRequest,
  result: Pick<WorkResult, 'objective' | 'key_changes'>,
): Promise<Merged> {
  const { standing, phase, context, key, task } = request;
  // A record whose work is in the base already has nothing to merge.
  if (standing.commit === standing.base) {
    standing.merged = true;
    return { status: 'merged' };
  }
  // What was written after the last verification is verified as well: nothing slips in behind a review.
  if (standing.passed?.commit !== standing.commit) {
    const verified = await verifyWork(bench, `${key}/verify`, request, true);
    if (verified.status !== 'passed') return endEscalated('checks-red', phase, verified.reason);
    standing.passed = passedOf(request, verified, { leftBehind: standing.passed?.leftBehind ?? [] });
  }
  const { passed } = standing;
  if (passed === undefined) throw new Error('work was merged that nobody verified');
  const merged = await integrate(bench, {
    task: commitTask(task, result),
    tasks: [task],
    developed: passed,
    checks: context.checks,
    scope: context.input.scope,
    mergeRound: request.iteration,
  });
  if (merged.status === 'merged') {
    standing.merged = true;
    standing.commit = merged.receipt.after;
    return { status: 'merged' };
  }
  const why = describeUnmerged(merged);
  if (merged.status === 'empty') {
    standing.merged = true;
    return { status: 'merged' };
  }
  if (merged.status === 'conflict')
    return endEscalated('merge-conflict', phase, why, 'Try it again on top of what was merged meanwhile.');
  return endEscalated(merged.status === 'red' ? 'checks-red' : 'merge-refused', phase, why);
}

/** The message of the commit is the summary of the commit phase. */
function commitTask(
  task: Task,
  { objective, key_changes: changes }: Pick<WorkResult, 'objective' | 'key_changes'>,
): Task {
  return {
    ...task,
    title: `${task.id}: ${objective}`.slice(0, 120),
    objective: changes.map((one) => `- ${one}`).join('\n'),
  };
}
