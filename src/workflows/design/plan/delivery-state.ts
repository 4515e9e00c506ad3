/**
 * Where a delivery stands, folded from the events that the run noted: one row per module and phase, the acceptance, the
 * coverage. The plan directory is drawn from it, and never read back while the run goes on. Pure.
 */
import { z } from 'zod';
import { type Coverage, coverageSchema, noCoverage } from '../rules/coverage.ts';

export const moduleRowSchema = z.strictObject({
  plan: z.string().optional(),
  dev: z.string().optional(),
  test: z.string().optional(),
  review: z.string().optional(),
  merged: z.string().optional(),
  notes: z.string().optional(),
  phase: z.number().int().optional(),
  retries: z.number().int().optional(),
  commits: z.array(z.string()).optional(),
});
export type ModuleRow = z.infer<typeof moduleRowSchema>;

/** One thing that happened, as the log tells it, and what it changes in the tables. */
export const deliveryEventSchema = z.strictObject({
  title: z.string(),
  context: z.string(),
  event: z.string(),
  details: z.array(z.string()).default([]),
  outcome: z.string(),
  modules: z.record(z.string(), moduleRowSchema).default({}),
  phases: z.record(z.string(), z.strictObject({ integration: z.string().optional() })).default({}),
  acceptance: z
    .strictObject({
      verdict: z.string(),
      features: z.array(
        z.strictObject({
          feature: z.string(),
          total: z.number().int(),
          passed: z.number().int(),
          failed: z.number().int(),
          notCovered: z.number().int(),
        }),
      ),
    })
    .optional(),
  coverage: coverageSchema.optional(),
});
export type DeliveryEvent = z.infer<typeof deliveryEventSchema>;
export type DeliveryEventInput = z.input<typeof deliveryEventSchema>;

export interface DeliveryStanding {
  readonly modules: ReadonlyMap<string, ModuleRow>;
  readonly phases: ReadonlyMap<string, { readonly integration?: string | undefined }>;
  readonly acceptance: DeliveryEvent['acceptance'];
  readonly coverage: Coverage;
}

export const nothingDone: DeliveryStanding = {
  modules: new Map(),
  phases: new Map(),
  acceptance: undefined,
  coverage: noCoverage,
};

export function advanceStanding(before: DeliveryStanding, event: DeliveryEvent): DeliveryStanding {
  const modules = new Map(before.modules);
  for (const [id, row] of Object.entries(event.modules)) {
    const known = modules.get(id) ?? {};
    const commits = [...(known.commits ?? []), ...(row.commits ?? [])];
    modules.set(id, { ...known, ...row, ...(commits.length === 0 ? {} : { commits }) });
  }
  const phases = new Map(before.phases);
  for (const [phase, change] of Object.entries(event.phases)) phases.set(phase, { ...phases.get(phase), ...change });
  return {
    modules,
    phases,
    acceptance: event.acceptance ?? before.acceptance,
    coverage: event.coverage ?? before.coverage,
  };
}

export function isSettled({ merged, dev }: ModuleRow): boolean {
  return merged === 'Yes' || dev === 'Skipped';
}
