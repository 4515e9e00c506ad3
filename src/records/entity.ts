/**
 * The five kinds of records: their names, which field is the id, and where they are kept below the store. Pure data.
 * Ids become file names, so their alphabet is small and closed.
 */

export const entityNames = ['sprint', 'task', 'bug', 'event', 'feature'] as const;
export type EntityName = (typeof entityNames)[number];

/** Kinds that are one file each; events belong to a sprint and have a directory per sprint. */
export const filedEntities = ['sprint', 'task', 'bug', 'feature'] as const;
export type FiledEntity = (typeof filedEntities)[number];

export interface EntityPlace {
  readonly idField: string;
  readonly directory: string;
}

export const entityPlaces: Readonly<Record<EntityName, EntityPlace>> = {
  sprint: { idField: 'sprintId', directory: 'sprints' },
  task: { idField: 'taskId', directory: 'tasks' },
  bug: { idField: 'bugId', directory: 'bugs' },
  event: { idField: 'eventId', directory: 'events' },
  feature: { idField: 'id', directory: 'features' },
};

export type StoredRecord = Readonly<Record<string, unknown>>;

const idPattern = /^[A-Za-z0-9_-]{1,128}$/;

export function isRecordId(text: unknown): text is string {
  return typeof text === 'string' && idPattern.test(text);
}

export function isFiledEntity(text: string): text is FiledEntity {
  return (filedEntities as readonly string[]).includes(text);
}

/** The id of a record, when it has one that can be used. */
export function recordId(entity: EntityName, record: StoredRecord): string | undefined {
  const id = record[entityPlaces[entity].idField];
  return isRecordId(id) ? id : undefined;
}

/** Directories of events that belong to no sprint record. */
const reservedSprints = new Set(['bugs', 'features', 'enhancement']);

export function isReservedSprint(id: string): boolean {
  return reservedSprints.has(id) || id.startsWith('SYS-');
}

/** The directory of events that tells about a record. */
export function eventDirectoryOf(entity: EntityName, record: StoredRecord): string {
  if (entity === 'bug') return 'bugs';
  if (entity === 'feature') return 'features';
  const { sprintId } = record;
  return isRecordId(sprintId) ? sprintId : 'SYS-store';
}
