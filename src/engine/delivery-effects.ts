/**
 * Effects for workflows that keep documents of their own in the repository and prove requirements by tests: a part of the one
 * map of effects.
 */
import { z } from 'zod';
import { changeSchema } from '../policy/receipt.ts';
import { tracedTestSchema } from '../policy/traced-test.ts';
import { commitSchema, defineEffect, pathNameSchema } from './effect-kind.ts';

export const deliveryEffects = {
  /** What the run noted so far under keys with one of these endings, oldest first: as a fact, so that a replay knows no more. */
  'notes.read': defineEffect({
    input: z.strictObject({ endings: z.array(z.string()).min(1) }),
    output: z.strictObject({
      notes: z.array(z.strictObject({ key: z.string(), text: z.string(), data: z.json().optional() })),
    }),
    identity: ['endings'],
  }),
  /** Files of the engine's own on top of the integration head, as a commit. Nothing becomes visible. */
  'documents.prepare': defineEffect({
    input: z.strictObject({
      message: z.string(),
      /** `text` is the whole file, `append` goes to its end, and without either it is removed. See policy/document-marks.ts. */
      files: z.array(
        z.strictObject({ path: z.string().max(1000), text: z.string().optional(), append: z.string().optional() }),
      ),
    }),
    output: z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('ready'), commit: commitSchema, before: commitSchema }),
      z.strictObject({ status: z.literal('empty'), before: commitSchema }),
    ]),
    identity: ['message'],
  }),
  /** Moves the integration head to such a commit by compare-and-swap. */
  'documents.land': defineEffect({
    input: z.strictObject({ commit: commitSchema, before: commitSchema }),
    output: z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('landed'), commit: commitSchema }),
      z.strictObject({ status: z.literal('stale'), head: commitSchema }),
    ]),
    identity: ['commit', 'before'],
  }),
  /** A commit without the changes that were not allowed: these files are as they were. The commit itself stays kept. */
  'changes.confine': defineEffect({
    input: z.strictObject({
      from: commitSchema,
      commit: commitSchema,
      /** Patterns of what may change; everything when left out. */
      writes: z.array(z.string()).optional(),
      /** Patterns of what may not, whatever `writes` says. */
      forbids: z.array(z.string()).default([]),
    }),
    output: z.strictObject({ commit: commitSchema, changes: z.array(changeSchema), restored: z.array(changeSchema) }),
    identity: ['from', 'commit'],
  }),
  /** The tests of a commit that name a requirement, such as `F-001/AC3` or `J-001`, with their place and what they assert. */
  'tests.trace': defineEffect({
    /** `all`: patterns of files whose tests are wanted whether they name a requirement or not. */
    input: z.strictObject({ commit: commitSchema, all: z.array(z.string()).default([]) }),
    output: z.strictObject({ tests: z.array(tracedTestSchema), unread: z.array(z.string()) }),
    identity: ['commit'],
  }),
  /** A plan directory and the source of a commit against the rules of delivery; only about files changed since, if asked. */
  'delivery.check': defineEffect({
    input: z.strictObject({
      commit: commitSchema,
      since: commitSchema.optional(),
      planDir: z.string(),
      designDir: z.string().optional(),
      gate: z.enum(['plan', 'execute', 'accept']),
    }),
    output: z.strictObject({
      issues: z.array(
        z.strictObject({
          rule: z.string(),
          file: z.string(),
          line: z.number().int(),
          severity: z.string(),
          description: z.string(),
          fix: z.string(),
          scope: z.string(),
        }),
      ),
    }),
    identity: ['commit', 'gate'],
  }),
  /** An annotated tag on a commit. One that is there already stays as it is. */
  'tag.create': defineEffect({
    input: z.strictObject({ name: z.string().max(200), commit: commitSchema, message: z.string() }),
    output: z.discriminatedUnion('status', [
      z.strictObject({ status: z.literal('created') }),
      z.strictObject({ status: z.literal('exists'), commit: z.string() }),
    ]),
    identity: ['name', 'commit'],
  }),
  /** A checkout for a person to change files in, until it is dropped. */
  'workspace.offer': defineEffect({
    input: z.strictObject({ workspace: pathNameSchema, commit: commitSchema }),
    output: z.strictObject({ path: z.string() }),
    identity: ['workspace', 'commit'],
  }),
  /** What the person left there, as a commit. */
  'workspace.take': defineEffect({
    input: z.strictObject({ workspace: pathNameSchema, commit: commitSchema }),
    output: z.strictObject({ commit: commitSchema, changes: z.array(changeSchema) }),
    identity: ['workspace', 'commit'],
  }),
};
