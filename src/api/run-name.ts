/** The input field with which most operations name a run. */
import { z } from 'zod';

export const runName = z
  .string()
  .max(256)
  .optional()
  .describe("the run's name, or its beginning or end; without it, the newest run that fits");
