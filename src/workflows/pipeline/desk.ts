/**
 * Where a run keeps the record it works on: the record as the run knows it, and the one way it reaches the store, with
 * the events and lines that tell of it. What someone else changed meanwhile is taken over where it does not matter here,
 * and is a conflict where it does. Events carry what was measured, and times come from the journal: a replay writes the
 * same files.
 */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import {
  canonicalEvent,
  type EventMatter,
  type EventSubject,
  type WorkMeasurement,
} from '../../pipelines/canonical-event.ts';
import { type RecordKind, statePath } from '../../pipelines/record-states.ts';
import type { StoredRecord } from '../../records/entity.ts';
import type { AgentWork } from '../moves/ask-agent.ts';

export interface RecordDesk {
  readonly kind: RecordKind;
  readonly id: string;
  readonly subject: EventSubject;
  /** As the run knows it. */
  record: StoredRecord;
  /** The last moment that the journal knows of. */
  at: string;
  /** Things about the record that people should see. */
  readonly notes: string[];
}

export interface DeskWrite {
  /** The state it is to get, by way of those between. */
  readonly status?: string | undefined;
  readonly summary?: { readonly key: string; readonly value: StoredRecord } | undefined;
  /** Other fields. */
  readonly fields?: StoredRecord;
  readonly events?: readonly { readonly matter: EventMatter; readonly measured?: WorkMeasurement }[];
  readonly progress?: readonly { readonly agent: string; readonly status: string; readonly text: string }[];
  readonly force?: boolean;
}

export type DeskAnswer =
  | { readonly status: 'written' }
  | { readonly status: 'conflict' | 'refused'; readonly detail: string };

type RecordJson = NonNullable<EffectInput<'records.write'>['records']>[number]['after'];

export function openDesk(
  kind: RecordKind,
  about: { readonly id: string; readonly record: StoredRecord; readonly at: string },
): RecordDesk {
  const { id, record, at } = about;
  const directory = kind === 'bug' ? 'bugs' : text(record['sprintId']) || 'SYS-runs';
  return { kind, id, record, at, subject: { kind, id, directory }, notes: [] };
}

export async function writeDesk(bench: Bench, key: string, desk: RecordDesk, write: DeskWrite): Promise<DeskAnswer> {
  const { kind, id, subject, at, record } = desk;
  const { summary, fields = {}, events = [], progress = [], force = false } = write;
  const from = String(record['status']);
  const way = write.status === undefined || force ? [] : statePath(kind, from, write.status);
  const status = force ? write.status : way.at(-1);
  const summaries =
    summary === undefined ? {} : { summaries: withSummary(record, summary.key, { ...summary.value, written_at: at }) };
  const after = { ...record, ...fields, ...summaries, ...(status === undefined ? {} : { status }) };
  const isChanged = Object.keys(fields).length > 0 || summary !== undefined || status !== undefined;
  const change = {
    entity: kind,
    id,
    before: record as RecordJson,
    after: after as RecordJson,
    via: way.slice(0, -1),
    ...(force ? { force } : {}),
  };
  const moment = { from: at, to: at };
  const { records } = await bench.perform('records.write', key, {
    at,
    records: isChanged ? [change] : [],
    events: events.map(({ matter, measured = moment }) => ({
      directory: subject.directory,
      event: canonicalEvent(subject, matter, measured) as RecordJson,
    })),
    progress: progress.map((line) => ({ directory: subject.directory, ...line })),
  });
  const [answer] = records;
  if (answer === undefined) return { status: 'written' };
  if (answer.status === 'conflict') return { status: 'conflict', detail: conflictText(answer, after) };
  if (answer.status === 'refused') return { status: 'refused', detail: answer.problem };
  if (answer.status === 'merged')
    desk.notes.push(`someone else changed ${answer.fields.join(', ')} of ${id}; it was kept`);
  desk.record = answer.record ?? after;
  return { status: 'written' };
}

function withSummary({ summaries }: StoredRecord, key: string, value: StoredRecord): StoredRecord {
  return { ...(typeof summaries === 'object' && summaries !== null ? summaries : {}), [key]: value };
}

function conflictText(
  { fields, record }: { readonly fields: readonly string[]; readonly record: StoredRecord | null },
  ours: StoredRecord,
): string {
  const shown = (value: StoredRecord | null, field: string): string => {
    const found = field === 'status' ? value?.[field] : undefined;
    return found === undefined ? '' : ` (${text(found)})`;
  };
  const each = fields.map((field) =>
    field === 'status'
      ? `status: on disk${shown(record, field)}, in this run${shown(ours, field)}`
      : `${field} was changed`,
  );
  return `${each.join('; ')}. Nothing was written over`;
}

/** What an agent's work was, as an event tells it. */
export function measuredOf({ usage, route, wall }: AgentWork, at: string): WorkMeasurement {
  return {
    from: wall?.from ?? at,
    to: wall?.to ?? at,
    model: route?.model ?? (route?.agent === undefined ? undefined : `${route.agent} default`),
    provider: route?.provider,
    usage,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The measuring is over: whatever is recorded from now on comes after it. */
export function advanceDeskTime(desk: RecordDesk, measured: WorkMeasurement): WorkMeasurement {
  if (measured.to > desk.at) desk.at = measured.to;
  return measured;
}
