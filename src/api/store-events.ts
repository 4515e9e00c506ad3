/** Events of sprints and the log of progress, for scripts and for people who repair a store by hand. */
import { z } from 'zod';
import { clearProgress, emitEvent, logProgress, mergeSidecar } from '../store/event-files.ts';
import type { Operation } from './operation.ts';
import { storedRecordSchema } from './output-shapes.ts';
import { findStoreRoot, parseTyped, recordError, requireId } from './store-place.ts';

const sprintSchema = z.strictObject({ sprint: z.string() });

const unchanged = 'Nothing was changed.';

const emitInput = z.strictObject({
  sprint: z.string(),
  json: z.string(),
  isSidecar: z.boolean().default(false),
  anySprint: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

export const storeEmit: Operation<typeof emitInput, typeof storedRecordSchema> = {
  name: 'store-emit',
  kind: 'command',
  description: 'Write an event, or usage to be merged into one.',
  input: emitInput,
  output: storedRecordSchema,
  async run(context, { sprint, json, ...asked }) {
    const value = parseTyped(json);
    const root = await findStoreRoot(context);
    const change = await emitEvent(root, { sprint: requireId(sprint), value, ...asked, at: new Date().toISOString() });
    if (change.status === 'written') return change.record;
    const what = asked.isSidecar ? 'The usage does not fit' : 'The event does not fit';
    throw recordError(what, change.faults, `forge store describe event lists its fields. ${unchanged}`);
  },
};

const mergeInput = z.strictObject({ sprint: z.string(), event: z.string(), dryRun: z.boolean().default(false) });

export const storeMerge: Operation<typeof mergeInput, typeof storedRecordSchema> = {
  name: 'store-merge',
  kind: 'command',
  description: 'Merge usage into its event, and remove it.',
  input: mergeInput,
  output: storedRecordSchema,
  async run(context, { sprint, event, dryRun }) {
    const root = await findStoreRoot(context);
    const change = await mergeSidecar(root, requireId(sprint), requireId(event), dryRun);
    if (change.status === 'written') return change.record;
    throw recordError('It cannot be merged', change.faults, unchanged);
  },
};

const progressInput = z.strictObject({
  sprint: z.string(),
  agentName: z.string(),
  bannerKey: z.string(),
  status: z.string(),
  detail: z.string().default(''),
});

export const storeProgress: Operation<typeof progressInput, typeof sprintSchema> = {
  name: 'store-progress',
  kind: 'command',
  description: 'Add a line to the log of progress.',
  input: progressInput,
  output: sprintSchema,
  async run(context, { sprint, ...entry }) {
    const root = await findStoreRoot(context);
    const faults = await logProgress(root, { sprint: requireId(sprint), entry, at: new Date().toISOString() });
    if (faults.length === 0) return { sprint };
    throw recordError('The line does not fit', faults, unchanged);
  },
};

const clearInput = z.strictObject({ sprint: z.string() });

export const storeProgressClear: Operation<typeof clearInput, typeof sprintSchema> = {
  name: 'store-progress-clear',
  kind: 'command',
  description: 'Empty the log of progress.',
  input: clearInput,
  output: sprintSchema,
  async run(context, { sprint }) {
    await clearProgress(await findStoreRoot(context), requireId(sprint));
    return { sprint };
  },
};
