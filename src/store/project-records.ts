/**
 * What a run writes to the store, in one turn under the store's lock: records by the same rules as anybody's, events and
 * lines of progress. Everything is the same when it is done twice, so that a kill between the files and the run's own
 * record of them does no harm. What someone else changed meanwhile is merged or reported, never written over.
 */
import { readConfinedText } from '../files/confined.ts';
import { decideWrite, type RecordWrite, type WriteDecision } from '../records/decide-write.ts';
import { checkRecord, checkShape } from '../records/check-record.ts';
import { type FiledEntity, isRecordId, eventDirectoryOf, type StoredRecord } from '../records/entity.ts';
import { mergeRecord } from '../records/merge-record.ts';
import { progressEntrySchema } from '../records/schemas.ts';
import { auditLine } from './change-records.ts';
import { isDamaged, knownIds, readEntry, recordPath } from './record-files.ts';
import { changeStore, storeDirectory, type StoreWriter } from './store-files.ts';

export interface RecordProjection {
  readonly entity: FiledEntity;
  readonly id: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord;
  /** States it passes through on the way. */
  readonly via: readonly string[];
  readonly force?: boolean | undefined;
}

export interface StoreProjection {
  readonly at: string;
  readonly records: readonly RecordProjection[];
  /** Either all records are written or none, with nothing else either. */
  readonly isWhole?: boolean | undefined;
  readonly events: readonly { readonly directory: string; readonly event: StoredRecord }[];
  readonly progress: readonly {
    readonly directory: string;
    readonly agent: string;
    readonly status: string;
    readonly text: string;
  }[];
  /** Summary keys of the project's own phases. */
  readonly ownPhases: readonly string[];
}

export interface ProjectedRecord {
  readonly id: string;
  readonly status: 'written' | 'merged' | 'conflict' | 'refused';
  readonly record: StoredRecord | null;
  readonly fields: readonly string[];
  readonly problem: string;
}

export interface ProjectedStore {
  readonly records: readonly ProjectedRecord[];
  readonly refused: readonly string[];
}

export async function projectRecords(root: string, projection: StoreProjection): Promise<ProjectedStore> {
  return changeStore(root, (writer) => {
    const held: (() => void)[] = [];
    const records = projection.records.map((one) => projectOne(root, holding(writer, held), one, projection));
    const isBad = records.some(({ status }) => status === 'conflict' || status === 'refused');
    if (isBad && projection.isWhole === true) return { records, refused: [] };
    for (const write of held) write();
    const refused = projection.events.flatMap(({ directory, event }) => writeEvent(writer, directory, event));
    for (const line of progressLines(root, projection)) writer.append(line.file, line.text);
    return { records, refused };
  });
}

/** Decides now, writes later. */
function holding(writer: StoreWriter, held: (() => void)[]): StoreWriter {
  return {
    write: (path, value) => void held.push(() => writer.write(path, value)),
    writeText: (path, text) => void held.push(() => writer.writeText(path, text)),
    remove: (path) => void held.push(() => writer.remove(path)),
    append: (path, line) => void held.push(() => writer.append(path, line)),
  };
}

function projectOne(
  root: string,
  writer: StoreWriter,
  { entity, id, before, after, via, force = false }: RecordProjection,
  { at, ownPhases }: StoreProjection,
): ProjectedRecord {
  const entry = readEntry(root, { entity, file: recordPath(entity, id), ownPhases });
  const base = { id, fields: [] as readonly string[], problem: '' };
  if (entry !== undefined && isDamaged(entry))
    return { ...base, status: 'refused', record: null, problem: `${entry.problem} ${entry.fix}` };
  const found = entry?.record;
  const merged = mergeRecord(before, after, found);
  if (merged.status === 'conflict')
    return { ...base, status: 'conflict', record: found ?? null, fields: merged.fields };
  const { record, theirs } = merged;
  if (merged.status === 'same') return { ...base, status: 'written', record };
  const decision = decideWay(via, { entity, current: found, value: record, known: knownIds(root), ownPhases, force });
  if (!decision.ok) {
    const problem = decision.faults.map(({ where, problem: what, fix }) => `${where}: ${what} ${fix}`).join(' ');
    return { ...base, status: 'refused', record: found ?? null, problem };
  }
  if (decision.audit !== undefined)
    appendOnce(root, writer, {
      file: `events/${eventDirectoryOf(entity, record)}/progress.log`,
      text: auditLine(at, decision.audit),
    });
  writer.write(recordPath(entity, id), decision.record);
  return { ...base, status: theirs.length > 0 ? 'merged' : 'written', record: decision.record, fields: theirs };
}

/** Every step of the way has to be legal; only the end is written. */
function decideWay(via: readonly string[], write: RecordWrite): WriteDecision {
  let { current } = write;
  for (const status of via) {
    const step = decideWrite({ ...write, current, value: { ...Object(write.value), status } });
    if (!step.ok) return step;
    current = step.record;
  }
  return decideWrite({ ...write, current });
}

function writeEvent(writer: StoreWriter, directory: string, event: StoredRecord): readonly string[] {
  const checked = checkRecord('event', event);
  if (!checked.ok) {
    const [fault] = checked.faults;
    return [`${String(event['eventId'])}: ${fault?.where ?? ''} ${fault?.problem ?? ''}`];
  }
  if (!isRecordId(directory)) return [`${String(event['eventId'])}: its sprint is not an id`];
  writer.write(`events/${directory}/${String(checked.record['eventId'])}.json`, checked.record);
  return [];
}

interface LogLine {
  readonly file: string;
  readonly text: string;
}

/** A line that is there already was written by a process that died after it. */
function progressLines(root: string, { at, progress }: StoreProjection): readonly LogLine[] {
  return progress.flatMap(({ directory, agent, status, text }): readonly LogLine[] => {
    const detail = text.replace(/\s+/g, ' ').trim();
    const entry = { agentName: agent, bannerKey: 'forge', status, detail };
    if (!isRecordId(directory) || !checkShape(progressEntrySchema, entry).ok) return [];
    const line = { file: `events/${directory}/progress.log`, text: [at, agent, 'forge', status, detail].join('|') };
    return isLogged(root, line) ? [] : [line];
  });
}

function appendOnce(root: string, writer: StoreWriter, line: LogLine): void {
  if (!isLogged(root, line)) writer.append(line.file, line.text);
}

function isLogged(root: string, { file, text }: LogLine): boolean {
  const known = readConfinedText(root, `${storeDirectory}/${file}`) ?? '';
  // The newest are at the end, and lines of a run carry their time.
  return known.slice(-64_000).split('\n').includes(text);
}
