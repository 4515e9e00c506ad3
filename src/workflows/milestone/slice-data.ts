/** What a slice's outcome carries for the end of the milestone: its review, and what is still owed. */
import { z } from 'zod';
import { sliceReviewSchema } from './slice-review.ts';
import { learnedSchema } from './task-data.ts';

export const sliceDataSchema = z.object({
  title: z.string().default(''),
  tasks: z.number().default(0),
  review: sliceReviewSchema.default({ style: 'disabled', items: [], warnings: [], problem: '' }),
  dropped: z.array(z.string()).default([]),
  /** What its units taught, were told and owe, for slices that come after a restart. */
  units: z
    .array(
      z.object({
        unit: z.string(),
        learned: z.array(learnedSchema),
        told: z.array(z.string()),
        owed: z.array(z.string()),
      }),
    )
    .default([]),
});
export type SliceData = z.infer<typeof sliceDataSchema>;

export function readSliceData(data: unknown): SliceData {
  return sliceDataSchema.parse(data ?? {});
}
