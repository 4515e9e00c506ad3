/**
 * The events a run leaves in the store, one shape for all: who did what to which record, when and with what, from what
 * was measured. Only the engine makes them. The id names the moment, the record, the persona and the action, so that the
 * same event written twice is one file. Pure.
 */
import type { StoredRecord } from '../records/entity.ts';

export const eventActions = [
  'start',
  'complete',
  'gate_failed',
  'hook_failed',
  'subagent_retry',
  'subagent_escalated',
  'verdict_malformed',
  'task_skipped',
  'escalated',
  'conflict',
  'friction',
] as const;
export type EventAction = (typeof eventActions)[number];

/** What was measured about a piece of work; for what no agent did, the moment alone. */
export interface WorkMeasurement {
  readonly from: string;
  readonly to: string;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly usage?:
    | { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number }
    | undefined;
}

export interface EventSubject {
  readonly kind: 'task' | 'bug';
  readonly id: string;
  /** Directory of events: the sprint, or `bugs`. */
  readonly directory: string;
}

export interface EventMatter {
  readonly action: EventAction;
  readonly persona: string;
  readonly phase?: string | undefined;
  readonly iteration?: number | undefined;
  readonly verdict?: string | undefined;
  readonly notes?: string | undefined;
  /** Fields that only some events have, such as those of friction. */
  readonly more?: StoredRecord;
  /** Set where one moment has several events of the same action. */
  readonly number?: number;
}

const longestNote = 2000;

export function canonicalEvent(subject: EventSubject, matter: EventMatter, measured: WorkMeasurement): StoredRecord {
  const { action, persona, phase, iteration, verdict, notes, more = {}, number } = matter;
  const { from, to, usage } = measured;
  const name = [compactTime(from), subject.id, persona, phase === undefined ? action : `${phase}-${action}`];
  const minutes = Math.max(0, Date.parse(to) - Date.parse(from)) / 60_000;
  return {
    eventId: eventId([...name, ...(number === undefined ? [] : [String(number)])]),
    ...(subject.kind === 'task' ? { taskId: subject.id } : { bugId: subject.id }),
    sprintId: subject.directory,
    role: persona,
    action,
    ...(phase === undefined ? {} : { phase }),
    ...(iteration === undefined ? {} : { iteration }),
    startTimestamp: from,
    endTimestamp: to,
    durationMinutes: Number(minutes.toFixed(4)),
    model: measured.model ?? 'unknown',
    provider: measured.provider ?? 'unknown',
    ...(usage === undefined
      ? {}
      : {
          inputTokens: usage.inputTokens,
          outputTokens: usage.outputTokens,
          estimatedCostUSD: usage.costUsd,
          tokenSource: 'reported',
        }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(notes === undefined || notes === '' ? {} : { notes: notes.slice(0, longestNote) }),
    ...more,
  };
}

/** `2026-04-15T14:15:23.000Z` as `20260415T141523000Z`. */
export function compactTime(iso: string): string {
  return iso.replace(/[-:.]/g, '');
}

/** Ids become file names. */
function eventId(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/[^A-Za-z0-9-]+/g, '-'))
    .join('_')
    .slice(0, 128);
}
