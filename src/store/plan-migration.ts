/**
 * What a store of another tool, or of an earlier version, has to change to fit: files to write, files to remove, and what
 * is left to a person. Read from the texts alone, so that a dry run and the real one are the same plan. Writes nothing.
 */
import { listConfined, readConfined } from '../files/confined.ts';
import { checkRecord } from '../records/check-record.ts';
import { type EntityName, entityPlaces, filedEntities, type StoredRecord } from '../records/entity.ts';
import { idFromName, migrateRecord } from '../records/migrate-records.ts';
import { storeVersion, toJson, versionFile } from './store-files.ts';

export interface MigrationStep {
  /** Below the store. */
  readonly file: string;
  /** Where it is then; the same, or another name. Undefined: it is removed. */
  readonly to: string | undefined;
  readonly text: string;
  readonly changes: readonly string[];
}

export interface MigrationPlan {
  readonly steps: readonly MigrationStep[];
  /** What nobody can repair without guessing. */
  readonly left: readonly { readonly file: string; readonly problem: string }[];
  /** How many records were read. */
  readonly records: number;
}

/** All regular files below a directory by path, without what begins with a dot. */
export function readTextFiles(root: string, directory: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const walk = (path: string): void => {
    const found = listConfined(root, `${directory}/${path}`);
    if (found.status !== 'read') return;
    for (const { name, kind } of found.entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (name.startsWith('.')) continue;
      const inner = path === '' ? name : `${path}/${name}`;
      if (kind === 'directory') walk(inner);
      const file = kind === 'file' ? readConfined(root, `${directory}/${inner}`) : undefined;
      if (file?.status === 'read') texts.set(inner, file.bytes.toString('utf8'));
    }
  };
  walk('');
  return texts;
}

/** One version of the store and the next. */
export interface StoreStep {
  readonly from: number;
  readonly plan: (files: ReadonlyMap<string, string>) => MigrationPlan;
}

const storeSteps: readonly StoreStep[] = [{ from: 0, plan: fitRecords }];

/** Step by step from the version the store has; a store of today is looked through as well. */
export function planMigration(
  files: ReadonlyMap<string, string>,
  steps: readonly StoreStep[] = storeSteps,
  target: number = storeVersion,
): MigrationPlan {
  const from = versionIn(files);
  if (from >= target) {
    const { steps: found, left, records } = fitRecords(files);
    return { steps: found, left, records };
  }
  let now = files;
  let whole: MigrationPlan = { steps: [], left: [], records: 0 };
  for (let version = from; version < target; version += 1) {
    const step = steps.find((one) => one.from === version);
    if (step === undefined) throw new Error(`no step leads from version ${version} of the store`);
    const plan = step.plan(now);
    whole = { steps: joinSteps(whole.steps, plan.steps), left: plan.left, records: plan.records };
    now = applySteps(now, plan.steps);
  }
  const version = {
    file: versionFile,
    to: versionFile,
    text: toJson({ version: target }),
    changes: [`version ${from} → ${target}`],
  };
  return { ...whole, steps: [...whole.steps, version] };
}

function versionIn(files: ReadonlyMap<string, string>): number {
  const version = parse(files.get(versionFile) ?? '')?.['version'];
  return typeof version === 'number' && Number.isInteger(version) && version > 0 ? version : 0;
}

function applySteps(files: ReadonlyMap<string, string>, steps: readonly MigrationStep[]): ReadonlyMap<string, string> {
  const next = new Map(files);
  for (const { file, to, text } of steps) {
    if (to !== file) next.delete(file);
    if (to !== undefined) next.set(to, text);
  }
  return next;
}

/** What two steps do to a file becomes one: from where it was at first to where it is in the end. */
function joinSteps(first: readonly MigrationStep[], second: readonly MigrationStep[]): readonly MigrationStep[] {
  const later = new Map(second.map((step) => [step.file, step]));
  const joined = first.map((step) => {
    const next = step.to === undefined ? undefined : later.get(step.to);
    if (next === undefined) return step;
    later.delete(next.file);
    return { file: step.file, to: next.to, text: next.text, changes: [...step.changes, ...next.changes] };
  });
  return [...joined, ...later.values()];
}

/** Every record by the rules of today. */
function fitRecords(files: ReadonlyMap<string, string>): MigrationPlan {
  const steps: MigrationStep[] = [];
  const left: { file: string; problem: string }[] = [];
  const taken = new Set(files.keys());
  const kept = new Map<string, StoredRecord>();
  let records = 0;
  for (const [file, text] of files) {
    const place = placeOf(file);
    if (place === undefined) continue;
    const value = parse(text);
    if (value === undefined) {
      if (!file.endsWith('progress.log')) left.push({ file, problem: 'It holds no JSON object.' });
      continue;
    }
    if (place === 'sidecar') continue;
    records++;
    const { entity, directory, sprint } = place;
    const id = idFromName(file.slice(directory.length + 1).replace(/\.(json|md|event)$/, ''));
    const migrated = migrateRecord(value, { entity, id, ...(sprint === undefined ? {} : { sprint }) });
    const to = freeName(
      `${directory}/${entity === 'event' ? id : String(migrated.record[entityPlaces[entity].idField])}`,
      file,
      taken,
    );
    const record =
      to.endsWith(`/${id}.json`) || entity !== 'event'
        ? migrated.record
        : { ...migrated.record, eventId: to.slice(directory.length + 1, -5) };
    const changes = [...migrated.changes, ...(to === file ? [] : [`the file is named ${to}`])];
    if (changes.length > 0) steps.push({ file, to, text: toJson(record), changes });
    kept.set(to, record);
    const checked = checkRecord(entity, record);
    if (!checked.ok)
      left.push(
        ...checked.faults.map(({ where, problem, fix }) => ({ file: to, problem: `${where}: ${problem} ${fix}` })),
      );
  }
  return { steps: withMembers(steps, kept), left, records };
}

interface RecordPlace {
  readonly entity: EntityName;
  readonly directory: string;
  readonly sprint?: string;
}

function placeOf(file: string): RecordPlace | 'sidecar' | undefined {
  const [top = '', sprint = ''] = file.split('/');
  const entity = filedEntities.find((one) => entityPlaces[one].directory === top);
  if (entity !== undefined) return file.endsWith('.json') ? { entity, directory: top } : undefined;
  if (top !== 'events' || !file.startsWith(`events/${sprint}/`)) return undefined;
  return /(^|\/)_/.test(file.slice(`events/${sprint}/`.length))
    ? 'sidecar'
    : { entity: 'event', directory: `events/${sprint}`, sprint };
}

/** Two files whose names become one get different ones. */
function freeName(wanted: string, file: string, taken: Set<string>): string {
  for (let number = 1; ; number++) {
    const name = `${wanted}${number === 1 ? '' : `-${number}`}.json`;
    if (name !== file && taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** A task says which sprint it belongs to; the sprint's list is completed by it. */
function withMembers(
  steps: readonly MigrationStep[],
  records: ReadonlyMap<string, StoredRecord>,
): readonly MigrationStep[] {
  const tasks = [...records].filter(([file]) => file.startsWith('tasks/')).map(([, record]) => record);
  const completed = [...records].flatMap(([file, record]): readonly MigrationStep[] => {
    if (!file.startsWith('sprints/')) return [];
    const { taskIds, sprintId } = record;
    const listed: readonly unknown[] = Array.isArray(taskIds) ? taskIds : [];
    const missing = tasks
      .filter((task) => task['sprintId'] === sprintId && !listed.includes(task['taskId']))
      .map((task) => String(task['taskId']));
    if (missing.length === 0) return [];
    const text = toJson({ ...record, taskIds: [...listed, ...missing] });
    const own = steps.find((step) => step.to === file);
    return [
      {
        file: own?.file ?? file,
        to: file,
        text,
        changes: [...(own?.changes ?? []), `taskIds also lists ${missing.join(', ')}`],
      },
    ];
  });
  const replaced = new Set(completed.map(({ to }) => to));
  return [...steps.filter(({ to }) => !replaced.has(to)), ...completed];
}

function parse(text: string): StoredRecord | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as StoredRecord) : undefined;
  } catch {
    return undefined;
  }
}
