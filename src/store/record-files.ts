/**
 * Records as they stand on disk. What is there is never believed unread: a file that is no JSON, holds another id than
 * its name, or does not fit its schema is told as a problem beside the records that are fine. Reads only.
 */
import type { Issue } from '../plan/refusal.ts';
import { checkRecord } from '../records/check-record.ts';
import {
  type EntityName,
  entityPlaces,
  type FiledEntity,
  filedEntities,
  recordId,
  type StoredRecord,
} from '../records/entity.ts';
import type { KnownIds } from '../records/references.ts';
import { listStore, readStoreJson } from './store-files.ts';

export interface StoredEntry {
  readonly entity: EntityName;
  /** Below the store. */
  readonly file: string;
  /** From the file's name. */
  readonly id: string;
  readonly record: StoredRecord;
  readonly faults: readonly Issue[];
}

export interface DamagedFile {
  readonly file: string;
  readonly problem: string;
  readonly fix: string;
}

export interface FoundEntries {
  readonly entries: readonly StoredEntry[];
  readonly damaged: readonly DamagedFile[];
}

export function recordPath(entity: FiledEntity, id: string): string {
  return `${entityPlaces[entity].directory}/${id}.json`;
}

/** Undefined: there is none. A file that cannot be read is damaged. */
export function readEntry(
  root: string,
  {
    entity,
    file,
    ownPhases,
  }: { readonly entity: EntityName; readonly file: string; readonly ownPhases?: readonly string[] },
): StoredEntry | DamagedFile | undefined {
  const found = readStoreJson(root, file);
  if (found.status === 'absent') return undefined;
  if (found.status === 'damaged') {
    return { file, problem: `It cannot be read: ${found.problem}.`, fix: 'Repair it by hand, or remove it.' };
  }
  const { value } = found;
  const id = file.replace(/^.*\//, '').replace(/\.json$/, '');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { file, problem: 'It holds no record.', fix: 'Write a JSON object, or remove the file.' };
  const record = value as StoredRecord;
  const checked = checkRecord(entity, record, ownPhases);
  return {
    entity,
    file,
    id,
    record,
    faults: [...(checked.ok ? [] : checked.faults), ...nameFaults(entity, id, record)],
  };
}

function nameFaults(entity: EntityName, id: string, record: StoredRecord): readonly Issue[] {
  const { idField } = entityPlaces[entity];
  const own = recordId(entity, record);
  if (own === undefined || own === id) return [];
  return [
    {
      where: idField,
      problem: `It says ${JSON.stringify(own)}, but the file is named ${id}.`,
      fix: 'Rename the file, or change the id.',
    },
  ];
}

export function isDamaged(found: StoredEntry | DamagedFile): found is DamagedFile {
  return 'problem' in found;
}

/** All of a kind, by id; events of every directory. */
export function listEntries(root: string, entity: EntityName, ownPhases: readonly string[] = []): FoundEntries {
  const files = entity === 'event' ? eventFiles(root) : jsonFiles(root, entityPlaces[entity].directory);
  const found = files.flatMap((file) => readEntry(root, { entity, file, ownPhases }) ?? []);
  return {
    entries: found.flatMap((one) => (isDamaged(one) ? [] : [one])),
    damaged: found.flatMap((one) => (isDamaged(one) ? [one] : [])),
  };
}

function jsonFiles(root: string, directory: string): readonly string[] {
  return listStore(root, directory).files.flatMap((name) =>
    name.endsWith('.json') && !name.startsWith('_') ? [`${directory}/${name}`] : [],
  );
}

/** Names that begin with an underscore are not events but what is to be merged into them. */
function eventFiles(root: string): readonly string[] {
  return listStore(root, 'events').directories.flatMap((directory) => jsonFiles(root, `events/${directory}`));
}

/** By name alone: a damaged record still exists. */
export function knownIds(root: string): KnownIds {
  const idsOf = (entity: FiledEntity): readonly string[] =>
    jsonFiles(root, entityPlaces[entity].directory).map((file) => file.replace(/^.*\//, '').replace(/\.json$/, ''));
  return Object.fromEntries(filedEntities.map((entity) => [entity, idsOf(entity)])) as unknown as KnownIds;
}
