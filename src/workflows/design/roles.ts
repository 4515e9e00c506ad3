/** Who works on a run of `design`: what each role answers with, whether it may write, its tier, and what people read of it. */
import type { StepEndInput } from '../../engine/facts.ts';
import { countText } from '../../views/figures.ts';
import { defineRole } from '../definition.ts';
import { askRolesOf } from '../moves/ask-role.ts';
import {
  acceptanceResult,
  allocationResult,
  bootstrapResult,
  type DeveloperResult,
  developerResult,
  diagnosisResult,
  firstPlannerResult,
  impactResult,
  plannerResult,
  reviewResult,
  type TesterResult,
  testerResult,
} from './role-results.ts';

const planned = ({
  plan,
  isUnchanged,
}: {
  plan: { steps: readonly unknown[] };
  isUnchanged: boolean;
}): StepEndInput => ({
  status: 'done',
  detail: isUnchanged ? 'the plan stays as it is' : countText(plan.steps.length, 'step'),
});

export const designRoles = {
  'first-planner': defineRole({
    result: firstPlannerResult,
    access: 'read',
    tier: 'heavy',
    describe: (reply) => planned(reply),
  }),
  'module-planner': defineRole({
    result: plannerResult,
    access: 'read',
    tier: 'heavy',
    describe: (reply) => planned(reply),
  }),
  allocator: defineRole({
    result: allocationResult,
    access: 'read',
    tier: 'heavy',
    describe: ({ owner, name }) => ({ status: 'done', detail: owner === 'new' ? `a new module: ${name}` : owner }),
  }),
  bootstrapper: defineRole({ result: bootstrapResult, access: 'write' }),
  'module-developer': defineRole({ result: developerResult, access: 'write', describe: describeDeveloper }),
  'module-tester': defineRole({ result: testerResult, access: 'write', describe: describeTester }),
  'module-reviewer': defineRole({
    result: reviewResult,
    access: 'read',
    describe: ({ verdict, findings, planIssue }) => {
      if (planIssue?.severity === 'fundamental') return { status: 'blocked', detail: planIssue.type };
      const required = findings.filter(({ severity }) => severity === 'required').length;
      return {
        status: required > 0 ? 'failed' : 'done',
        detail: `${verdict}, ${countText(required, 'required finding')}, ${findings.length - required} suggested`,
        lines: findings.map(({ severity, file, line, claim }) => `- [${severity}] ${file}:${line} ${claim}`),
      };
    },
  }),
  diagnostician: defineRole({
    result: diagnosisResult,
    access: 'read',
    tier: 'heavy',
    describe: ({ rootCause, pattern, options }) => ({
      status: 'done',
      detail: `${rootCause}: ${pattern}`,
      lines: options.map(({ title }, at) => `${at + 1}. ${title}`),
    }),
  }),
  'integration-tester': defineRole({ result: testerResult, access: 'write', describe: describeTester }),
  'acceptance-tester': defineRole({ result: acceptanceResult, access: 'write' }),
  'impact-judge': defineRole({
    result: impactResult,
    access: 'read',
    describe: ({ change, reason }) => ({ status: 'done', detail: `${change}: ${reason}` }),
  }),
};
export type DesignRole = keyof typeof designRoles;

export const askDesignRole = askRolesOf(designRoles);

function describeDeveloper({ status, summary, planIssue }: DeveloperResult): StepEndInput {
  if (status === 'done') return { status: 'done', detail: summary };
  return { status: 'blocked', detail: `${planIssue?.type ?? 'the plan'}: ${planIssue?.evidence ?? summary}` };
}

function describeTester({ result, total, failures, summary, planIssue }: TesterResult): StepEndInput {
  if (result === 'plan-issue') return { status: 'blocked', detail: `${planIssue?.type ?? 'the plan'}: ${summary}` };
  return {
    status: result === 'pass' ? 'done' : 'failed',
    detail: result === 'pass' ? summary : `${failures.length} of ${total} fail`,
    lines: failures.map(({ test, error }) => `- ${test}: ${error}`),
  };
}
