/**
 * Assembles the record of a merge. It decides nothing: the flags come from the policy that judged the changes, the
 * commits from the merge itself.
 */
import { type Receipt, receiptSchema, type ScopeFlag } from '../policy/receipt.ts';
import type { MergeCandidate, Snapshot } from './git.ts';

export interface ReceiptParts {
  readonly task: string;
  readonly declared: readonly string[];
  /** What the policy said about each change that needed a word. */
  readonly flags: readonly ScopeFlag[];
  readonly candidate: Extract<MergeCandidate, { status: 'ready' }>;
  readonly snapshot: Pick<Snapshot, 'commit' | 'leftBehind'>;
  /** What the task was developed on. */
  readonly base: string;
  readonly checks: readonly { readonly label: string; readonly status: string }[];
}

export function buildReceipt(parts: ReceiptParts): Receipt {
  return receiptSchema.parse({
    task: parts.task,
    declared: [...parts.declared],
    changed: [...parts.candidate.changes],
    flags: [...parts.flags],
    leftBehind: [...parts.snapshot.leftBehind],
    before: parts.candidate.before,
    after: parts.candidate.commit,
    source: parts.snapshot.commit,
    base: parts.base,
    checks: [...parts.checks],
  });
}
