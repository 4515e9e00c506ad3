/** `records.read`: the records that have to do with some ids, as they are on disk now, with what does not fit in them. */
import { relative, sep } from 'node:path';
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Performer } from '../engine/performer.ts';
import { listConfined } from '../files/confined.ts';
import { activeHooks } from '../git/commit-hooks.ts';
import { commitHooks } from '../policy/hook-run.ts';
import { filedEntities, isRecordId, type StoredRecord } from '../records/entity.ts';
import { suggestWords } from '../records/suggest-words.ts';
import { engineeringRoot } from '../store/engineering-root.ts';
import { isDamaged, knownIds, listEntries, readEntry, recordPath, type StoredEntry } from '../store/record-files.ts';
import type { EffectDeps } from './deps.ts';

type Found = EffectOutput<'records.read'>['found'][number];

export function recordsRead({ repo, storeRoot, ownPhases, settings }: EffectDeps): Performer<'records.read'> {
  return {
    async perform({ ids }, { clock, tryNumber }) {
      const root = storeRoot;
      const place = relative(repo.root, root).split(sep).join('/');
      const required = settings.checks.hooks;
      const active = await activeHooks(repo, commitHooks);
      const idle = active.filter((hook) => !required.includes(hook));
      const named = ids.map((id) => ({ id, entry: findAny(root, id, ownPhases) }));
      const direct = named.flatMap(({ entry }) => entry ?? []);
      const sprints = new Set(direct.flatMap(({ record }) => sprintsOf(record)));
      const tasks = sprints.size === 0 ? [] : listEntries(root, 'task', ownPhases).entries;
      const related = [
        ...direct,
        ...[...sprints].flatMap((id) => read(root, 'sprint', id, ownPhases)),
        ...tasks.filter(({ record }) => sprintsOf(record).some((id) => sprints.has(id))),
      ];
      const features = [...new Set(related.flatMap(({ record }) => featuresOf(record)))];
      const whole = [...related, ...features.flatMap((id) => read(root, 'feature', id, ownPhases))];
      const missing = named.flatMap(({ id, entry }) => (entry === undefined ? [id] : []));
      const everything = knownIds(root);
      const known = Object.values(everything).flat();
      return {
        at: clock.now().toISOString(),
        engineering: engineeringRoot(root),
        ...(place === '' ? {} : { place }),
        found: [...new Map(whole.map((entry) => [`${entry.entity} ${entry.id}`, asFound(entry)])).values()],
        missing,
        ids: Object.fromEntries(Object.entries(everything).map(([entity, all]) => [entity, [...all]])),
        near: missing.flatMap((id) => suggestWords(id, known)),
        roles: roleNames(repo.root),
        generation: tryNumber,
        ...(required.length + idle.length === 0 ? {} : { hooks: { required: [...required], idle } }),
      };
    },
  };
}

function findAny(root: string, id: string, ownPhases: readonly string[]): StoredEntry | undefined {
  if (!isRecordId(id)) return undefined;
  return filedEntities.flatMap((entity) => read(root, entity, id, ownPhases))[0];
}

function read(
  root: string,
  entity: (typeof filedEntities)[number],
  id: string,
  ownPhases: readonly string[],
): readonly StoredEntry[] {
  const found = isRecordId(id) ? readEntry(root, { entity, file: recordPath(entity, id), ownPhases }) : undefined;
  if (found === undefined) return [];
  if (!isDamaged(found)) return [found];
  const fault = { where: found.file, problem: found.problem, fix: found.fix };
  return [{ entity, file: found.file, id, record: {}, faults: [fault] }];
}

function sprintsOf({ sprintId }: StoredRecord): readonly string[] {
  return isRecordId(sprintId) ? [sprintId] : [];
}

function featuresOf({ feature_id: id }: StoredRecord): readonly string[] {
  return isRecordId(id) ? [id] : [];
}

function asFound({ entity, id, record, faults }: StoredEntry): Found {
  return { entity: entity as Found['entity'], id, record: record as Found['record'], faults: [...faults] };
}

function roleNames(root: string): string[] {
  const listed = listConfined(root, '.forge/roles');
  if (listed.status !== 'read') return [];
  return listed.entries.flatMap(({ name }) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
}
