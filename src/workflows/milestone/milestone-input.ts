/** What a `milestone` run is started with. Settings and defaults are resolved before: a run never reads them again. */
import { z } from 'zod';
import { optionsSchema, runInputSchema } from '../run-input.ts';
import { milestoneOptions } from './definition.ts';
import { type MilestoneRole, milestoneRoles } from './roles.ts';

export const milestoneInputSchema = runInputSchema.extend({
  agents: z.record(z.enum(Object.keys(milestoneRoles) as [MilestoneRole, ...MilestoneRole[]]), z.string()),
  options: optionsSchema(milestoneOptions).prefault({} as never),
  parallel: z.number().int().min(1).max(64).default(3),
  /** Who challenges a slice: an agent of another model family than the one that writes it, where there is one. */
  challenger: z.string().optional(),
  /** Every slice begins with what was agreed by then; runs of earlier versions of Forge read it once. */
  rereads: z.boolean().default(false),
});
export type MilestoneInput = z.infer<typeof milestoneInputSchema>;
