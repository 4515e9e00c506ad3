/** A remembered lesson as operations give it. */
import { z } from 'zod';

export const lessonSchema = z.strictObject({
  id: z.string(),
  category: z.string(),
  keywords: z.array(z.string()),
  text: z.string(),
  scope: z.enum(['project', 'user']),
  /** YYYY-MM-DD on which it was learned last. */
  date: z.string(),
  /** How many plans made use of it. */
  applied: z.number().int(),
  /** 0 to 1. */
  confidence: z.number(),
});
