/** One structured remark about a commit: from a reader of the diff now, from reviewers later. */
import { z } from 'zod';

export const findingSchema = z.strictObject({
  path: z.string(),
  line: z.number().int().nonnegative(),
  kind: z.string(),
  claim: z.string(),
  test: z.string().optional(),
});
export type Finding = z.infer<typeof findingSchema>;

export const redGreenResults = ['red', 'absent', 'green', 'not-measured'] as const;
export const redGreenSchema = z.strictObject({
  files: z.array(z.string()),
  result: z.enum(redGreenResults),
  reason: z.string(),
});
export type RedGreen = z.infer<typeof redGreenSchema>;
