/**
 * What will be built: the plan as every workflow stores it. Schemas only; rules that need more than one
 * field are in validate-plan.ts, so that a planner gets every fault at once with its fix.
 */
import { z } from 'zod';

/** A verify entry as written: a command line, or a command with its surroundings. */
export const verifyEntrySchema = z.union([
  z.string(),
  z.strictObject({
    run: z.union([z.string(), z.array(z.string()).min(1)]),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    /** Seconds. */
    timeout: z.number().positive().max(86_400).optional(),
  }),
]);
export type VerifyEntry = z.infer<typeof verifyEntrySchema>;

export const taskKinds = ['feature', 'fix', 'refactor', 'test', 'docs', 'chore'] as const;
export const taskComplexities = ['S', 'M', 'L'] as const;
export const taskRisks = ['low', 'medium', 'high'] as const;

/** Behaviour that a task is meant to change, so that tests which expected the old one may change with it. */
export const behaviourChangeSchema = z.strictObject({
  /** One sentence: what is different afterwards. */
  what: z.string().trim().min(1).max(1000),
  /** Names or files of the tests that expect the old behaviour; any test of the task when left out. */
  tests: z.array(z.string().max(500)).max(200).optional(),
});
export type BehaviourChange = z.infer<typeof behaviourChangeSchema>;

export const taskSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  objective: z.string().default(''),
  kind: z.enum(taskKinds).default('feature'),
  depends: z.array(z.string()).default([]),
  /** Paths and globs, relative to the repository's root, that the task may change. */
  writes: z.array(z.string()).default([]),
  verify: z.array(verifyEntrySchema).default([]),
  doneWhen: z.string().default(''),
  complexity: z.enum(taskComplexities).default('M'),
  expectedMinutes: z.number().positive().max(10_000).optional(),
  acceptance: z
    .array(z.strictObject({ check: z.string(), expected: z.string().default(''), blocking: z.boolean().default(true) }))
    .default([]),
  /** Existing behaviour the task changes on purpose: shown at approval; tests may change only for these. */
  behaviourChanges: z.array(behaviourChangeSchema).max(50).optional(),
  /** Globs the task must not change even though they lie within `writes`. */
  forbids: z.array(z.string()).default([]),
  /** Which configured agent should do it; the role's own when left out. */
  agent: z.string().optional(),
  /** How much would be broken by a mistake: `high` has it planned and reviewed by stronger models. */
  risk: z.enum(taskRisks).optional(),
  /** How strong a model and how much thought it needs, where that differs from what is usual for the role. */
  tier: z.string().max(40).optional(),
  effort: z.string().max(40).optional(),
  costBudget: z
    .strictObject({
      maxTokens: z.number().int().positive().optional(),
      maxRetries: z.number().int().positive().optional(),
    })
    .optional(),
  /** What will show that it works. */
  successEvidence: z.string().trim().min(1).optional(),
  /** The steps a good worker is expected to take. */
  expectedTrajectory: z.array(z.string()).optional(),
});
export type Task = z.infer<typeof taskSchema>;

export const planSchema = z.strictObject({
  objective: z.string(),
  techStack: z.record(z.string(), z.string()).default({}),
  tasks: z.array(taskSchema),
  decisions: z.array(z.string()).default([]),
  risks: z.array(z.string()).default([]),
});
export type Plan = z.infer<typeof planSchema>;
