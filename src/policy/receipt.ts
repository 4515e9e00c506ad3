/**
 * The record of a merge: what a task declared, what really changed, what was decided about each
 * difference, and the commits before and after.
 */
import { z } from 'zod';

export const changeStatuses = ['added', 'modified', 'deleted', 'type-changed'] as const;
export const changeSchema = z.strictObject({
  path: z.string(),
  status: z.enum(changeStatuses),
});
export type Change = z.infer<typeof changeSchema>;

/** Why a changed path needs a decision. */
export const scopeCases = [
  'undeclared',
  'deletion',
  'protected',
  'foreign',
  'forbidden',
  'judge',
  'weakened',
  'vacuous',
  'instructions',
  'secret',
  'token',
] as const;
export const scopeActions = ['refuse', 'ask', 'allow'] as const;
export const scopeSettingsSchema = z.strictObject({
  undeclared: z.enum(scopeActions).default('allow'),
  deletion: z.enum(scopeActions).default('refuse'),
  protected: z.enum(scopeActions).default('refuse'),
  foreign: z.enum(scopeActions).default('refuse'),
  forbidden: z.enum(scopeActions).default('refuse'),
  /** A change of what judges: check scripts, runner configuration. */
  judge: z.enum(scopeActions).default('ask'),
  /** A change of the packages that the set-up command installs for checks. */
  dependencies: z.enum(scopeActions).default('ask'),
  /** Tests deleted, skipped, narrowed or stripped of assertions. */
  weakened: z.enum(scopeActions).default('ask'),
  /** New tests that pass without the change they are for. */
  vacuous: z.enum(scopeActions).default('allow'),
  /** Texts that agents obey in later work, such as AGENTS.md. */
  instructions: z.enum(scopeActions).default('ask'),
  /** A value in the commit that Forge knows as a secret: from a variable or a copied file that agents were given. */
  secret: z.enum(scopeActions).default('refuse'),
  /** Text in the commit that looks like a token or a private key. */
  token: z.enum(scopeActions).default('ask'),
  /** Globs no task may change, besides those that are protected by default. */
  protectedPaths: z.array(z.string()).default([]),
  /** Globs of what is protected by default and is not to be. */
  unprotected: z.array(z.string()).default([]),
});
export type ScopeSettings = z.infer<typeof scopeSettingsSchema>;

export const scopeFlagSchema = z.strictObject({
  path: z.string(),
  case: z.enum(scopeCases),
  action: z.enum(scopeActions),
  /** One sentence, e.g. "declared by T2". */
  reason: z.string(),
});
export type ScopeFlag = z.infer<typeof scopeFlagSchema>;

export const leftBehindSchema = z.strictObject({
  path: z.string(),
  /** `dependencies`: a directory that package managers fill, which no rule of the project ignores. */
  reason: z.enum(['ignored', 'dependencies', 'too-large', 'submodule', 'git-metadata', 'special-file', 'unreadable']),
  bytes: z.number().nonnegative().optional(),
});
export type LeftBehind = z.infer<typeof leftBehindSchema>;

export const receiptSchema = z.strictObject({
  task: z.string(),
  declared: z.array(z.string()),
  changed: z.array(changeSchema),
  flags: z.array(scopeFlagSchema),
  leftBehind: z.array(leftBehindSchema),
  /** Integration head before and after, the task's commit and the base it was developed on. */
  before: z.string(),
  after: z.string(),
  source: z.string(),
  base: z.string(),
  checks: z.array(z.strictObject({ label: z.string(), status: z.string() })),
});
export type Receipt = z.infer<typeof receiptSchema>;
