/** What the outcome of a record keeps, for the rest of the run and for another try at it. */
import { z } from 'zod';
import { escalationReasons } from '../../pipelines/escalation.ts';

export const recordDataSchema = z.object({
  state: z.string().default(''),
  /** Where its work began. */
  base: z.string().optional(),
  /** By phase: how often it was done, and how often it asked for a revision. */
  counts: z.record(z.string(), z.object({ iterations: z.number().int(), revisions: z.number().int() })).default({}),
  escalation: z.object({ reason: z.enum(escalationReasons), phase: z.string() }).optional(),
});
export type RecordData = z.infer<typeof recordDataSchema>;

export function readRecordData(data: unknown): RecordData {
  return recordDataSchema.parse(data ?? {});
}
