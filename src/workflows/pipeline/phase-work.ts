/**
 * What the engine does after an implementation: it verifies the commit and runs the git hook that the settings name. What
 * fails goes back to the engineer once, and then to a person.
 */
import type { Bench } from '../../engine/bench.ts';
import { addUsage } from '../../policy/usage.ts';
import type { AgentWork } from '../moves/ask-agent.ts';
import type { Passed } from '../moves/build-until-passed.ts';
import { runCommitHooks } from '../moves/commit-hooks.ts';
import { describeChecks, type Verified, verify } from '../moves/verify.ts';
import { askPhase, type PhaseAnswer } from './ask-phase.ts';
import { endRefused, hookText, reportHook } from './hook-rule.ts';
import { endEscalated, type PhaseRequest } from './phase.ts';

/** A red result goes back so often. */
const mostRepairs = 1;

export async function buildChecked(bench: Bench, request: PhaseRequest): Promise<PhaseAnswer> {
  const { standing } = request;
  let wishes: { suffix?: string; sentBack?: string } = {};
  let work: AgentWork | undefined;
  for (let round = 1; ; round += 1) {
    const answer = await askPhase(bench, request, wishes);
    if (answer.status !== 'answered') return answer;
    standing.commit = answer.commit;
    work = work === undefined ? answer.work : together(work, answer.work);
    const complaint = await inspectWork(bench, request, { answer, round });
    if (complaint === undefined) return { ...answer, work };
    if (typeof complaint !== 'string') return complaint;
    wishes = { suffix: `/repair#${round}`, sentBack: complaint };
  }
}

/** What its author is to put right; nothing for work that stands; or a person takes over. */
async function inspectWork(
  bench: Bench,
  request: PhaseRequest,
  { answer, round }: { readonly answer: Pick<Passed, 'leftBehind'>; readonly round: number },
): Promise<string | Extract<PhaseAnswer, { status: 'escalated' }> | undefined> {
  const { standing, phase, context, key } = request;
  const last = round > mostRepairs;
  const verified = await verifyWork(bench, `${key}/verify#${round}`, request, last);
  if (verified.status !== 'passed') {
    if (verified.status === 'rejected' || last)
      return endEscalated('checks-red', phase, verified.reason, 'Look at the work and its checks: forge logs.');
    const findings = verified.findings.map(({ path, line, claim }) => `- ${path}:${line} ${claim}`);
    return [`Forge ran the checks on your commit: ${verified.reason}`, ...findings].join('\n');
  }
  standing.passed = passedOf(request, verified, answer);
  // Before anybody reviews it: what a hook asks for afterwards would be merged unread.
  const { base: before, commit, basis } = standing;
  const hooks = context.hooks.filter((hook) => hook === 'pre-commit');
  const at = `${key}/hooks#${round}`;
  const hook = await runCommitHooks(bench, at, { commit, before, judge: basis.judge, hooks });
  if (hook === undefined) return undefined;
  await reportHook(bench, at, request, hook);
  return last || hook.status === 'unverified' ? endRefused(phase, hook) : hookText(hook);
}

/** A phase whose agent was asked again used both. */
function together(first: AgentWork, second: AgentWork): AgentWork {
  const wall =
    first.wall === undefined || second.wall === undefined ? second.wall : { from: first.wall.from, to: second.wall.to };
  return { ...second, usage: addUsage(first.usage, second.usage), wall };
}

export async function verifyWork(bench: Bench, key: string, request: PhaseRequest, last: boolean): Promise<Verified> {
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

export function passedOf(
  { standing }: PhaseRequest,
  verified: Extract<Verified, { status: 'passed' }>,
  { leftBehind }: Pick<Passed, 'leftBehind'>,
): Passed {
  const { report, redGreen, findings, basis } = verified;
  const { base, commit } = standing;
  return { status: 'passed', commit, base, report, redGreen, findings, leftBehind, accepted: basis.accepted };
}
