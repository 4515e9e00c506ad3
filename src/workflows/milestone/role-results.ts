/**
 * What each role of the workflow `milestone` answers with. A reply that does not fit is a truncated reply; the
 * descriptions reach agents as part of the schema.
 */
import { z } from 'zod';
import { taskKinds, taskRisks, verifyEntrySchema } from '../../plan/plan.ts';
import { blockerClasses } from './rules/blocker.ts';
import { advocateVerdicts, challengeRulings } from './rules/dialectic.ts';
import { fragmentCategories } from './rules/memory-choice.ts';
import { dimensionVerdicts, planDimensions } from './rules/plan-check.ts';

const text = z.string().max(20_000);
const line = z.string().max(2000);

const learned = z
  .array(
    z.object({
      category: z.enum(fragmentCategories),
      text: z.string().max(300).describe('one sentence that helps with later work here'),
      confidence: z.number().min(0).max(1).default(0.7),
    }),
  )
  .max(5)
  .default([]);

/** Choices that were made without asking anybody. */
const decisions = z
  .array(
    z.object({
      choice: line,
      why: line.default(''),
      alternative: line.default('').describe('what else could have been done'),
    }),
  )
  .max(20)
  .default([]);

export const roadmapResult = z.object({
  title: line,
  vision: line.describe('one sentence: what is different for users when it is done'),
  criteria: z.array(line).max(20).default([]).describe('what can be observed when the milestone is done'),
  slices: z
    .array(
      z.object({
        id: z.string().regex(/^S\d{2,3}$/),
        title: line,
        risk: z.enum(taskRisks).default('medium'),
        depends: z.array(z.string()).default([]),
        demo: line.default('').describe('what a person can see working after this slice'),
      }),
    )
    .min(1)
    .max(20)
    .describe('each slice delivers something that can be shown; slices without depends are independent of each other'),
  decisions,
});
export type RoadmapResult = z.infer<typeof roadmapResult>;

export const discussResult = z.object({
  context: text.describe('scope, non-goals and constraints, in Markdown'),
  decisions,
});
export type DiscussResult = z.infer<typeof discussResult>;

export const researchResult = z.object({
  research: text.describe('what was found, in Markdown'),
  pitfalls: z.array(line).default([]),
  learned,
});

export const mustHavesSchema = z.object({
  truths: z.array(line).default([]).describe('what is true afterwards and can be observed'),
  artifacts: z
    .array(
      z.object({
        path: line,
        provides: line,
        minLines: z.number().int().nonnegative().default(1),
        stubPatterns: z.array(line).optional(),
      }),
    )
    .default([])
    .describe('files that have to be there with substance'),
  links: z
    .array(z.object({ from: line, to: line, via: line }))
    .default([])
    .describe('which file uses which'),
});

export const plannedTaskSchema = z.object({
  id: z.string().regex(/^T\d{1,3}(?:\.\d{1,2})?$/),
  title: line,
  objective: text.default(''),
  kind: z.enum(taskKinds).default('feature'),
  depends: z.array(z.string()).default([]),
  writes: z.array(z.string()).default([]).describe('paths and globs the task may change, tests included'),
  verify: z.array(verifyEntrySchema).default([]),
  doneWhen: line.default(''),
  steps: z.array(line).default([]),
  mustHaves: mustHavesSchema.prefault({}),
  expectedOutput: z.array(line).default([]),
  symbols: z.array(line).default([]).describe('names of existing code that the task builds on'),
  isLarge: z.boolean().optional(),
  risk: z.enum(taskRisks).optional(),
  tier: z.string().max(40).optional(),
  effort: z.string().max(40).optional(),
});
export type PlannedTask = z.infer<typeof plannedTaskSchema>;

export const slicePlanResult = z.object({
  goal: line,
  tasks: z.array(plannedTaskSchema).min(1).max(30),
  decisions,
  learned,
});
export type SlicePlanResult = z.infer<typeof slicePlanResult>;

export const riskResult = z.object({
  risks: z.array(z.object({ risk: line, severity: z.enum(taskRisks), mitigation: line })).max(20),
});
export type RiskResult = z.infer<typeof riskResult>;

export const planCheckResult = z.object({
  dimensions: z
    .array(z.object({ dimension: z.enum(planDimensions), verdict: z.enum(dimensionVerdicts), why: line.default('') }))
    .max(planDimensions.length)
    .describe('every dimension once'),
});

export const securityResult = z.object({
  checklist: z.array(line).max(20).describe('what whoever does the task has to look after'),
});
export type SecurityResult = z.infer<typeof securityResult>;

export const executorResult = z.object({
  status: z.enum(['done', 'partial', 'blocked']),
  summary: line,
  filesChanged: z.array(z.string()).default([]),
  verification: z
    .array(z.object({ command: line, exitCode: z.number().int() }))
    .max(30)
    .default([])
    .describe('commands you ran yourself, with their exit codes'),
  unmet: z.array(line).default([]).describe('must-haves that are not met, word for word'),
  unmetBecause: z.enum(['contradictory', 'impossible']).optional().describe('only if you can show it'),
  completed: z.array(line).default([]).describe('when partial: what is done'),
  remaining: z.array(line).default([]).describe('when partial: what is left'),
  nextAction: line.default('').describe('when partial: where to go on'),
  blocker: line.default('').describe('when blocked: what is missing, and who can provide it'),
  blockerKind: z.enum(blockerClasses).optional(),
  contextLeft: z.number().min(0).max(1).optional().describe('the share of your context that is free, if you know it'),
  decisions,
  learned,
});
export type ExecutorResult = z.infer<typeof executorResult>;

export const challengeResult = z.object({
  objections: z
    .array(
      z.object({
        id: z.string().regex(/^R\d{1,2}$/),
        severity: z.enum(['error', 'warning', 'info']).default('warning'),
        file: line.default(''),
        line: z.number().int().nonnegative().default(0),
        claim: line,
        suggestion: line.default(''),
      }),
    )
    .max(12)
    .default([]),
  rulings: z
    .array(z.object({ id: z.string(), ruling: z.enum(challengeRulings), why: line.default('') }))
    .max(20)
    .default([])
    .describe('only when the brief shows you answers'),
});
export type ChallengeResult = z.infer<typeof challengeResult>;

export const defenseResult = z.object({
  answers: z.array(z.object({ id: z.string(), verdict: z.enum(advocateVerdicts), why: line.default('') })).max(20),
});

export const scribeResult = z.object({
  summary: text.describe('what was delivered, in Markdown'),
  provides: z.array(line).max(20).default([]),
});
export type ScribeResult = z.infer<typeof scribeResult>;
