/** Changes of records by a person or a script: write, change one field, set a phase summary, delete. */
import { z } from 'zod';
import { readConfinedText } from '../files/confined.ts';
import type { Issue } from '../plan/refusal.ts';
import { type EntityName, entityNames, filedEntities, recordId, type StoredRecord } from '../records/entity.ts';
import { summaryFiles } from '../records/summary-files.ts';
import { changeField, deleteRecord, type RecordChange, writeRecord, writeSummary } from '../store/change-records.ts';
import { isDamaged, knownIds, readEntry, recordPath } from '../store/record-files.ts';
import type { ApiContext } from './context.ts';
import type { JsonOf, Operation } from './operation.ts';
import { storedRecordSchema } from './output-shapes.ts';
import {
  findStoreRoot,
  notFound,
  ownPhasesOf,
  parseTyped,
  recordError,
  requireEntity,
  requireId,
} from './store-place.ts';

const storeChangeSchema = z.strictObject({
  entity: z.string(),
  id: z.string(),
  dryRun: z.boolean(),
  record: storedRecordSchema,
  notes: z.array(z.string()),
});
export type StoreChange = JsonOf<typeof storeChangeSchema>;

const deletedSchema = z.strictObject({ entity: z.string(), id: z.string() });

const asked = { dryRun: z.boolean().default(false), force: z.boolean().default(false) };

const writeInput = z.strictObject({ entity: z.string(), json: z.string(), ...asked });

export const storeWrite: Operation<typeof writeInput, typeof storeChangeSchema> = {
  name: 'store-write',
  kind: 'command',
  description: 'Write a record, or replace it.',
  input: writeInput,
  output: storeChangeSchema,
  async run(context, { entity: word, json, dryRun, force }) {
    const entity = requireEntity(word, entityNames);
    const value = parseTyped(json);
    const root = await findStoreRoot(context);
    const skipChecks = context.env['FORGE_SKIP_WRITE_VALIDATION'] === '1';
    const options = { dryRun, force: allowForce(context, force), skipChecks, at: now(), ownPhases: ownPhasesOf(root) };
    return describeChange(
      entity,
      { dryRun, id: idOf(entity, value) },
      await writeRecord(root, { entity, value, options }),
    );
  },
};

const fieldInput = z.strictObject({
  entity: z.string(),
  id: z.string(),
  field: z.string(),
  value: z.string(),
  ...asked,
});

export const storeUpdate: Operation<typeof fieldInput, typeof storeChangeSchema> = {
  name: 'store-update',
  kind: 'command',
  description: 'Change one field of a record, checked against its states.',
  input: fieldInput,
  output: storeChangeSchema,
  async run(context, { entity: word, id, field, value, dryRun, force }) {
    const entity = requireEntity(word, filedEntities);
    const root = await findStoreRoot(context);
    const options = { dryRun, force: allowForce(context, force), at: now(), ownPhases: ownPhasesOf(root) };
    const change = await changeField(root, { entity, id: requireId(id), field, value, options });
    return describeChange(entity, { dryRun, id }, change);
  },
};

const summaryInput = z.strictObject({
  /** Without it, whichever has the id. */
  entity: z.enum(['task', 'bug']).optional(),
  id: z.string(),
  phase: z.string(),
  /** Without it, the file of that phase in the record's own directory. */
  file: z.string().optional(),
  dryRun: z.boolean().default(false),
});

export const storeSummary: Operation<typeof summaryInput, typeof storeChangeSchema> = {
  name: 'store-summary',
  kind: 'command',
  description: 'Set the summary of a phase on a task or a bug.',
  input: summaryInput,
  output: storeChangeSchema,
  async run(context, { entity: wanted, id, phase, file, dryRun }) {
    const root = await findStoreRoot(context);
    const entity = wanted ?? (knownIds(root).bug.includes(id) ? 'bug' : 'task');
    const found = readEntry(root, { entity, file: recordPath(entity, requireId(id)) });
    if (found === undefined || isDamaged(found)) throw notFound(entity, id, `See forge store list ${entity}.`);
    const text = file === undefined ? summaryOf(root, found.record, phase) : readProjectFile(root, file);
    const options = { dryRun, at: now(), ownPhases: ownPhasesOf(root) };
    // Without a text the phase itself is not known, and that is what the store says.
    const summary = text === undefined ? undefined : parseTyped(text);
    const change = await writeSummary(root, { entity, id, phase, summary, options });
    return describeChange(entity, { dryRun, id }, change);
  },
};

const deleteInput = z.strictObject({ entity: z.string(), id: z.string() });

export const storeDelete: Operation<typeof deleteInput, typeof deletedSchema> = {
  name: 'store-delete',
  kind: 'command',
  description: 'Remove a record.',
  input: deleteInput,
  output: deletedSchema,
  async run(context, { entity: word, id }) {
    const entity = requireEntity(word, filedEntities);
    const done = await deleteRecord(await findStoreRoot(context), entity, requireId(id));
    if (done === 'absent') throw notFound(entity, id, `See forge store list ${entity}.`);
    return { entity, id };
  },
};

function describeChange(
  entity: EntityName,
  { dryRun, id }: { dryRun: boolean; id: string },
  change: RecordChange,
): StoreChange {
  if (change.status === 'absent') throw notFound(entity, id, `See forge store list ${entity}.`);
  if (change.status === 'written') return { entity, id, dryRun, record: change.record, notes: change.notes };
  throw notWritten(entity, id, change.faults);
}

function notWritten(entity: EntityName, id: string, faults: readonly Issue[]): Error {
  const hint = `forge store template ${entity} prints one that fits. Nothing was changed.`;
  return recordError(`The ${entity} ${id} does not fit its rules`, faults, hint);
}

/** The person who owns the machine may set a rule aside; an agent that hits one has to say so instead. */
function allowForce({ env }: ApiContext, force: boolean): boolean {
  if (!force || env['FORGE_ALLOW_FORCE'] === '1') return force;
  throw recordError('--force is for a person, not for agents', [], 'Set FORGE_ALLOW_FORCE=1 as well if you are sure.');
}

function summaryOf(root: string, record: StoredRecord, phase: string): string | undefined {
  const names = summaryFiles(phase);
  if (names.length === 0) return undefined;
  const directory = String(record['path']).replace(/\/[^/]*\.[A-Za-z0-9]+$/, '');
  for (const name of names) {
    const text = readConfinedText(root, `${directory}/${name}`);
    if (text !== undefined) return text;
  }
  throw recordError(`There is no ${directory}/${names[0]}`, [], 'Write it, or name another file.');
}

function readProjectFile(root: string, file: string): string {
  const text = file.startsWith('/') || file.split('/').includes('..') ? undefined : readConfinedText(root, file);
  if (text === undefined)
    throw recordError(`There is no ${file} in the project`, [], 'Name a file inside the project.');
  return text;
}

function idOf(entity: EntityName, value: unknown): string {
  return typeof value === 'object' && value !== null ? (recordId(entity, value as StoredRecord) ?? '') : '';
}

function now(): string {
  return new Date().toISOString();
}
