/**
 * What each role of the workflow `design` answers with. A reply that does not fit is a truncated reply; the descriptions
 * reach agents as part of the schema.
 */
import { z } from 'zod';
import { conventionAdditionsSchema, conventionsSchema } from './plan/conventions.ts';
import { modulePlanSchema } from '../../delivery/module-plan.ts';
import { failureClasses } from './rules/acceptance-verdict.ts';
import { revisionKinds } from './rules/revision-route.ts';

export const planIssueSchema = z.object({
  type: z.enum(revisionKinds),
  severity: z
    .enum(['fundamental', 'minor'])
    .default('fundamental')
    .describe('minor: you worked around it and the plan holds all the same'),
  evidence: z.string().describe('what you saw, with files and lines'),
  suggestion: z.string().default(''),
  module: z.string().default('').describe('the module at fault or that should own what is missing, such as M-002'),
  capability: z.string().default('').describe('when something is not implemented: what exactly is missing'),
});
export type PlanIssue = z.infer<typeof planIssueSchema>;

export const plannerResult = z.object({
  plan: modulePlanSchema,
  additions: conventionAdditionsSchema.describe('rules that the conventions lack and other modules need'),
  isUnchanged: z.boolean().default(false).describe('only in a revision: the plan stays as it is'),
  summary: z.string().default(''),
});
export type PlannerResult = z.infer<typeof plannerResult>;

export const firstPlannerResult = plannerResult.extend({ conventions: conventionsSchema });

export const allocationResult = z.object({
  owner: z.string().describe('the module that is to own what is missing: an id of the design, or "new"'),
  name: z.string().default('').describe('for a new module: its name'),
  responsibility: z.string().default(''),
  depends: z.array(z.string()).default([]),
  plan: modulePlanSchema.describe('the whole plan of the owner, with what is missing added'),
  reason: z.string().default(''),
});

export const bootstrapResult = z.object({ summary: z.string(), commands: z.array(z.string()).default([]) });

export const developerResult = z.object({
  status: z.enum(['done', 'plan-issue']),
  summary: z.string(),
  notes: z.array(z.string()).default([]).describe('decisions and problems worth knowing'),
  commit: z.string().max(200).default('').describe('what the commit message should say, in a few words'),
  footer: z.string().max(500).default('').describe('lines that the project wants below a commit message'),
  planIssue: planIssueSchema.optional(),
});
export type DeveloperResult = z.infer<typeof developerResult>;

export const testerResult = z.object({
  result: z.enum(['pass', 'fail', 'plan-issue']),
  total: z.number().int().nonnegative().default(0),
  failures: z
    .array(z.object({ test: z.string(), error: z.string().default(''), file: z.string().default('') }))
    .max(200)
    .default([]),
  summary: z.string(),
  planIssue: planIssueSchema.optional(),
});
export type TesterResult = z.infer<typeof testerResult>;

export const reviewFindings = z
  .array(
    z.object({
      severity: z.enum(['required', 'suggested']),
      dimension: z.enum(['spec', 'quality', 'tests', 'scope']).default('spec'),
      file: z.string().default(''),
      line: z.number().int().nonnegative().default(0),
      claim: z.string(),
      suggestion: z.string().default(''),
    }),
  )
  .max(60);

export const reviewResult = z.object({
  verdict: z.enum(['APPROVE', 'REJECT']),
  findings: reviewFindings.default([]),
  summary: z.string().default(''),
  planIssue: planIssueSchema.optional(),
});
export type ReviewResult = z.infer<typeof reviewResult>;

export const rootCauses = [
  'design-ambiguity',
  'plan-error',
  'missing-capability',
  'conflicting-constraints',
  'implementation-complexity',
] as const;

export const diagnosisResult = z.object({
  pattern: z.string().describe('what repeats over the rounds'),
  rootCause: z.enum(rootCauses),
  explanation: z.string(),
  options: z
    .array(
      z.object({
        title: z.string().max(200),
        change: z.string().describe('files, functions, approach'),
        tradeOffs: z.string().default(''),
        affects: z.string().default('').describe('tests and criteria'),
        isTradeOff: z.boolean().describe('whether it gives up quality or part of the spec'),
      }),
    )
    .min(2)
    .max(3),
});
export type DiagnosisResult = z.infer<typeof diagnosisResult>;

export const acceptanceResult = z.object({
  summary: z.string(),
  failures: z
    .array(
      z.object({
        criterion: z.string().describe('F-001/AC1 or J-001'),
        class: z.enum(failureClasses),
        modules: z.array(z.string()).default([]),
        expected: z.string().default(''),
        actual: z.string().default(''),
        suggestion: z.string().default(''),
      }),
    )
    .max(200)
    .default([]),
  notCovered: z
    .array(z.object({ criterion: z.string(), reason: z.string(), issue: z.string().default('') }))
    .max(200)
    .default([]),
});

export const impactResult = z.object({
  change: z
    .enum(['semantic', 'cosmetic'])
    .describe('semantic: a signature, a type, a meaning or an error contract changed'),
  reason: z.string(),
});
