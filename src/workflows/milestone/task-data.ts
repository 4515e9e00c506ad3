/** What a task's outcome carries for the rest of the milestone and for documents: written once, read back on resume. */
import { z } from 'zod';
import { inspectionSchema } from '../../policy/promises.ts';
import { fragmentCategories } from './rules/memory-choice.ts';

/** Something that a unit taught. */
export const learnedSchema = z.object({
  category: z.enum(fragmentCategories),
  text: z.string(),
  confidence: z.number(),
});

const decisionSchema = z.object({
  choice: z.string(),
  why: z.string().default(''),
  alternative: z.string().default(''),
});

export const taskDataSchema = z.object({
  summary: z.string().default(''),
  files: z.array(z.string()).default([]),
  commit: z.string().default(''),
  /** What the engine ran. */
  verification: z.array(z.object({ command: z.string(), status: z.string() })).default([]),
  truths: z.array(z.string()).default([]),
  /** What the worker said it ran and the engine saw differently. */
  claims: z.array(z.string()).default([]),
  /** What the worker said it ran and the engine did not. */
  unconfirmed: z.array(z.string()).default([]),
  decisions: z.array(decisionSchema).default([]),
  pruned: z.array(z.string()).default([]),
  dropped: z.array(z.string()).default([]),
  repairs: z.array(z.object({ strategy: z.string(), reason: z.string() })).default([]),
  completed: z.array(z.string()).default([]),
  remaining: z.array(z.string()).default([]),
  nextAction: z.string().default(''),
  learned: z.array(learnedSchema).default([]),
  /** What earlier units taught it. */
  told: z.array(z.string()).default([]),
  inspection: inspectionSchema.nullable().default(null),
  /** Tasks that it was split into. */
  parts: z.array(z.string()).default([]),
});
export type TaskData = z.infer<typeof taskDataSchema>;

export function readTaskData(data: unknown): TaskData {
  return taskDataSchema.parse(data ?? {});
}
