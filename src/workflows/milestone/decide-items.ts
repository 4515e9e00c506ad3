/**
 * What becomes of objections that stayed open. During the run they wait, unless settings want them asked about at once.
 * Before the milestone closes a person decides about everything that waits: keep it as it is, refactor now, or do it later.
 * This is the one place where the autopilot asks on its own account.
 */
import type { Bench } from '../../engine/bench.ts';
import type { MilestoneContext } from './milestone-context.ts';
import type { ReviewedItem } from './slice-review.ts';

export const deferredReason = 'deferred to the triage at the end of the milestone';

export interface PendingItem extends ReviewedItem {
  readonly slice: string;
}

/** Of one slice, right after its review. */
export async function decideOpenItems(
  bench: Bench,
  { input }: MilestoneContext,
  { slice, items }: { readonly slice: string; readonly items: readonly ReviewedItem[] },
): Promise<ReviewedItem[]> {
  const isAsked = input.options.open === 'ask';
  return Promise.all(
    items.map(async (one) => {
      if (one.state !== 'open') return one;
      if (!isAsked) return { ...one, decision: deferredReason };
      const chosen = await askAbout(bench, `${slice}/review/decide-${one.id}`, { ...one, slice });
      return { ...one, decision: chosen === 'refactor' ? deferredReason : chosen };
    }),
  );
}

/** What still needs a decision: open ones that wait, and conceded ones whose fix did not work. */
export function isPending({ state, fix, decision }: ReviewedItem): boolean {
  if (state === 'open') return decision === deferredReason;
  return state === 'conceded' && !fix.startsWith('applied');
}

export type TriageChoice = 'keep' | 'refactor' | 'follow-up';

/** All questions are open at once, so that one visit of a person answers them. */
export async function triageItems(
  bench: Bench,
  items: readonly PendingItem[],
): Promise<readonly { readonly item: PendingItem; readonly choice: TriageChoice }[]> {
  return Promise.all(
    items.map(async (item) => ({ item, choice: await askAbout(bench, `triage/${item.slice}-${item.id}`, item) })),
  );
}

async function askAbout(bench: Bench, key: string, item: PendingItem): Promise<TriageChoice> {
  const place = item.file === '' ? '' : ` (${item.file}:${item.line})`;
  const answer = await bench.ask(key, {
    title: `${item.slice} ${item.id}: ${item.claim}${place}`,
    detail: [item.defense, item.ruling, item.fix === '' ? '' : `Fix: ${item.fix}`, item.suggestion]
      .filter((line) => line !== '')
      .join('\n'),
    options: [
      { id: 'keep', label: 'Keep it as it is' },
      { id: 'refactor', label: 'Change it now' },
      { id: 'follow-up', label: 'Do it later (kept in KNOWLEDGE.md)', recommended: true },
    ],
    topic: 'triage',
  });
  return answer.option === 'keep' || answer.option === 'refactor' ? answer.option : 'follow-up';
}
