/**
 * Everything in a store that does not fit, with the fix: records against their schemas, names against ids, references
 * against what is there, states against events, and files that are none of the store's. Reads only.
 */
import { type EntityName, entityNames, entityPlaces, type StoredRecord } from '../records/entity.ts';
import { danglingReferences } from '../records/references.ts';
import { knownIds, listEntries, type StoredEntry } from './record-files.ts';
import { listStore, readStoreVersion, storeVersion } from './store-files.ts';

export interface StoreFinding {
  /** Below the store. */
  readonly file: string;
  readonly where: string;
  readonly problem: string;
  readonly fix: string;
  /** `error`: a run refuses the record. `note`: it is worth a look. */
  readonly level: 'error' | 'note';
}

export function inspectStore(root: string, ownPhases: readonly string[] = []): readonly StoreFinding[] {
  const found = Object.fromEntries(
    entityNames.map((entity) => [entity, listEntries(root, entity, ownPhases)]),
  ) as Readonly<Record<EntityName, ReturnType<typeof listEntries>>>;
  const all = entityNames.flatMap((entity) => found[entity].entries);
  return [
    ...versionFindings(root, all.length),
    ...entityNames.flatMap((entity) =>
      found[entity].damaged.map(({ file, problem, fix }) => ({
        file,
        where: '(file)',
        problem,
        fix,
        level: 'error' as const,
      })),
    ),
    ...all.flatMap(({ file, faults }) => faults.map((fault) => ({ file, ...fault, level: 'error' as const }))),
    ...referenceFindings(root, all),
    ...membershipFindings(found.sprint.entries, found.task.entries),
    ...strayFindings(root),
  ];
}

function versionFindings(root: string, count: number): readonly StoreFinding[] {
  const version = readStoreVersion(root);
  if (version === storeVersion || count === 0) return [];
  const problem =
    version === undefined ? 'The store has no version: another tool made it.' : `The store has version ${version}.`;
  return [
    {
      file: 'STORE.json',
      where: 'version',
      problem,
      fix: 'See what would change: forge store migrate --dry-run',
      level: 'note',
    },
  ];
}

function referenceFindings(root: string, entries: readonly StoredEntry[]): readonly StoreFinding[] {
  const known = knownIds(root);
  return entries.flatMap(({ entity, file, record }) =>
    danglingReferences(entity, record, known).map(({ field, target, id, isNeeded, fix }) => ({
      file,
      where: field,
      problem: `There is no ${target} ${JSON.stringify(id)}.`,
      fix,
      level: isNeeded && entity !== 'event' ? ('error' as const) : ('note' as const),
    })),
  );
}

/** A task belongs to the sprint that lists it; who forgets one never runs it. */
function membershipFindings(sprints: readonly StoredEntry[], tasks: readonly StoredEntry[]): readonly StoreFinding[] {
  const listed = new Set(sprints.flatMap(({ record }) => namesIn(record, 'taskIds')));
  return tasks
    .filter(({ id }) => !listed.has(id))
    .map(({ file, id, record }) => ({
      file,
      where: 'taskId',
      problem: `No sprint lists ${id}.`,
      fix: `Add it to taskIds of ${String(record['sprintId'])}.`,
      level: 'note',
    }));
}

function namesIn(record: StoredRecord, field: string): readonly string[] {
  const value = record[field];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

const ownFiles = new Set(['STORE.json', 'COLLATION_STATE.json', 'COST_BASELINES.json']);

/** Names that no record has; reading goes past them. */
function strayFindings(root: string): readonly StoreFinding[] {
  const directories: readonly string[] = entityNames.map((entity) => entityPlaces[entity].directory);
  const top = listStore(root, '.');
  const stray = (file: string, problem: string, fix: string): StoreFinding => ({
    file,
    where: '(file)',
    problem,
    fix,
    level: 'note',
  });
  const move = 'Move it away, or see forge store migrate --dry-run.';
  return [
    ...top.files
      .filter((name) => !ownFiles.has(name))
      .map((name) => stray(name, 'It is not a file of the store.', move)),
    ...top.directories
      .filter((name) => !directories.includes(name))
      .map((name) => stray(name, 'It is not a directory of the store.', move)),
    ...directories
      .filter((directory) => directory !== 'events')
      .flatMap((directory) =>
        strayIn(root, directory, () => false).map((file) => stray(file, 'It is not a record.', move)),
      ),
    ...listStore(root, 'events').directories.flatMap((sprint) =>
      strayIn(root, `events/${sprint}`, (name) => name === 'progress.log').map((file) =>
        stray(file, 'It is not an event.', move),
      ),
    ),
  ];
}

function strayIn(root: string, directory: string, isOwn: (name: string) => boolean): readonly string[] {
  const { files, directories, others } = listStore(root, directory);
  return [...files.filter((name) => !name.endsWith('.json') && !isOwn(name)), ...directories, ...others].map(
    (name) => `${directory}/${name}`,
  );
}
