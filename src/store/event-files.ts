/**
 * Events of a sprint, the usage that is merged into them, and the log of progress. An event is written once and whole;
 * usage that an agent left beside it is merged by the engine and then removed, in this order, so that a kill in between
 * only means that it is merged again.
 */
import type { Issue } from '../plan/refusal.ts';
import { checkRecord, checkShape } from '../records/check-record.ts';
import { isRecordId, isReservedSprint, type StoredRecord } from '../records/entity.ts';
import { progressEntrySchema, sidecarSchema } from '../records/schemas.ts';
import { didYouMeanId } from '../records/suggest-words.ts';
import { isDamaged, knownIds, readEntry } from './record-files.ts';
import { changeStore, listStore, readStoreJson, storeDirectory } from './store-files.ts';

export type EventChange =
  | { readonly status: 'written'; readonly record: StoredRecord }
  | { readonly status: 'refused'; readonly faults: readonly Issue[] };

export interface EventWrite {
  readonly sprint: string;
  readonly value: unknown;
  /** Usage to be merged into the event later. */
  readonly isSidecar?: boolean;
  /** Also for a sprint that has no record. */
  readonly anySprint?: boolean;
  readonly dryRun?: boolean;
  readonly at: string;
}

export async function emitEvent(root: string, request: EventWrite): Promise<EventChange> {
  const { sprint, value, isSidecar = false, anySprint = false, dryRun = false, at } = request;
  const sprints = knownIds(root).sprint;
  if (!anySprint && !isReservedSprint(sprint) && !sprints.includes(sprint))
    return refuse('sprint', unknownSprint(sprint, sprints));
  const checked = isSidecar ? checkShape(sidecarSchema, value) : checkRecord('event', measured(value, sprint, at));
  if (!checked.ok) return { status: 'refused', faults: checked.faults };
  const { record } = checked;
  if (!isSidecar && record['sprintId'] !== sprint) {
    const problem = `The event says ${JSON.stringify(record['sprintId'])}, but it is written to ${sprint}.`;
    return refuse('sprintId', { problem, fix: 'Name the same sprint twice.' });
  }
  const id = String(record['eventId']);
  const file = isSidecar ? sidecarPath(sprint, id) : `events/${sprint}/${id}.json`;
  if (!dryRun) await changeStore(root, (writer) => writer.write(file, record));
  return { status: 'written', record };
}

/** Fields of usage that an event takes over. */
const merged = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'contextTokens',
  'estimatedCostUSD',
  'tokenSource',
  'model',
  'provider',
  'durationMinutes',
  'startTimestamp',
  'endTimestamp',
] as const;

export async function mergeSidecar(root: string, sprint: string, id: string, isDryRun: boolean): Promise<EventChange> {
  return changeStore(root, (writer): EventChange => {
    const file = sidecarPath(sprint, id);
    const found = readStoreJson(root, file);
    if (found.status === 'absent') {
      return refuse('sidecar', {
        problem: `There is no ${storeDirectory}/${file}.`,
        fix: 'Write it with emit --sidecar first.',
      });
    }
    const usage = found.status === 'read' ? checkShape(sidecarSchema, found.value) : undefined;
    if (usage === undefined)
      return refuse(file, { problem: `${found.problem}.`, fix: 'Repair it by hand, or remove it.' });
    if (!usage.ok) return { status: 'refused', faults: usage.faults };
    const event = readEntry(root, { entity: 'event', file: `events/${sprint}/${id}.json` });
    if (event === undefined || isDamaged(event)) {
      return refuse('event', {
        problem: `There is no event ${JSON.stringify(id)} to merge it into.`,
        fix: 'Write the event first.',
      });
    }
    const news = merged.flatMap((field) => (usage.record[field] === undefined ? [] : [[field, usage.record[field]]]));
    const checked = checkRecord('event', { ...event.record, ...Object.fromEntries(news) });
    if (!checked.ok) return { status: 'refused', faults: checked.faults };
    if (!isDryRun) {
      writer.write(event.file, checked.record);
      writer.remove(file);
    }
    return { status: 'written', record: checked.record };
  });
}

export interface ProgressEntry {
  readonly agentName: string;
  readonly bannerKey: string;
  readonly status: string;
  readonly detail: string;
}

export async function logProgress(
  root: string,
  { sprint, entry, at }: { readonly sprint: string; readonly entry: ProgressEntry; readonly at: string },
): Promise<readonly Issue[]> {
  const checked = checkShape(progressEntrySchema, entry);
  if (!checked.ok) return checked.faults;
  const { agentName, bannerKey, status, detail } = entry;
  const line = [at, agentName, bannerKey, status, detail.replace(/\s+/g, ' ')].join('|');
  await changeStore(root, (writer) => writer.append(`events/${sprint}/progress.log`, line));
  return [];
}

export async function clearProgress(root: string, sprint: string): Promise<void> {
  await changeStore(root, (writer) => writer.writeText(`events/${sprint}/progress.log`, ''));
}

function sidecarPath(sprint: string, id: string): string {
  return `events/${sprint}/_${id}_usage.json`;
}

/** What the caller did not measure is stamped with the moment, and a model nobody named is unknown, never guessed. */
function measured(value: unknown, sprint: string, at: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const event = value as StoredRecord;
  const { startTimestamp = at, endTimestamp = at } = event;
  const minutes = (Date.parse(String(endTimestamp)) - Date.parse(String(startTimestamp))) / 60_000;
  const durationMinutes = event['durationMinutes'] ?? (Number.isFinite(minutes) ? Math.max(0, minutes) : 0);
  const { model = 'unknown', provider = 'unknown', sprintId = sprint } = event;
  return { ...event, sprintId, startTimestamp, endTimestamp, durationMinutes, model, provider };
}

function unknownSprint(sprint: string, known: readonly string[]): { problem: string; fix: string } {
  const sprints = known.length === 0 ? 'There are no sprints yet.' : `Sprints: ${known.join(', ')}.`;
  return {
    problem: `There is no sprint ${JSON.stringify(sprint)}.`,
    fix: [didYouMeanId(sprint, known), sprints].filter(Boolean).join(' '),
  };
}

function refuse(where: string, { problem, fix }: { problem: string; fix: string }): EventChange {
  return { status: 'refused', faults: [{ where, problem, fix }] };
}

/** Events of one directory that fit their schema, oldest first. Other directories are not read. */
export function listEvents(root: string, directory: string): readonly StoredRecord[] {
  if (!isRecordId(directory)) return [];
  return listStore(root, `events/${directory}`)
    .files.filter((name) => name.endsWith('.json') && !name.startsWith('_'))
    .flatMap((name) => readEntry(root, { entity: 'event', file: `events/${directory}/${name}` }) ?? [])
    .flatMap((found) => (isDamaged(found) || found.faults.length > 0 ? [] : [found.record]))
    .toSorted((a, b) => String(a['startTimestamp']).localeCompare(String(b['startTimestamp'])));
}
