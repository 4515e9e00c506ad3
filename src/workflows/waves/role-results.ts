/**
 * What each role of the workflow `waves` answers with. A reply that does not fit is a truncated reply; the
 * descriptions reach agents as part of the schema.
 */
import { z } from 'zod';
import { taskSchema } from '../../plan/plan.ts';

export const plannerResult = z.object({
  overview: z.object({
    techStack: z.string(),
    architecture: z.string(),
    businessLogic: z.string(),
    keyDecisions: z.array(z.string()),
  }),
  tasks: z.array(taskSchema).min(1).describe('complexity is M (1 to 5 files, at most 80 changed lines) or L (more)'),
  waves: z
    .array(z.array(z.string()).min(1))
    .min(1)
    .describe('task ids in order; a wave is one developer session and one tester session'),
  clarifications: z
    .array(z.object({ question: z.string(), why: z.string().default(''), options: z.array(z.string()).min(2).max(4) }))
    .max(4)
    .default([]),
  knowledgeApplied: z.array(z.string()).default([]).describe('ids of the lessons the plan makes use of'),
  risks: z.array(z.string()).default([]),
});
export type PlannerResult = z.infer<typeof plannerResult>;

export const handoffSchema = z.object({
  filesModified: z.array(z.string()).default([]),
  keyInterfaces: z.array(z.string()).default([]),
  stateDependencies: z.array(z.string()).default([]),
  deviations: z.array(z.string()).default([]),
});
export type Handoff = z.infer<typeof handoffSchema>;

export const developerResult = z.object({
  status: z.enum(['success', 'partial', 'failed']),
  summary: z.string(),
  unitTests: z.string().default(''),
  handoff: handoffSchema.prefault({}),
  bugsFixed: z.array(z.string()).default([]),
  bugsRemaining: z.array(z.string()).default([]),
});
export type DeveloperResult = z.infer<typeof developerResult>;

export const bugSchema = z.object({
  title: z.string(),
  category: z.enum(['unit', 'integration']),
  severity: z.enum(['critical', 'major', 'minor']).default('major'),
  wave: z
    .union([z.number().int().positive(), z.literal('cross-wave')])
    .default('cross-wave')
    .describe("a wave's number, or cross-wave with the files involved"),
  files: z.array(z.string()).default([]),
  reproduction: z.string().default(''),
  expected: z.string().default(''),
  actual: z.string().default(''),
});
export type Bug = z.infer<typeof bugSchema>;

const tally = z.object({ passed: z.number().int().nonnegative(), total: z.number().int().nonnegative() });

const testerReply = z.object({
  result: z.enum(['pass', 'fail']),
  unit: tally.prefault({ passed: 0, total: 0 }),
  integration: tally.prefault({ passed: 0, total: 0 }),
  skipped: z
    .array(z.object({ test: z.string(), reason: z.string() }))
    .default([])
    .describe('tests that the environment did not allow: reported, never bugs'),
  bugs: z.array(bugSchema).default([]),
  summary: z.string().default(''),
});
export type TesterResult = z.infer<typeof testerReply>;

/** Read the same way by everyone: a skipped test is not a bug, and a pass that names bugs is not a pass. */
export const testerResult = testerReply
  .transform((reply): TesterResult => {
    const skipped = new Set(reply.skipped.map(({ test }) => test.trim()));
    const bugs = reply.bugs.filter((bug) => !skipped.has(bug.title.trim()));
    return { ...reply, bugs, result: bugs.length > 0 ? 'fail' : reply.result };
  })
  .refine((reply) => reply.result === 'pass' || reply.bugs.length > 0, {
    message: 'a failed test must name its bugs, and a skipped test is none',
    path: ['bugs'],
  });
