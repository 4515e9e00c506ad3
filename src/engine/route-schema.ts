/** Who did a piece of work in the end, with what, and why, as a journal holds it. */
import { z } from 'zod';

export const routeSchema = z.strictObject({
  agent: z.string(),
  tier: z.string(),
  model: z.string().optional(),
  effort: z.string().optional(),
  thinking: z.string().optional(),
  reasons: z.array(z.string()),
  provider: z.string().optional(),
});
