/** What a `modules` run is started with. Settings and defaults are resolved before: a run never reads them again. */
import { z } from 'zod';
import { verifyEntrySchema } from '../../plan/plan.ts';
import { scopeSettingsSchema } from '../../policy/receipt.ts';

export const moduleRoles = ['architect', 'worker', 'reviewer', 'overseer', 'debugger', 'auditor', 'learner'] as const;
export type ModuleRole = (typeof moduleRoles)[number];

export const modulesInputSchema = z.strictObject({
  requirement: z.string().min(1),
  slug: z.string(),
  agents: z.record(z.enum(moduleRoles), z.string()),
  /** Checks from settings, which count for every module besides its own. */
  checks: z.array(verifyEntrySchema).default([]),
  scope: scopeSettingsSchema.prefault({}),
  /** Of those who work on the run, not the workflow's: to leave it at its plan, and where to land the result. */
  planOnly: z.boolean().default(false),
  into: z.string().optional(),
  /** Text of AGENTS.md and the like, given to agents in the brief. */
  guidance: z.string().default(''),
  parallel: z.number().int().min(1).max(64).default(3),
  /** Wait for a whole stage before the next one starts. */
  barriers: z.boolean().default(false),
  /** One workspace, one module after the other. */
  lite: z.boolean().default(false),
  history: z.enum(['module', 'run', 'all']).default('module'),
  /** Whether files, syntax and contracts between modules are looked at besides what commands say. */
  contracts: z.boolean().default(true),
  /** Paths of the user's checkout that are changed and not committed: agents do not see these changes. */
  dirty: z.array(z.string()).default([]),
  limits: z.strictObject({ wallMs: z.number(), idleMs: z.number() }).optional(),
});
export type ModulesInput = z.infer<typeof modulesInputSchema>;
