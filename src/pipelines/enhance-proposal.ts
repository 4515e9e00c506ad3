/** What a run proposes about roles, as it is recorded and applied later. Pure data. */
import { z } from 'zod';

export const enhanceProposalSchema = z.object({
  changes: z.array(
    z.object({
      role: z.string(),
      add: z.array(z.string()),
      remove: z.array(z.string()),
      why: z.string(),
      friction: z.array(z.string()),
      /** The whole file that it was made for; null where there was none. */
      before: z.string().nullable(),
    }),
  ),
});
export type EnhanceProposal = z.infer<typeof enhanceProposalSchema>;
