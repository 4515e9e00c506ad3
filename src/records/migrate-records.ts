/**
 * Brings records of the tools this format comes from to the rules of today: one record at a time, every change told.
 * What cannot be repaired without guessing stays as it is and is left to a person. A record that fits is not touched.
 * Pure: values in, values out.
 */
import { z } from 'zod';
import { checkRecord, fieldsOf } from './check-record.ts';
import { type EntityName, entityPlaces, isRecordId, type StoredRecord } from './entity.ts';
import { eventTypes, recordSchema } from './schemas.ts';

export interface MigratedRecord {
  readonly record: StoredRecord;
  /** What was changed, a sentence each; none where the record fits already. */
  readonly changes: readonly string[];
}

/** What is known about a record besides its own text. */
export interface RecordOrigin {
  readonly entity: EntityName;
  /** From the file's name, as an id. */
  readonly id: string;
  /** Of an event: the directory it lies in. */
  readonly sprint?: string;
}

export function migrateRecord(value: StoredRecord, origin: RecordOrigin): MigratedRecord {
  const changes: string[] = [];
  const fixed =
    origin.entity === 'event' ? migrateEvent(value, origin, changes) : migrateFields(value, origin, changes);
  const record = withoutUnknown(origin.entity, withoutNulls(origin.entity, fixed, changes), changes);
  return { record, changes };
}

/** A file name as an id: `2026-04-15T19:30:00.000Z_BUG-1` becomes `20260415T193000000Z_BUG-1`. */
export function idFromName(name: string): string {
  const stamp = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?Z/.exec(name);
  const rest =
    stamp === null
      ? name
      : `${stamp.slice(1, 4).join('')}T${stamp.slice(4, 8).join('')}Z${name.slice(stamp[0].length)}`;
  return rest.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 128) || 'unnamed';
}

const states: Readonly<Partial<Record<EntityName, Readonly<Record<string, string>>>>> = {
  bug: { open: 'reported', verified: 'fixed', closed: 'fixed' },
  feature: { implemented: 'shipped', done: 'shipped' },
};

function migrateFields(value: StoredRecord, { entity, id }: RecordOrigin, changes: string[]): StoredRecord {
  const { idField } = entityPlaces[entity];
  let record = value;
  const status = value['status'];
  const state = typeof status === 'string' ? states[entity]?.[status] : undefined;
  if (state !== undefined) record = set(record, 'status', state, changes);
  if (!isRecordId(record[idField])) record = set(record, idField, id, changes);
  const checked = checkRecord(entity, record);
  // A day that stands for a moment is completed by the check.
  if (checked.ok && checked.record !== record) changes.push('a day was completed to a time');
  return checked.ok ? checked.record : record;
}

const verdictWords: Readonly<Record<string, string>> = {
  approved: 'approved',
  'revision required': 'revision',
  'revision-required': 'revision',
  revision: 'revision',
};

function migrateEvent(
  value: StoredRecord,
  { id, sprint = 'SYS-unknown' }: RecordOrigin,
  changes: string[],
): StoredRecord {
  let record = value;
  const put = (field: string, news: unknown): void => {
    record = set(record, field, news, changes);
  };
  if (record['eventId'] !== id) put('eventId', id);
  if (!isRecordId(record['sprintId'])) put('sprintId', sprint);
  for (const field of ['role', 'action', 'model', 'provider']) {
    if (typeof record[field] !== 'string' || record[field] === '') put(field, fromName(id, field) ?? 'unknown');
  }
  const start =
    time(record['startTimestamp']) ?? time(record['timestamp']) ?? stampOf(id) ?? time(record['endTimestamp']);
  if (start !== undefined && start !== record['startTimestamp']) put('startTimestamp', start);
  const end = time(record['endTimestamp']) ?? start;
  if (end !== undefined && end !== record['endTimestamp']) put('endTimestamp', end);
  const minutes = start === undefined || end === undefined ? 0 : (Date.parse(end) - Date.parse(start)) / 60_000;
  if (typeof record['durationMinutes'] !== 'number' || record['durationMinutes'] < 0)
    put('durationMinutes', Math.max(0, minutes));
  if (record['type'] !== undefined && !eventTypes.some((type) => type === record['type'])) put('type', undefined);
  const { verdict, taskId } = record;
  const word = typeof verdict === 'string' ? verdictWords[verdict.toLowerCase()] : undefined;
  if (word !== undefined && word !== verdict) put('verdict', word);
  if (typeof taskId === 'string' && /(^|-)BUG-/.test(taskId) && isRecordId(taskId) && record['bugId'] === undefined) {
    put('bugId', taskId);
    put('taskId', undefined);
  }
  return record;
}

/** Names of events hold who did what: `<time>_<task>_<role>_<action>`. */
function fromName(id: string, field: string): string | undefined {
  const [, , role, action] = id.split('_');
  if (field === 'role') return role;
  return field === 'action' ? action : undefined;
}

function stampOf(id: string): string | undefined {
  return time(id.split('_', 1)[0]);
}

/** ISO, also from the compact form that names use; undefined for anything else. */
function time(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})?Z$/.exec(value);
  const [, year, month, day, hour, minute, second, ms] = compact ?? [];
  const text =
    compact === null
      ? value
      : `${year}-${month}-${day}T${hour}:${minute}:${second}${ms === undefined ? '' : `.${ms}`}Z`;
  return z.iso.datetime({ offset: true }).safeParse(text).success ? text : undefined;
}

function set(record: StoredRecord, field: string, value: unknown, changes: string[]): StoredRecord {
  const before = JSON.stringify(record[field]) ?? 'nothing';
  changes.push(
    value === undefined ? `${field} ${before} was removed` : `${field}: ${before} → ${JSON.stringify(value)}`,
  );
  if (value !== undefined) return { ...record, [field]: value };
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));
}

/** A field that says nothing is left out, where the schema does not know null. */
function withoutNulls(entity: EntityName, record: StoredRecord, changes: string[]): StoredRecord {
  const checked = checkRecord(entity, record);
  const faulty = new Set(checked.ok ? [] : checked.faults.map(({ where }) => where));
  const empty = Object.keys(record).filter((field) => record[field] === null && faulty.has(field));
  return empty.reduce((kept, field) => set(kept, field, undefined, changes), record);
}

function withoutUnknown(entity: EntityName, record: StoredRecord, changes: string[]): StoredRecord {
  const fields = fieldsOf(recordSchema(entity));
  const unknown = Object.keys(record).filter((field) => !fields.includes(field));
  return unknown.reduce((kept, field) => set(kept, field, undefined, changes), record);
}
