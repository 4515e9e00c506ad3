/**
 * What a plan promises about files, and what was found of it: the shapes that travel between plan, effect and reports.
 * Types and schemas only.
 */
import { z } from 'zod';

const promisedArtifactSchema = z.strictObject({
  path: z.string().min(1),
  /** What is in it, for people. */
  provides: z.string().default(''),
  minLines: z.number().int().nonnegative().default(1),
  /** Texts that show a stub, instead of the usual signs. */
  stubPatterns: z.array(z.string()).optional(),
});
export type PromisedArtifact = z.infer<typeof promisedArtifactSchema>;

const promisedLinkSchema = z.strictObject({
  from: z.string().min(1),
  to: z.string().min(1),
  via: z.string().default(''),
});
export type PromisedLink = z.infer<typeof promisedLinkSchema>;

export const promisesSchema = z.strictObject({
  artifacts: z.array(promisedArtifactSchema).default([]),
  links: z.array(promisedLinkSchema).default([]),
  /** Files that have to be there, without more. */
  expected: z.array(z.string()).default([]),
});
export type Promises = z.infer<typeof promisesSchema>;

const wired = z.union([z.boolean(), z.literal('approximate')]);

export const inspectionSchema = z.strictObject({
  artifacts: z.array(
    z.strictObject({
      path: z.string(),
      exists: z.boolean(),
      /** Null where there is nothing to look at. */
      substantive: z.boolean().nullable(),
      wired: wired.nullable(),
      /** What is wrong, or why it is only approximate; empty where all is well. */
      detail: z.string(),
    }),
  ),
  links: z.array(promisedLinkSchema.extend({ holds: wired, detail: z.string() })),
  missingOutput: z.array(z.string()),
  /** Why nothing could be looked at. */
  problem: z.string().default(''),
});
export type Inspection = z.infer<typeof inspectionSchema>;

const symbolStates = ['verified', 'missing', 'ambiguous', 'uncheckable', 'greenfield'] as const;

export const symbolResultSchema = z.strictObject({
  name: z.string(),
  state: z.enum(symbolStates),
  /** Where it is defined, or why that cannot be said. */
  detail: z.string(),
});
export type SymbolResult = z.infer<typeof symbolResultSchema>;
