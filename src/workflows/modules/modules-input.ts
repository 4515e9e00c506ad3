/** What a `modules` run is started with. Settings and defaults are resolved before: a run never reads them again. */
import { z } from 'zod';
import { optionsSchema, runInputSchema } from '../run-input.ts';
import { modulesOptions } from './definition.ts';
import { type ModuleRole, moduleRoles } from './roles.ts';

export const modulesInputSchema = runInputSchema.extend({
  agents: z.record(z.enum(Object.keys(moduleRoles) as [ModuleRole, ...ModuleRole[]]), z.string()),
  options: optionsSchema(modulesOptions).prefault({} as never),
  parallel: z.number().int().min(1).max(64).default(3),
  history: z.enum(['module', 'run', 'all']).default('module'),
  /** Whether files, syntax and contracts between modules are looked at besides what commands say. */
  contracts: z.boolean().default(true),
  /** Paths of the user's checkout with changes that are not committed: agents do not see these changes. */
  dirty: z.array(z.string()).default([]),
});
export type ModulesInput = z.infer<typeof modulesInputSchema>;
