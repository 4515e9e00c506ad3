/** What each role's result says to a person: whether it is good news, one line, and the details below it. Pure. */
import type { StepEndInput } from '../../engine/facts.ts';
import type { ReviewerResult, WorkerResult } from '../../policy/module-results.ts';
import type { RoleName, RoleReply } from '../../policy/role-replies.ts';
import type { DeveloperResult, TesterResult } from '../../policy/role-results.ts';
import { counted } from '../../views/figures.ts';
import { bugFinding, reviewFinding } from './work-findings.ts';
import { bugLine, findingFigures, findingLine, planFigures, tally } from '../../views/wording.ts';

export function describeReply<R extends RoleName>(role: R, reply: RoleReply<R>): StepEndInput {
  return describers[role](reply);
}

type Describers = { readonly [R in RoleName]: (reply: RoleReply<R>) => StepEndInput };

const describers: Describers = {
  planner: (plan) => ({ status: 'done', detail: planFigures(plan) }),
  architect: ({ tasks }) => ({ status: 'done', detail: counted(tasks.length, 'module') }),
  developer: describeDeveloper,
  tester: describeTester,
  worker: describeWorker,
  debugger: ({ rootCause, ...work }) => ({
    ...describeWorker(work),
    figures: rootCause === '' ? {} : { cause: rootCause },
  }),
  reviewer: describeReview,
  auditor: describeReview,
  overseer: ({ classification, evidence }) => ({ status: 'done', detail: `${classification}: ${evidence}` }),
  learner: ({ lessons }) => ({
    status: 'done',
    detail: counted(lessons.length, 'lesson'),
    lines: lessons.map(({ text }) => `- ${text}`),
  }),
};

function describeDeveloper({ status, summary, unitTests, bugsFixed, bugsRemaining }: DeveloperResult): StepEndInput {
  const fixed = bugsFixed.length === 0 ? [] : [`${counted(bugsFixed.length, 'bug')} fixed`];
  const left = bugsRemaining.length === 0 ? [] : [`${bugsRemaining.length} not fixed`];
  const tests = unitTests === '' ? [] : [`unit tests: ${unitTests}`];
  const word = { success: [], partial: ['done in part'], failed: ['failed'] }[status];
  const figures = [...word, ...fixed, ...left, ...tests].join(', ');
  const detail = [summary, figures].filter((part) => part !== '').join(' · ');
  return { status: status === 'failed' ? 'failed' : 'done', detail };
}

function describeTester(reply: TesterResult): StepEndInput {
  const counts = tally(reply);
  const skipped = reply.skipped.map(({ test, reason }) => `skipped: ${test}: ${reason}`);
  const report = { findings: reply.bugs.map(bugFinding), unverified: skipped };
  const figures = { bugs: reply.bugs.length, ...(counts === '' ? {} : { tests: counts }) };
  if (reply.result === 'pass') {
    return { status: 'done', detail: counts === '' ? 'passed' : `passed, ${counts}`, figures, lines: skipped, report };
  }
  const found = `${counted(reply.bugs.length, 'bug')} found`;
  const detail = counts === '' ? found : `${found} (${counts})`;
  const lines = [...reply.bugs.map((bug) => `- ${bugLine(bug)}`), ...skipped];
  return { status: 'failed', detail, figures, lines, report };
}

function describeWorker({ status, summary, blocker, concerns }: WorkerResult): StepEndInput {
  if (status === 'blocked') return { status: 'blocked', detail: blocker === '' ? summary : blocker };
  return { status: 'done', detail: summary, lines: concerns === '' ? [] : [`concerns: ${concerns}`] };
}

function describeReview({ findings }: ReviewerResult): StepEndInput {
  const isBad = findings.some(({ severity }) => severity === 'error');
  return {
    status: isBad ? 'failed' : 'done',
    detail: findingFigures(findings),
    figures: { findings: findings.length },
    lines: findings.map((finding) => `- ${findingLine(finding)}`),
    report: { findings: findings.map(reviewFinding) },
  };
}
