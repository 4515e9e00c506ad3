/**
 * Whether a change to a record is allowed, and what the record is then. The store asks here before it writes anything,
 * with the record as it stands on disk; so no writer can skip a state, and nothing is half allowed. Pure.
 */
import type { Issue } from '../plan/refusal.ts';
import { checkRecord, checkShape } from './check-record.ts';
import { type EntityName, isFiledEntity, recordId, type StoredRecord } from './entity.ts';
import { danglingReferences, type KnownIds } from './references.ts';
import { phaseSummarySchema, summaryPhases } from './schemas.ts';
import { didYouMean } from './suggest-words.ts';
import { isLegalTransition, nextStates } from './transitions.ts';

export type WriteDecision =
  | {
      readonly ok: true;
      readonly record: StoredRecord;
      /** Things the writer should know. */
      readonly notes: readonly string[];
      /** A rule was set aside on purpose; kept for whoever asks later. */
      readonly audit?: string;
    }
  | { readonly ok: false; readonly faults: readonly Issue[] };

export interface WriteRules {
  /** Summary keys of the project's own phases. */
  readonly ownPhases?: readonly string[];
  /** A person insists on a state that may not follow. */
  readonly force?: boolean;
  /** A person insists on a record that does not fit its schema. */
  readonly skipChecks?: boolean;
}

export interface RecordWrite extends WriteRules {
  readonly entity: EntityName;
  readonly current: StoredRecord | undefined;
  readonly value: unknown;
  readonly known: KnownIds;
}

export function decideWrite({ entity, current, value, known, ...rules }: RecordWrite): WriteDecision {
  const checked = checkRecord(entity, value, rules.ownPhases);
  if (!checked.ok) return rules.skipChecks === true ? withoutChecks(entity, value, checked.faults) : checked;
  const { record } = checked;
  const dangling = danglingReferences(entity, record, known);
  const needed = dangling.filter(({ isNeeded }) => isNeeded);
  if (needed.length > 0 && rules.skipChecks !== true) {
    const faults = needed.map(({ field, target, id, fix }) => ({
      where: field,
      problem: `There is no ${target} ${JSON.stringify(id)}.`,
      fix,
    }));
    return { ok: false, faults };
  }
  const notes = dangling.map(({ field, target, id }) => `${field} names the ${target} ${id}, which does not exist yet`);
  const step = decideStep(entity, current, record, rules);
  return step.ok ? { ...step, notes: [...notes, ...step.notes] } : step;
}

export interface FieldChange extends WriteRules {
  readonly entity: EntityName;
  readonly current: StoredRecord;
  readonly field: string;
  readonly value: string;
}

/** One field, usually the state. The record has to fit afterwards, as any other. */
export function decideFieldChange({ entity, current, field, value, ...rules }: FieldChange): WriteDecision {
  if (!Object.hasOwn(current, field)) {
    const guess = didYouMean(field, Object.keys(current));
    return {
      ok: false,
      faults: [
        { where: field, problem: 'The record has no such field.', fix: guess || 'Write the whole record instead.' },
      ],
    };
  }
  const record = { ...current, [field]: value };
  const step = decideStep(entity, current, record, rules);
  if (!step.ok) return step;
  const checked = checkRecord(entity, record, rules.ownPhases);
  return checked.ok ? step : checked;
}

export interface SummaryWrite {
  readonly current: StoredRecord;
  readonly entity: 'task' | 'bug';
  readonly phase: string;
  readonly summary: unknown;
  /** When it is written: the store's clock, not the writer's. */
  readonly at: string;
  readonly ownPhases?: readonly string[];
}

export function decideSummary({ current, entity, phase, summary, at, ownPhases = [] }: SummaryWrite): WriteDecision {
  const phases: readonly string[] = [...summaryPhases, ...ownPhases];
  if (!phases.includes(phase)) {
    const fix = [didYouMean(phase, phases), `Use one of ${phases.join(', ')}.`].filter(Boolean).join(' ');
    return { ok: false, faults: [{ where: 'phase', problem: `There is no phase ${JSON.stringify(phase)}.`, fix }] };
  }
  const stamped = typeof summary === 'object' && summary !== null ? { ...summary, written_at: at } : summary;
  const checked = checkShape(phaseSummarySchema, stamped);
  if (!checked.ok) return checked;
  const { summaries } = current;
  const others = typeof summaries === 'object' && summaries !== null ? summaries : {};
  const record = { ...current, summaries: { ...others, [phase]: checked.record } };
  const whole = checkRecord(entity, record, ownPhases);
  return whole.ok ? { ok: true, record, notes: [] } : whole;
}

function decideStep(
  entity: EntityName,
  current: StoredRecord | undefined,
  record: StoredRecord,
  { force = false }: WriteRules,
): WriteDecision {
  const from = current?.['status'];
  const to = record['status'];
  if (typeof from !== 'string' || typeof to !== 'string' || isLegalTransition(entity, from, to))
    return { ok: true, record, notes: [] };
  const id = recordId(entity, record) ?? '';
  const step = `${entity} ${id} status: ${from} → ${to}`;
  if (force) {
    return { ok: true, record, notes: [`Forced although it may not follow: ${step}`], audit: `forced ${step}` };
  }
  const next = isFiledEntity(entity) ? nextStates(entity, from) : [];
  const allowed = next.length === 0 ? `${from} is final.` : `After ${from} may come: ${next.join(', ')}.`;
  const fix = [didYouMean(to, next), allowed].filter(Boolean).join(' ');
  return { ok: false, faults: [{ where: 'status', problem: `It may not change like that: ${step}.`, fix }] };
}

function withoutChecks(entity: EntityName, value: unknown, faults: readonly Issue[]): WriteDecision {
  // Without an id there is no file it could be written to.
  if (typeof value !== 'object' || value === null || recordId(entity, value as StoredRecord) === undefined)
    return { ok: false, faults };
  const record = value as StoredRecord;
  const what = `${entity} ${recordId(entity, record)} written without checks: ${faults.map(({ where }) => where).join(', ')}`;
  return { ok: true, record, notes: [what], audit: what };
}
