/** One thing that was looked at without running anything: a file, its syntax, or what one module expects of another. */
import { z } from 'zod';

export const contractResultSchema = z.strictObject({
  type: z.enum(['file_check', 'syntax_check', 'contract_check']),
  passed: z.boolean(),
  /** The file it is about; for a contract, the one that expects something. */
  file: z.string(),
  line: z.number().int().nonnegative().default(0),
  /** For a contract: the file that should provide it. */
  exporter: z.string().optional(),
  /** What is wrong, in one sentence; empty when it passed. */
  message: z.string().default(''),
  /** Names the failure so that the same one is known again. */
  name: z.string(),
});
export type ContractResult = z.infer<typeof contractResultSchema>;
