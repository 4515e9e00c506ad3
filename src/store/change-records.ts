/**
 * The one way a record changes: under the store's lock, from the record as it is on disk then, by a decision of
 * `records/`. A refused change writes nothing. Whoever set a rule aside is named in the log of the sprint.
 */
import { readConfinedText } from '../files/confined.ts';
import type { Issue } from '../plan/refusal.ts';
import {
  type EntityName,
  entityPlaces,
  eventDirectoryOf,
  type FiledEntity,
  recordId,
  type StoredRecord,
} from '../records/entity.ts';
import {
  decideFieldChange,
  decideSummary,
  decideWrite,
  type WriteDecision,
  type WriteRules,
} from '../records/decide-write.ts';
import { isDamaged, knownIds, readEntry, recordPath, type StoredEntry } from './record-files.ts';
import { changeStore, type StoreWriter } from './store-files.ts';

export type RecordChange =
  | {
      readonly status: 'written';
      readonly record: StoredRecord;
      readonly notes: readonly string[];
    }
  | { readonly status: 'refused'; readonly faults: readonly Issue[] }
  | { readonly status: 'absent' };

export interface ChangeOptions extends WriteRules {
  /** Decide, but write nothing. */
  readonly dryRun?: boolean;
  /** The clock. */
  readonly at: string;
}

export async function writeRecord(
  root: string,
  { entity, value, options }: { readonly entity: EntityName; readonly value: unknown; readonly options: ChangeOptions },
): Promise<RecordChange> {
  return changeStore(root, (writer) => {
    const id = typeof value === 'object' && value !== null ? recordId(entity, value as StoredRecord) : undefined;
    const current =
      id === undefined ? undefined : currentEntry(root, pathOf(entity, value as StoredRecord, id), entity);
    const decision = decideWrite({ entity, current: current?.record, value, known: knownIds(root), ...options });
    return finish(writer, entity, decision, options);
  });
}

export async function changeField(
  root: string,
  {
    entity,
    id,
    field,
    value,
    options,
  }: {
    readonly entity: FiledEntity;
    readonly id: string;
    readonly field: string;
    readonly value: string;
    readonly options: ChangeOptions;
  },
): Promise<RecordChange> {
  return changeStore(root, (writer) => {
    const current = currentEntry(root, recordPath(entity, id), entity);
    if (current === undefined) return { status: 'absent' };
    const decision = decideFieldChange({ entity, current: current.record, field, value, ...options });
    return finish(writer, entity, decision, options);
  });
}

export async function writeSummary(
  root: string,
  {
    entity,
    id,
    phase,
    summary,
    options,
  }: {
    readonly entity: 'task' | 'bug';
    readonly id: string;
    readonly phase: string;
    readonly summary: unknown;
    readonly options: ChangeOptions;
  },
): Promise<RecordChange> {
  return changeStore(root, (writer) => {
    const current = currentEntry(root, recordPath(entity, id), entity);
    if (current === undefined) return { status: 'absent' };
    const { at, ownPhases = [] } = options;
    const decision = decideSummary({ current: current.record, entity, phase, summary, at, ownPhases });
    return finish(writer, entity, decision, options);
  });
}

export async function deleteRecord(root: string, entity: FiledEntity, id: string): Promise<'deleted' | 'absent'> {
  return changeStore(root, (writer) => {
    if (readConfinedText(root, `.forge/store/${recordPath(entity, id)}`) === undefined) return 'absent';
    writer.remove(recordPath(entity, id));
    return 'deleted';
  });
}

/** A line that says when somebody set a rule aside. */
export function auditLine(at: string, text: string): string {
  return `${at}|forge:store|audit|progress|${text.replace(/\s+/g, ' ')}`;
}

function finish(
  writer: StoreWriter,
  entity: EntityName,
  decision: WriteDecision,
  { dryRun = false, at }: ChangeOptions,
): RecordChange {
  if (!decision.ok) return { status: 'refused', faults: decision.faults };
  const { record, notes, audit } = decision;
  const id = recordId(entity, record) ?? '';
  if (!dryRun) {
    if (audit !== undefined)
      writer.append(`events/${eventDirectoryOf(entity, record)}/progress.log`, auditLine(at, audit));
    writer.write(pathOf(entity, record, id), record);
  }
  return { status: 'written', record, notes };
}

function pathOf(entity: EntityName, record: StoredRecord, id: string): string {
  if (entity === 'event') return `${entityPlaces.event.directory}/${eventDirectoryOf('event', record)}/${id}.json`;
  return recordPath(entity, id);
}

/** A record that cannot be read counts as none: writing a good one is its repair. */
function currentEntry(root: string, file: string, entity: EntityName): StoredEntry | undefined {
  const found = readEntry(root, { entity, file });
  return found === undefined || isDamaged(found) ? undefined : found;
}
