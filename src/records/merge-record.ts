/**
 * What becomes of a record that two changed: the run, from what it knew before, and someone else meanwhile. Changes of
 * different fields are both kept, summaries phase by phase; the same field changed in two ways is a conflict that names
 * it, and nothing is written. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StoredRecord } from './entity.ts';

export type MergedRecord =
  /** `theirs`: fields that someone else changed and that are kept. */
  | { readonly status: 'same' | 'clean'; readonly record: StoredRecord; readonly theirs: readonly string[] }
  | { readonly status: 'conflict'; readonly fields: readonly string[] };

export function mergeRecord(
  before: StoredRecord | null,
  ours: StoredRecord,
  found: StoredRecord | undefined,
): MergedRecord {
  if (found === undefined)
    return before === null
      ? { status: 'clean', record: ours, theirs: [] }
      : { status: 'conflict', fields: ['(removed)'] };
  if (isDeepStrictEqual(found, ours)) return { status: 'same', record: ours, theirs: [] };
  if (before === null) return { status: 'conflict', fields: ['(exists)'] };
  const [base, mine, other] = [flat(before), flat(ours), flat(found)];
  const names = [...new Set([...base.keys(), ...mine.keys(), ...other.keys()])];
  const changedBy = (side: ReadonlyMap<string, unknown>) => (name: string) =>
    !isDeepStrictEqual(side.get(name), base.get(name));
  const theirs = names.filter(changedBy(other));
  const clash = names
    .filter(changedBy(mine))
    .filter((name) => theirs.includes(name) && !isDeepStrictEqual(mine.get(name), other.get(name)));
  if (clash.length > 0) return { status: 'conflict', fields: clash };
  const record = unflat(names.map((name) => [name, theirs.includes(name) ? other.get(name) : mine.get(name)]));
  return { status: 'clean', record, theirs };
}

/** Summaries are one field per phase: two phases that end at once do not meet. */
function flat(record: StoredRecord): ReadonlyMap<string, unknown> {
  const { summaries, ...rest } = record;
  const phases = typeof summaries === 'object' && summaries !== null ? Object.entries(summaries) : [];
  return new Map([...Object.entries(rest), ...phases.map(([phase, value]) => [`summaries.${phase}`, value] as const)]);
}

function unflat(fields: readonly (readonly [string, unknown])[]): StoredRecord {
  const kept = fields.filter(([, value]) => value !== undefined);
  const isSummary = ([name]: readonly [string, unknown]): boolean => name.startsWith('summaries.');
  const phases = kept.filter(isSummary).map(([name, value]) => [name.slice('summaries.'.length), value] as const);
  return {
    ...Object.fromEntries(kept.filter((field) => !isSummary(field))),
    ...(phases.length === 0 ? {} : { summaries: Object.fromEntries(phases) }),
  };
}
