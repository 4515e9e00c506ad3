/**
 * What every run is started with, whatever its workflow: settings, options and defaults are resolved before, and a run
 * never reads them again. A workflow extends this schema with what only it needs.
 */
import { z } from 'zod';
import { verifyEntrySchema } from '../plan/plan.ts';
import { scopeSettingsSchema } from '../policy/receipt.ts';
import type { OptionSpec, OptionSpecs, OptionValues } from './workflow-options.ts';

export const runInputSchema = z.strictObject({
  /** The main argument: the requirement, or the path of what is to be built. */
  requirement: z.string().min(1),
  /** A short name for it, used in file names. */
  slug: z.string(),
  /** Agents by role. */
  agents: z.record(z.string(), z.string()),
  /** Checks from the settings. When empty, Forge uses what it discovers on the base. A plan's commands are added. */
  checks: z.array(verifyEntrySchema).default([]),
  scope: scopeSettingsSchema.prefault({}),
  /** Used by whoever works on the run, not by the workflow: stop at the plan, and where to land the result. */
  planOnly: z.boolean().default(false),
  into: z.string().optional(),
  /** Text of AGENTS.md and the like, given to agents in the brief. */
  guidance: z.string().default(''),
  /** The run's base holds the others too; `home` is the commit of the repository that it was started in. */
  repositories: z
    .strictObject({
      home: z.string(),
      others: z.array(z.strictObject({ path: z.string(), root: z.string(), base: z.string() })),
    })
    .optional(),
  limits: z.strictObject({ wallMs: z.number(), idleMs: z.number() }).optional(),
});
export type RunInput = z.infer<typeof runInputSchema>;

/** The input of a workflow that only adds its options. */
export function inputWithOptions<O extends OptionSpecs>(specs: O) {
  return runInputSchema.extend({ options: optionsSchema(specs).prefault({} as never) });
}

/** Recorded options, read back when a run is resumed. */
export function optionsSchema<O extends OptionSpecs>(specs: O): z.ZodType<OptionValues<O>> {
  const shape = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, valueSchema(spec)]));
  return z.strictObject(shape) as unknown as z.ZodType<OptionValues<O>>;
}

function valueSchema(spec: OptionSpec): z.ZodType {
  switch (spec.type) {
    case 'boolean':
      return z.boolean().default(spec.default ?? false);
    case 'number':
      return spec.default === undefined ? z.number().optional() : z.number().default(spec.default);
    case 'choice':
      return spec.default === undefined ? z.enum(spec.choices).optional() : z.enum(spec.choices).default(spec.default);
    case 'text':
      return spec.default === undefined ? z.string().optional() : z.string().default(spec.default);
  }
}
