/**
 * Effects on the records of a project (tasks, bugs, sprints) and on what gates ask about: schemas for input and output.
 * Records are a run's input when it starts and its projection afterwards, so a write says what the run believes to be
 * there, and finding something else is an answer, not an accident. Part of the one map in effect-map.ts.
 */
import { z } from 'zod';
import { hookRunSchema } from '../policy/hook-run.ts';

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'a full commit id');
const recordSchema = z.record(z.string(), z.json());
const { hook } = hookRunSchema.shape;
const filed = z.enum(['sprint', 'task', 'bug', 'feature']);

const faultSchema = z.strictObject({ where: z.string(), problem: z.string(), fix: z.string() });

export const recordEffects = {
  /** The records that have to do with these ids, as they are now: themselves, their sprints, and all tasks of those. */
  'records.read': {
    input: z.strictObject({ ids: z.array(z.string()) }),
    output: z.strictObject({
      /** When it was read. */
      at: z.string(),
      /** Where the project keeps its engineering documents. */
      engineering: z.string(),
      /** The directory of the repository that these documents and the records are in, when it is not the root. */
      place: z.string().optional(),
      found: z.array(
        z.strictObject({ entity: filed, id: z.string(), record: recordSchema, faults: z.array(faultSchema) }),
      ),
      /** Of the ids that were asked for. */
      missing: z.array(z.string()),
      /** Ids that exist and are spelt alike. */
      near: z.array(z.string()).default([]),
      /** All ids there are, by kind. */
      ids: z.record(z.string(), z.array(z.string())).default({}),
      /** Role files that the project brings. */
      roles: z.array(z.string()),
      /** Which try at its task this is part of: 2 after a person had it tried again. */
      generation: z.number().int(),
      /** Git hooks that commits have to pass by the settings, and those of the repository that nobody asked for. */
      hooks: z.strictObject({ required: z.array(hook), idle: z.array(hook) }).optional(),
    }),
    identity: ['ids'],
  },
  /** Events of sprints and bugs, oldest first; what cannot be read is left out. */
  'events.read': {
    input: z.strictObject({ directories: z.array(z.string()) }),
    output: z.strictObject({ at: z.string(), events: z.array(recordSchema) }),
    identity: ['directories'],
  },
  /** Records as the run knows them now, events and lines of progress. What someone else changed is not written over. */
  'records.write': {
    input: z.strictObject({
      at: z.string(),
      records: z
        .array(
          z.strictObject({
            entity: filed,
            id: z.string(),
            /** As the run last knew it; null for one that is new. */
            before: recordSchema.nullable(),
            after: recordSchema,
            /** States it passes through on the way, each of which may follow the one before. */
            via: z.array(z.string()).default([]),
            /** A person had it tried again: a final state may be left. It is audited. */
            force: z.boolean().optional(),
          }),
        )
        .default([]),
      /** Either all records are written or none. */
      isWhole: z.boolean().optional(),
      events: z.array(z.strictObject({ directory: z.string(), event: recordSchema })).default([]),
      progress: z
        .array(z.strictObject({ directory: z.string(), agent: z.string(), status: z.string(), text: z.string() }))
        .default([]),
    }),
    output: z.strictObject({
      records: z.array(
        z.strictObject({
          id: z.string(),
          status: z.enum(['written', 'merged', 'conflict', 'refused']),
          /** As it is on disk afterwards; null where there is none. */
          record: recordSchema.nullable(),
          /** Fields that someone else changed: taken over, or in the way. */
          fields: z.array(z.string()).default([]),
          problem: z.string().default(''),
        }),
      ),
      /** Events that do not fit, with the reason. */
      refused: z.array(z.string()).default([]),
    }),
    identity: [],
  },
  /** How large files of a commit are; what is not a regular file there has no size. */
  'files.measure': {
    input: z.strictObject({ commit, paths: z.array(z.string()) }),
    output: z.strictObject({ at: z.string(), sizes: z.record(z.string(), z.number()) }),
    identity: ['commit'],
  },
  /** How the try before this one ended, where a person had the task tried again; null for a first try. */
  'task.recall': {
    input: z.strictObject({ task: z.string() }),
    output: z.strictObject({
      earlier: z
        .strictObject({
          status: z.string(),
          reason: z.string(),
          commit: z.string().optional(),
          data: z.json().optional(),
        })
        .nullable(),
    }),
    identity: ['task'],
  },
  /** What the project's own role files say; a role without one is left out. */
  'roles.read': {
    input: z.strictObject({ roles: z.array(z.string()) }),
    output: z.strictObject({
      roles: z.record(z.string(), z.strictObject({ description: z.string(), text: z.string() })),
    }),
    identity: ['roles'],
  },
} as const satisfies Record<string, { input: z.ZodObject; output: z.ZodType; identity: readonly string[] }>;
