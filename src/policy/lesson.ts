/** One remembered fact, as it travels: where it came from, how often a plan made use of it. */
import { z } from 'zod';

export const lessonSchema = z.strictObject({
  id: z.string(),
  category: z.string(),
  keywords: z.array(z.string()),
  text: z.string(),
  scope: z.enum(['project', 'user']),
  /** The day it was learnt. */
  date: z.string(),
  applied: z.number().int().nonnegative(),
  /** 0 to 1. Runs begun before this was recorded lack it. */
  confidence: z.number().min(0).max(1).default(0.5),
});
export type Lesson = z.infer<typeof lessonSchema>;

/** What a run that succeeded was like: later forecasts go by it. */
export const runShapeSchema = z.strictObject({
  workflow: z.string(),
  tasks: z.number().int().nonnegative(),
  depth: z.number().int().nonnegative(),
  files: z.number().int().nonnegative(),
  retries: z.number().int().nonnegative(),
});
export type RunShape = z.infer<typeof runShapeSchema>;
