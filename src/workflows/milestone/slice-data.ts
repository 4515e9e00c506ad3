/** What a slice's outcome carries for the end of the milestone: its review, and what is still owed. */
import { z } from 'zod';
import { sliceReviewSchema } from './slice-review.ts';

export const sliceDataSchema = z.object({
  title: z.string().default(''),
  tasks: z.number().default(0),
  review: sliceReviewSchema.default({ style: 'disabled', items: [], warnings: [], problem: '' }),
  dropped: z.array(z.string()).default([]),
});
export type SliceData = z.infer<typeof sliceDataSchema>;

export function readSliceData(data: unknown): SliceData {
  return sliceDataSchema.parse(data ?? {});
}
