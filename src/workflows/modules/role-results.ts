/**
 * What each role of the workflow `modules` answers with. A reply that does not fit is a truncated reply; the
 * descriptions reach agents as part of the schema.
 */
import { z } from 'zod';
import { taskSchema } from '../../plan/plan.ts';
import { reviewFindingSchema } from '../../policy/review-finding.ts';

export const modulePlanResult = z.object({
  techStack: z
    .object({
      language: z.string().default(''),
      testCommand: z.string().default(''),
      buildCommand: z.string().default(''),
      lintCommand: z.string().default(''),
    })
    .prefault({}),
  tasks: z
    .array(taskSchema)
    .min(1)
    .describe('2 to 7 modules with at most 5 files each; every one has a verify command'),
  decisions: z.array(z.string()).default([]),
  risks: z.array(z.string()).default([]),
  knowledgeApplied: z.array(z.string()).default([]).describe('ids of the lessons the plan makes use of'),
});
export type ModulePlanResult = z.infer<typeof modulePlanResult>;

const blocker = z.string().default('').describe('when blocked: what is missing, and who can provide it');

export const workerResult = z.object({
  status: z.enum(['done', 'done_with_concerns', 'blocked']),
  summary: z.string(),
  filesChanged: z.array(z.string()).default([]),
  concerns: z.string().default(''),
  blocker,
});
export type WorkerResult = z.infer<typeof workerResult>;

export const debuggerResult = workerResult.extend({ rootCause: z.string().default('') });

export const reviewerResult = z.object({
  findings: z.array(reviewFindingSchema).max(50).default([]),
  summary: z.string().default(''),
});
export type ReviewerResult = z.infer<typeof reviewerResult>;

export const overseerResult = z.object({
  classification: z.enum(['stuck', 'missing_context', 'blocked']),
  evidence: z.string(),
  suggested_unblock: z.string().default(''),
});
export type OverseerResult = z.infer<typeof overseerResult>;
