/**
 * New records whose ids follow from what is there: chosen, decided and written in one turn under the store's lock, so that
 * two people who add a record at once get two ids. Either all of them are written or none is.
 */
import type { EntityName, FiledEntity, StoredRecord } from '../records/entity.ts';
import { entityPlaces, recordId } from '../records/entity.ts';
import { decideWrite } from '../records/decide-write.ts';
import type { Issue } from '../plan/refusal.ts';
import type { KnownIds } from '../records/references.ts';
import { isDamaged, knownIds, readEntry, recordPath } from './record-files.ts';
import { changeStore } from './store-files.ts';

/** The store as it is while nobody else writes it. */
export interface StoreNow {
  readonly known: KnownIds;
  /** Undefined: there is none that can be read. */
  readonly read: (entity: FiledEntity, id: string) => StoredRecord | undefined;
}

/** In the order in which they are decided: a record may name one before it. */
export interface RecordToAdd {
  readonly entity: FiledEntity;
  readonly value: StoredRecord;
}

export type AddedRecords =
  | { readonly status: 'written'; readonly records: readonly StoredRecord[]; readonly notes: readonly string[] }
  | { readonly status: 'refused'; readonly entity: EntityName; readonly faults: readonly Issue[] };

export async function addRecords(
  root: string,
  make: (store: StoreNow) => readonly RecordToAdd[],
): Promise<AddedRecords> {
  return changeStore(root, (writer) => {
    const known = knownIds(root);
    const read: StoreNow['read'] = (entity, id) => {
      const found = readEntry(root, { entity, file: recordPath(entity, id) });
      return found === undefined || isDamaged(found) ? undefined : found.record;
    };
    const wanted = make({ known, read });
    const after = withNew(known, wanted);
    const decided: RecordToAdd[] = [];
    const notes: string[] = [];
    for (const { entity, value } of wanted) {
      const current = read(entity, recordId(entity, value) ?? '');
      const decision = decideWrite({ entity, current, value, known: after });
      if (!decision.ok) return { status: 'refused', entity, faults: decision.faults };
      decided.push({ entity, value: decision.record });
      notes.push(...decision.notes);
    }
    for (const { entity, value } of decided)
      writer.write(recordPath(entity, String(value[entityPlaces[entity].idField])), value);
    return { status: 'written', records: decided.map(({ value }) => value), notes };
  });
}

function withNew(known: KnownIds, wanted: readonly RecordToAdd[]): KnownIds {
  return Object.fromEntries(
    Object.entries(known).map(([entity, ids]) => [
      entity,
      [...ids, ...wanted.flatMap((one) => (one.entity === entity ? [recordId(one.entity, one.value) ?? ''] : []))],
    ]),
  ) as unknown as KnownIds;
}
