/**
 * Ids of milestones in both of their forms: `M007`, and `M007-k3f9ab` or `M-20260601…` where several people begin
 * milestones at once. Pure; what is random is given.
 */
import { compareIds } from '../plan/task-id.ts';

export function isMilestoneId(text: string): boolean {
  return /^M(?:\d{1,4}(?:-[\w-]{1,60})?|-\d{6,14}[\w-]{0,60})$/i.test(text);
}

/** As people write it: a short id in capitals, whatever was typed. */
export function normalizeMilestoneId(text: string): string {
  return /^m\d+$/i.test(text) ? text.toUpperCase() : text;
}

/** The number after the highest one that is there, as many digits wide as the others. */
export function newMilestoneId(known: readonly string[]): string {
  const numbers = known.flatMap((id) => /^M(\d+)/.exec(id)?.[1] ?? []);
  const highest = [...numbers].sort(compareIds).at(-1);
  const width = Math.max(3, highest?.length ?? 0);
  return `M${String(Number(highest ?? 0) + 1).padStart(width, '0')}`;
}
