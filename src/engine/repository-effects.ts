/** Effects on other repositories than the run's own: schemas for input and output. Part of the one map in effect-map.ts. */
import { z } from 'zod';

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'a full commit id');

export const repositoryEffects = {
  /** They get their parts of a commit, each as a branch. Those that did not change get none. */
  'repositories.publish': {
    input: z.strictObject({ commit, message: z.string() }),
    output: z.strictObject({
      branches: z.array(z.strictObject({ path: z.string(), root: z.string(), branch: z.string(), commit: z.string() })),
    }),
    identity: ['commit'],
  },
} as const;
