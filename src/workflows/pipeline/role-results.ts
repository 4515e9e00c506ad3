/**
 * What each role of the workflow `pipeline` answers with: the summary of its phase as the record will hold it, and what
 * was in its way. A reply that does not fit is refused while the agent can still fix it; descriptions reach the agent.
 */
import { z } from 'zod';
import { frictionSchema } from '../../pipelines/friction.ts';
import { taskIdText } from './sprint-text.ts';

const line = z.string().max(200);

export const workResult = z.object({
  objective: z.string().min(1).max(280).describe('what this phase came to, in one or two sentences'),
  key_changes: z.array(line).max(12).default([]).describe('the most important changes or decisions'),
  findings: z.array(line).max(12).default([]).describe('what somebody has to know or fix'),
  artifact_ref: z.string().max(300).optional().describe('the document you wrote, if any'),
  files_changed: z.array(z.string().max(300)).max(200).default([]),
  friction: z.array(frictionSchema).max(10).default([]).describe('guidance that was unused, failed, missing or stale'),
});
export type WorkResult = z.infer<typeof workResult>;

export const reviewResult = workResult.extend({
  verdict: z
    .enum(['approved', 'revision', 'n/a'])
    .describe('approved, or revision with findings that say what to change; n/a goes to a person'),
});
export type ReviewResult = z.infer<typeof reviewResult>;

export const triageResult = workResult.extend({
  route: z.enum(['A', 'B']).describe('A: the cause is clear and the fix small, no plan is needed; B: plan first'),
});

export const adviceResult = z.object({
  what: z.string().max(600).describe('what stopped, in plain words'),
  why: z.string().max(600).default(''),
  next: z.array(z.string().max(300)).max(6).default([]).describe('what a person should do, step by step'),
});
export type LeadAdvice = z.infer<typeof adviceResult>;

/** What the product manager makes of a wish: questions first, then a sprint. */
export const intakeResult = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().max(300),
        why: z.string().max(300).default(''),
        options: z.array(z.string().max(200)).min(2).max(4),
      }),
    )
    .max(6)
    .default([])
    .describe('what only a person can decide; empty once it is answered'),
  title: z.string().min(1).max(120),
  goal: z.string().min(1).max(1000),
  requirements: z.array(z.string().max(400)).min(1).max(30).describe('each can be checked when the sprint is over'),
});
export type IntakeResult = z.infer<typeof intakeResult>;

export const sprintPlanResult = z.object({
  tasks: z
    .array(
      z.object({
        id: z.string().regex(taskIdText).describe('T01, T02, …'),
        title: z.string().min(1).max(160),
        description: z.string().max(4000).default(''),
        estimate: z.enum(['S', 'M', 'L', 'XL']).default('M'),
        dependencies: z
          .array(z.string().regex(/^[A-Za-z0-9_-]{1,128}$/))
          .max(30)
          .default([])
          .describe('tasks of this plan (T01), or ids of tasks that are there already'),
        pipeline: z.string().max(64).optional(),
      }),
    )
    .min(1)
    .max(60),
  risks: z.array(z.string().max(300)).max(12).default([]),
});
export type SprintPlanResult = z.infer<typeof sprintPlanResult>;

export const sprintReviewResult = z.object({
  verdict: z.enum(['complete', 'partial']),
  summary: z.string().max(1000),
  requirements: z
    .array(z.object({ text: z.string().max(400), met: z.boolean(), evidence: z.string().max(400).default('') }))
    .max(40)
    .default([]),
  gaps: z.array(z.string().max(300)).max(20).default([]),
});
export type SprintReviewResult = z.infer<typeof sprintReviewResult>;

export const retroResult = z.object({
  summary: z.string().max(1000),
  wentWell: z.array(z.string().max(300)).max(12).default([]),
  wentBadly: z.array(z.string().max(300)).max(12).default([]),
  actions: z.array(z.string().max(300)).max(12).default([]),
  lessons: z
    .array(
      z.object({ category: z.string().max(60), keywords: z.array(z.string()).default([]), text: z.string().max(300) }),
    )
    .max(3)
    .default([]),
});
export type RetroResult = z.infer<typeof retroResult>;

/** What the librarian would change about the guidance of roles. */
export const enhanceResult = z.object({
  summary: z.string().min(1).max(600),
  changes: z
    .array(
      z.object({
        role: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
        add: z.array(z.string().min(1).max(300)).max(6).default([]).describe('responsibilities to add, one line each'),
        remove: z.array(z.string().max(300)).max(6).default([]).describe('responsibilities to remove, word by word'),
        why: z.string().min(1).max(400),
        friction: z.array(z.string().max(200)).max(50).default([]).describe('ids of the friction events it settles'),
      }),
    )
    .max(12)
    .default([]),
  notes: z.array(z.string().max(300)).max(12).default([]).describe('what a person should change in other documents'),
});
export type EnhanceResult = z.infer<typeof enhanceResult>;
