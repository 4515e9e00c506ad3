/** What a module's outcome carries for the rest of the run and for reports: counted while it ran, read back on resume. */
import { z } from 'zod';
import { reviewFindingSchema } from '../../policy/review-finding.ts';

export const moduleDataSchema = z.object({
  /** Times its commit was validated. */
  attempts: z.number().int().nonnegative().default(0),
  /** Times a debugger was set to it. */
  retries: z.number().int().nonnegative().default(0),
  score: z.number().default(0),
  notes: z.array(z.string()).default([]),
  /** What reviewers remarked that does not block. */
  warnings: z.array(reviewFindingSchema).default([]),
});
export type ModuleData = z.infer<typeof moduleDataSchema>;

export function readModuleData(data: unknown): ModuleData {
  return moduleDataSchema.parse(data ?? {});
}
