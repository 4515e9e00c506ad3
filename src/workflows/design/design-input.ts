/** What a run of `design` is started with. Everything about the repository is looked up before: a run only reads commits. */
import { z } from 'zod';
import { optionsSchema, runInputSchema } from '../run-input.ts';
import { designOptions } from './definition.ts';
import { type DesignRole, designRoles } from './roles.ts';

const tagSchema = z.strictObject({ name: z.string(), commit: z.string(), at: z.string().default('') });

export const evolveInputSchema = z.strictObject({
  /** The design that the last delivery was built from; undefined where a person has to choose among the tags. */
  baseline: tagSchema.optional(),
  target: tagSchema,
  /** For the tag of the delivery. */
  slug: z.string(),
  candidates: z.array(tagSchema),
  /** The plan directory was made before deliveries were counted. */
  isLegacy: z.boolean(),
});
export type EvolveInput = z.infer<typeof evolveInputSchema>;

export const designInputSchema = runInputSchema.extend({
  agents: z.record(z.enum(Object.keys(designRoles) as [DesignRole, ...DesignRole[]]), z.string()),
  options: optionsSchema(designOptions).prefault({} as never),
  parallel: z.number().int().min(1).max(64).default(3),
  mode: z.enum(['full', 'execute', 'evolve']),
  design: z.strictObject({ dir: z.string(), name: z.string(), prd: z.string() }),
  plan: z.strictObject({
    dir: z.string(),
    /** Which delivery of the design this is. */
    delivery: z.number().int().positive(),
    /** The tag of the design that is built, or a dash. */
    designDelivery: z.string(),
    family: z.string(),
    /** Of a plan directory that is there already. */
    date: z.string().default(''),
    /** Per cent, where a plan directory says it. */
    threshold: z.number().int().min(0).max(100).optional(),
  }),
  /** Whether there is source code already, so that no project has to be set up. */
  hasSource: z.boolean(),
  evolve: evolveInputSchema.optional(),
});
export type DesignInput = z.infer<typeof designInputSchema>;

/** How many per cent of the criteria have to pass: as asked for, as planned, or the usual number. */
export function thresholdOf({ options, plan }: Pick<DesignInput, 'options' | 'plan'>): number {
  return options.threshold ?? plan.threshold ?? 80;
}
