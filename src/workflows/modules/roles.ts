/** Who works on a `modules` run: what each role answers with, whether it may write, and what a person reads of a reply. */
import type { StepEndInput } from '../../engine/facts.ts';
import { countText } from '../../views/figures.ts';
import { findingFigures, findingLine } from '../../views/wording.ts';
import { defineRole } from '../definition.ts';
import { askRolesOf } from '../moves/ask-role.ts';
import { learnerRole } from '../moves/learn.ts';
import { reviewFinding } from '../moves/work-findings.ts';
import {
  debuggerResult,
  modulePlanResult,
  overseerResult,
  type ReviewerResult,
  reviewerResult,
  type WorkerResult,
  workerResult,
} from './role-results.ts';

export const moduleRoles = {
  architect: defineRole({
    result: modulePlanResult,
    access: 'read',
    describe: ({ tasks }) => ({ status: 'done', detail: countText(tasks.length, 'module') }),
  }),
  worker: defineRole({ result: workerResult, access: 'write', describe: describeWorker }),
  reviewer: defineRole({ result: reviewerResult, access: 'read', describe: describeReview }),
  overseer: defineRole({
    result: overseerResult,
    access: 'read',
    describe: ({ classification, evidence }) => ({ status: 'done', detail: `${classification}: ${evidence}` }),
  }),
  debugger: defineRole({
    result: debuggerResult,
    access: 'write',
    describe: ({ rootCause, ...work }) => ({
      ...describeWorker(work),
      figures: rootCause === '' ? {} : { cause: rootCause },
    }),
  }),
  auditor: defineRole({ result: reviewerResult, access: 'read', describe: describeReview }),
  learner: learnerRole,
};
export type ModuleRole = keyof typeof moduleRoles;

export const askModuleRole = askRolesOf(moduleRoles);

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
