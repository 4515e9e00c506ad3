/** What a `waves` run is started with. Settings and defaults are resolved before: a run never reads them again. */
import { z } from 'zod';
import { verifyEntrySchema } from '../../plan/plan.ts';
import { scopeSettingsSchema } from '../../policy/receipt.ts';

export const wavesInputSchema = z.strictObject({
  requirement: z.string().min(1),
  slug: z.string(),
  /** Agents by role. */
  agents: z.strictObject({ planner: z.string(), developer: z.string(), tester: z.string(), learner: z.string() }),
  /** Checks from settings; empty: what the base suggests. A plan's commands are added. */
  checks: z.array(verifyEntrySchema).default([]),
  scope: scopeSettingsSchema.prefault({}),
  /** Of those who work on the run, not the workflow's: to leave it at its plan, and where to land the result. */
  planOnly: z.boolean().default(false),
  into: z.string().optional(),
  /** Text of AGENTS.md and the like, given to agents in the brief. */
  guidance: z.string().default(''),
  limits: z.strictObject({ wallMs: z.number(), idleMs: z.number() }).optional(),
});
export type WavesInput = z.infer<typeof wavesInputSchema>;
