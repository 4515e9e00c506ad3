/** Who works on a `pipeline` run: what each role answers with, whether it may write, and what a person reads of a reply. */
import type { StepEndInput } from '../../engine/facts.ts';
import { countText } from '../../views/figures.ts';
import { defineRole } from '../definition.ts';
import {
  adviceResult,
  intakeResult,
  type ReviewResult,
  retroResult,
  reviewResult,
  triageResult,
  type WorkResult,
  workResult,
} from './role-results.ts';

export const pipelineRoles = {
  engineer: defineRole({ result: workResult, access: 'write', describe: describeWork }),
  supervisor: defineRole({ result: reviewResult, access: 'read', tier: 'heavy', describe: describeReview }),
  'qa-engineer': defineRole({ result: reviewResult, access: 'read', tier: 'heavy', describe: describeReview }),
  architect: defineRole({ result: reviewResult, access: 'read', tier: 'heavy', describe: describeReview }),
  'bug-fixer': defineRole({ result: triageResult, access: 'write', describe: describeWork }),
  collator: defineRole({ result: workResult, access: 'write', tier: 'light', describe: describeWork }),
  'product-manager': defineRole({
    result: intakeResult,
    access: 'read',
    describe: ({ questions, title }) => ({
      status: 'done',
      detail: questions.length > 0 ? countText(questions.length, 'question') : title,
    }),
  }),
  librarian: defineRole({
    result: retroResult,
    access: 'read',
    describe: ({ summary }) => ({ status: 'done', detail: summary }),
  }),
  'halt-advisor': defineRole({
    result: adviceResult,
    access: 'read',
    tier: 'light',
    describe: ({ what, next }) => ({ status: 'done', detail: what, lines: next.map((step) => `- ${step}`) }),
  }),
};

export function describeWork({ objective, findings, key_changes: changes }: WorkResult): StepEndInput {
  return {
    status: 'done',
    detail: objective,
    lines: [...changes.map((one) => `+ ${one}`), ...findings.map((one) => `- ${one}`)],
  };
}

export function describeReview({ verdict, objective, findings }: ReviewResult): StepEndInput {
  const isGood = verdict === 'approved';
  return {
    status: isGood ? 'done' : 'failed',
    detail: `${verdict}: ${objective}`,
    lines: findings.map((one) => `- ${one}`),
  };
}
