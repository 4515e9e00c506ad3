/** Questions about records: one, many, what they look like, and what does not fit. Changes nothing. */
import { z } from 'zod';
import { compareIds } from '../plan/task-id.ts';
import { checkRecord } from '../records/check-record.ts';
import { type EntityName, entityNames, isFiledEntity, type StoredRecord } from '../records/entity.ts';
import { fieldText, fieldValue, fitsConditions, parseConditions } from '../records/record-filter.ts';
import { recordTemplates } from '../records/record-templates.ts';
import { recordSchema } from '../records/schemas.ts';
import { isDamaged, listEntries, readEntry, recordPath } from '../store/record-files.ts';
import { inspectStore } from '../store/inspect-store.ts';
import type { JsonOf, Operation } from './operation.ts';
import { issueSchema, storedRecordSchema } from './output-shapes.ts';
import {
  findStoreRoot,
  notFound,
  ownPhasesOf,
  parseTyped,
  recordError,
  requireEntity,
  requireId,
  requireStoreRoot,
} from './store-place.ts';

const findingsSchema = z.array(issueSchema.extend({ file: z.string(), level: z.enum(['error', 'note']) }));

const readInput = z.strictObject({ entity: z.string(), id: z.string() });

const foundSchema = z.strictObject({
  record: storedRecordSchema,
  /** What does not fit its schema. */
  faults: z.array(issueSchema),
});
type ReadRecord = JsonOf<typeof foundSchema>;

export const storeRead: Operation<typeof readInput, typeof foundSchema> = {
  name: 'store-read',
  kind: 'query',
  description: 'Read a record.',
  input: readInput,
  output: foundSchema,
  async run(context, { entity: word, id }) {
    const entity = requireEntity(word, entityNames);
    requireId(id);
    return findRecord(await findStoreRoot(context), entity, id);
  },
};

const summaryInput = z.strictObject({ entity: z.enum(['task', 'bug']), id: z.string(), phase: z.string() });

export const storeReadSummary: Operation<typeof summaryInput, typeof storedRecordSchema> = {
  name: 'store-read-summary',
  kind: 'query',
  description: 'Read the summary of a phase.',
  input: summaryInput,
  output: storedRecordSchema,
  async run(context, { entity, id, phase }) {
    const { record } = findRecord(await findStoreRoot(context), entity, requireId(id));
    const summary = fieldValue(record, `summaries.${phase}`);
    if (summary === undefined) throw notFound(`summary of ${entity} ${id} for`, phase, 'That phase has not ended yet.');
    return Object(summary) as StoredRecord;
  },
};

const queryInput = z.strictObject({
  entity: z.string(),
  conditions: z.array(z.string()).default([]),
  /** With a minus: the other way round. */
  sort: z.string().optional(),
  limit: z.number().int().min(0).optional(),
});

export const storeQuery: Operation<typeof queryInput, z.ZodArray<typeof storedRecordSchema>> = {
  name: 'store-query',
  kind: 'query',
  description: 'List records that fit conditions.',
  input: queryInput,
  output: z.array(storedRecordSchema),
  async run(context, { entity: word, conditions, sort, limit }) {
    const entity = requireEntity(word, entityNames);
    const parsed = parseConditions(conditions);
    if (!parsed.ok) throw recordError(parsed.problem, [], parsed.fix);
    const { entries } = listEntries(await findStoreRoot(context), entity);
    const records = entries.map(({ record }) => record).filter((record) => fitsConditions(record, parsed.conditions));
    return (sort === undefined ? records : sorted(records, sort)).slice(0, limit);
  },
};

const describeInput = z.strictObject({ entity: z.string() });

export const storeDescribe: Operation<typeof describeInput, typeof storedRecordSchema> = {
  name: 'store-describe',
  kind: 'query',
  description: 'The JSON Schema of a kind of record.',
  input: describeInput,
  output: storedRecordSchema,
  run: async (_context, { entity }) =>
    z.toJSONSchema(recordSchema(requireEntity(entity, entityNames)), { unrepresentable: 'any' }),
};

export const storeTemplate: Operation<typeof describeInput, typeof storedRecordSchema> = {
  name: 'store-template',
  kind: 'query',
  description: 'A record to start from.',
  input: describeInput,
  output: storedRecordSchema,
  run: async (_context, { entity }) => recordTemplates[requireEntity(entity, entityNames)],
};

const checkInput = z.strictObject({ entity: z.string(), json: z.string() });

export const storeValidate: Operation<typeof checkInput, z.ZodArray<typeof issueSchema>> = {
  name: 'store-validate',
  kind: 'query',
  description: 'Check a record without writing it.',
  input: checkInput,
  output: z.array(issueSchema),
  async run(_context, { entity, json }) {
    const checked = checkRecord(requireEntity(entity, entityNames), parseTyped(json));
    return checked.ok ? [] : checked.faults;
  },
};

const inspectInput = z.strictObject({
  /** Only records of this kind. */
  entity: z.string().optional(),
});

export const storeInspect: Operation<typeof inspectInput, typeof findingsSchema> = {
  name: 'store-inspect',
  kind: 'query',
  description: 'Everything in the store that does not fit, with the fix.',
  input: inspectInput,
  output: findingsSchema,
  async run(context, { entity }) {
    const below = entity === undefined ? '' : `${requireEntity(entity, entityNames)}s/`;
    const root = requireStoreRoot(context);
    return inspectStore(root, ownPhasesOf(root)).filter(({ file }) => file.startsWith(below));
  },
};

function findRecord(root: string, entity: EntityName, id: string): ReadRecord {
  const hint = `See forge store list ${entity}.`;
  if (!isFiledEntity(entity)) {
    const event = listEntries(root, entity).entries.find((one) => one.id === id);
    if (event === undefined) throw notFound(entity, id, hint);
    return { record: event.record, faults: event.faults };
  }
  const found = readEntry(root, { entity, file: recordPath(entity, id), ownPhases: ownPhasesOf(root) });
  if (found === undefined) throw notFound(entity, id, hint);
  if (isDamaged(found)) throw recordError(`${found.file}: ${found.problem}`, [], found.fix);
  return { record: found.record, faults: found.faults };
}

function sorted(records: readonly StoredRecord[], sort: string): readonly StoredRecord[] {
  const isDown = sort.startsWith('-');
  const field = isDown ? sort.slice(1) : sort;
  const text = (record: StoredRecord): string => fieldText(record, field) ?? '';
  return records.toSorted((a, b) => compareIds(text(a), text(b)) * (isDown ? -1 : 1));
}
