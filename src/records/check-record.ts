/**
 * Whether a value is a record of a kind, and if not, every fault with its place and its fix. Written by agents and
 * people alike, so nothing about the value is taken for granted. Pure.
 */
import { z } from 'zod';
import { explainSchema } from '../plan/explain-schema.ts';
import type { Issue } from '../plan/refusal.ts';
import type { EntityName, StoredRecord } from './entity.ts';
import { recordSchema } from './schemas.ts';
import { didYouMean } from './suggest-words.ts';

export type CheckedRecord =
  | { readonly ok: true; readonly record: StoredRecord }
  | { readonly ok: false; readonly faults: readonly Issue[] };

export function checkRecord(entity: EntityName, value: unknown, ownPhases: readonly string[] = []): CheckedRecord {
  return checkShape(recordSchema(entity, ownPhases), withWholeTimes(entity, value));
}

/** The same for the other things a store holds. */
export function checkShape(schema: z.ZodType, value: unknown): CheckedRecord {
  const parsed = schema.safeParse(value);
  // What was given is kept, not what zod made of it: the order of fields is the writer's.
  if (parsed.success) return { ok: true, record: value as StoredRecord };
  const fields = fieldsOf(schema);
  return { ok: false, faults: parsed.error.issues.flatMap((issue) => explainFault(issue, value, fields)) };
}

/** Names of the fields a kind has. */
export function fieldsOf(schema: z.ZodType): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function explainFault(issue: z.core.$ZodIssue, value: unknown, fields: readonly string[]): readonly Issue[] {
  const explained = explainSchema([issue], value);
  if (issue.code === 'unrecognized_keys')
    return explained.map((fault, at) => {
      const guess = didYouMean(issue.keys[at] ?? '', fields);
      return guess === '' ? fault : { ...fault, fix: `${guess} If not, remove it.` };
    });
  if (issue.code !== 'invalid_value') return explained;
  const given = valueAt(value, issue.path);
  const guess = typeof given === 'string' ? didYouMean(given, issue.values.map(String)) : '';
  return guess === '' ? explained : explained.map((fault) => ({ ...fault, fix: `${guess} ${fault.fix}` }));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return here;
}

/** People write a day where a bug wants a moment; the day's beginning is meant. */
function withWholeTimes(entity: EntityName, value: unknown): unknown {
  if (entity !== 'bug' || typeof value !== 'object' || value === null) return value;
  const days = Object.entries(value).filter(
    ([field, day]) =>
      (field === 'reportedAt' || field === 'resolvedAt') && typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day),
  );
  return days.length === 0
    ? value
    : { ...value, ...Object.fromEntries(days.map(([field, day]) => [field, `${String(day)}T00:00:00.000Z`])) };
}
