/**
 * A test that says which requirement it proves: by an id of a criterion or a journey in its name. Only where it stands and
 * what it asserts; whether it ran and passed is the check's to say.
 */
import { z } from 'zod';

export const tracedTestSchema = z.strictObject({
  /** With the suites around it, joined by ` > `. */
  name: z.string(),
  leaf: z.string(),
  file: z.string(),
  line: z.number().int().nonnegative(),
  /** Assertions that can run and can fail. */
  assertions: z.number().int().nonnegative(),
  isSkipped: z.boolean(),
});
export type TracedTest = z.infer<typeof tracedTestSchema>;

/** Whether a name holds the id of a feature's criterion or of a journey, in any of the usual spellings. */
export function namesRequirement(name: string): boolean {
  return /(?<![A-Za-z0-9])(?:F[-_]?\d{3,}\s?[/_ -]\s?AC|J[-_]?\d{3,}(?!\d))/i.test(name);
}
