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
});
export type Lesson = z.infer<typeof lessonSchema>;
