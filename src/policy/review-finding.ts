/** One structured remark of a reviewer: where, how bad, of what kind, what is claimed and what shows it. */
import { z } from 'zod';

export const findingSeverities = ['error', 'warning', 'info'] as const;

export const reviewFindingSchema = z.object({
  file: z.string().describe('relative to the repository'),
  line: z.number().int().nonnegative().default(0).describe('0 when it is about the whole file'),
  severity: z.enum(findingSeverities),
  category: z
    .string()
    .default('')
    .describe('contract-mismatch, silent-failure, schema-drift, race, compatibility, style or the like'),
  element: z.string().default('').describe('the field, function or variable it is about'),
  claim: z.string().describe('what is wrong, in one sentence'),
  evidence: z.string().default('').describe('the lines, calls or values that show it'),
  suggestion: z.string().default(''),
});
export type ReviewFinding = z.infer<typeof reviewFindingSchema>;
