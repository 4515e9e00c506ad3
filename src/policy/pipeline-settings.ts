/**
 * Pipelines that a project defines in its settings: phases in order, each with the role that does it. Data only; what
 * they mean is in `pipelines/`.
 */
import { z } from 'zod';

const name = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'may hold letters, digits, _ and -, and begins with a letter');

export const pipelinePhaseSchema = z.strictObject({
  /** The name of the phase, and what a person types to resume it. */
  command: name,
  /** What is done: plan, review-plan, implement, review-code, validate, approve, writeback, commit, or a role of yours. */
  role: name,
  /** Of a review: how often it may ask for a revision before a person decides. */
  maxIterations: z.number().int().min(1).max(20).default(3),
  /** The command of the phase to go back to; otherwise the nearest earlier one that is not a review. */
  on_revision: name.optional(),
  model: z.string().min(1).optional(),
  context: z
    .strictObject({
      /** Whether the agent gets what is known about the architecture. */
      architecture: z.boolean().default(true),
      /** Summaries of the phases before. */
      prior_summaries: z.enum(['last-three', 'none']).default('last-three'),
    })
    .prefault({}),
});

export const pipelineSettingsSchema = z
  .record(
    name,
    z.strictObject({
      description: z.string().default(''),
      phases: z.array(pipelinePhaseSchema).min(1).max(50),
      /** Markdown with gates and outputs blocks, or the path of such a file; without it the built-in gates hold. */
      gates: z.string().min(1).optional(),
    }),
  )
  .default({});
export type PipelineSettings = z.infer<typeof pipelineSettingsSchema>;
export type PipelinePhase = z.infer<typeof pipelinePhaseSchema>;
