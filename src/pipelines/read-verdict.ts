/**
 * The verdict of a phase, from stored facts alone: the phase's summary in the record, or for the approval of a task its
 * state. The words are closed: another spelling is not a verdict, and no verdict is never an approval. Pure.
 */
import type { StoredRecord } from '../records/entity.ts';
import { fieldValue } from '../records/record-filter.ts';
import { recordVerdicts } from '../records/schemas.ts';
import type { PhaseVerdict } from './gate.ts';

export interface FoundVerdict {
  /** Null: nothing usable is recorded. */
  readonly verdict: PhaseVerdict | null;
  /** Where it was looked for, for whoever has to fill it in. */
  readonly source: 'no-record' | 'summaries' | 'summaries (alt-map)' | 'summaries (fallback)' | 'task.status';
  readonly key: string | null;
}

const taskSummaries: Readonly<Record<string, string>> = {
  plan: 'plan',
  'review-plan': 'review_plan',
  implement: 'implementation',
  'review-code': 'code_review',
  validate: 'validation',
};

const bugSummaries: Readonly<Record<string, string>> = {
  triage: 'triage',
  'plan-fix': 'plan',
  plan: 'plan',
  'review-plan': 'review_plan',
  implement: 'implementation',
  'review-code': 'code_review',
  approve: 'approve',
};

/** The key a phase's summary has in a record. */
export function summaryKey(phase: string, isBug = false): string {
  const own = isBug ? bugSummaries : taskSummaries;
  const other = isBug ? taskSummaries : bugSummaries;
  if (Object.hasOwn(own, phase)) return own[phase] ?? phase;
  return Object.hasOwn(other, phase) ? (other[phase] ?? phase) : phase.replaceAll('-', '_');
}

export function readVerdict(record: unknown, phase: string): FoundVerdict {
  if (typeof record !== 'object' || record === null) return { verdict: null, source: 'no-record', key: null };
  const stored = record as StoredRecord;
  const isBug = Object.hasOwn(stored, 'bugId');
  if (phase === 'approve' && !isBug) {
    return { verdict: stored['status'] === 'approved' ? 'approved' : null, source: 'task.status', key: null };
  }
  const key = summaryKey(phase, isBug);
  const own = isBug ? bugSummaries : taskSummaries;
  const other = isBug ? taskSummaries : bugSummaries;
  const source = Object.hasOwn(own, phase)
    ? 'summaries'
    : Object.hasOwn(other, phase)
      ? 'summaries (alt-map)'
      : 'summaries (fallback)';
  const word = fieldValue(stored, `summaries.${key}.verdict`);
  return { verdict: recordVerdicts.find((one) => one === word) ?? null, source, key };
}
