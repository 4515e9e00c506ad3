/** Who works on a `milestone` run: what each role answers with, whether it may write, and what a person reads of a reply. */
import type { StepEndInput } from '../../engine/facts.ts';
import { countText } from '../../views/figures.ts';
import { defineRole } from '../definition.ts';
import { askRolesOf } from '../moves/ask-role.ts';
import {
  challengeResult,
  defenseResult,
  discussResult,
  type ExecutorResult,
  executorResult,
  planCheckResult,
  researchResult,
  riskResult,
  roadmapResult,
  scribeResult,
  securityResult,
  slicePlanResult,
} from './role-results.ts';
import { countVerdicts, readDimensions } from './rules/plan-check.ts';
import { routeUnit } from './rules/unit-routing.ts';

const planRoute = routeUnit('plan-milestone');
const sliceRoute = routeUnit('plan-slice');
const readRoute = routeUnit('research-slice');
const workRoute = routeUnit('execute-task');
const closeRoute = routeUnit('complete-slice');

export const milestoneRoles = {
  'milestone-planner': defineRole({
    result: roadmapResult,
    access: 'read',
    ...planRoute,
    describe: ({ slices }) => ({ status: 'done', detail: countText(slices.length, 'slice') }),
  }),
  discusser: defineRole({
    result: discussResult,
    access: 'read',
    ...readRoute,
    describe: ({ decisions }) => ({ status: 'done', detail: countText(decisions.length, 'decision') }),
  }),
  researcher: defineRole({
    result: researchResult,
    access: 'read',
    ...readRoute,
    describe: ({ pitfalls }) => ({ status: 'done', detail: countText(pitfalls.length, 'pitfall') }),
  }),
  'slice-planner': defineRole({
    result: slicePlanResult,
    access: 'read',
    ...sliceRoute,
    describe: ({ tasks }) => ({ status: 'done', detail: countText(tasks.length, 'task') }),
  }),
  'risk-scout': defineRole({
    result: riskResult,
    access: 'read',
    ...sliceRoute,
    describe: ({ risks }) => ({ status: 'done', detail: countText(risks.length, 'risk') }),
  }),
  'plan-checker': defineRole({
    result: planCheckResult,
    access: 'read',
    ...readRoute,
    describe: ({ dimensions }) => {
      const { pass, warn, fail } = countVerdicts(readDimensions(dimensions));
      return { status: fail === 0 ? 'done' : 'failed', detail: `${pass} passed, ${warn} doubtful, ${fail} failed` };
    },
  }),
  'security-scout': defineRole({
    result: securityResult,
    access: 'read',
    ...readRoute,
    describe: ({ checklist }) => ({ status: 'done', detail: countText(checklist.length, 'point') }),
  }),
  executor: defineRole({
    result: executorResult,
    access: 'write',
    ...workRoute,
    describe: describeExecutor,
  }),
  challenger: defineRole({
    result: challengeResult,
    access: 'read',
    ...sliceRoute,
    describe: ({ objections, rulings }) => ({
      status: 'done',
      detail: rulings.length > 0 ? countText(rulings.length, 'ruling') : countText(objections.length, 'objection'),
      lines: objections.map(({ id, file, line, claim }) => `- ${id} ${file === '' ? '' : `${file}:${line} `}${claim}`),
    }),
  }),
  advocate: defineRole({
    result: defenseResult,
    access: 'read',
    ...readRoute,
    describe: ({ answers }) => ({
      status: 'done',
      detail: answers.map(({ id, verdict }) => `${id} ${verdict}`).join(', '),
    }),
  }),
  scribe: defineRole({ result: scribeResult, access: 'read', ...closeRoute }),
};
export type MilestoneRole = keyof typeof milestoneRoles;

export const askMilestoneRole = askRolesOf(milestoneRoles);

function describeExecutor({ status, summary, blocker, remaining }: ExecutorResult): StepEndInput {
  if (status === 'blocked') return { status: 'blocked', detail: blocker === '' ? summary : blocker };
  if (status === 'partial') {
    return { status: 'failed', detail: `partly done: ${summary}`, lines: remaining.map((one) => `- left: ${one}`) };
  }
  return { status: 'done', detail: summary };
}
