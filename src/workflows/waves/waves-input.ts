/** What a `waves` run is started with. Settings and defaults are resolved before: a run never reads them again. */
import { z } from 'zod';
import { runInputSchema } from '../run-input.ts';

export const wavesInputSchema = runInputSchema.extend({
  agents: z.strictObject({ planner: z.string(), developer: z.string(), tester: z.string(), learner: z.string() }),
});
export type WavesInput = z.infer<typeof wavesInputSchema>;
