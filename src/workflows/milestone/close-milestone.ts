/**
 * The end of a milestone whose slices are all done: a person decides about what the reviews left open, what they want
 * changed is changed, the summary is written, and what was learned is kept. Nothing here can undo a slice.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../engine/facts.ts';
import { countText } from '../../views/figures.ts';
import { askReader } from './ask-unit.ts';
import { briefFor, briefRules, milestoneParts } from './briefs.ts';
import { isPending, type PendingItem, type TriageChoice, triageItems } from './decide-items.ts';
import { tickBoxes } from './documents/plan-texts.ts';
import { knowledgeText, milestoneSummaryText, reviewText } from './documents/result-texts.ts';
import { fixItems } from './fix-items.ts';
import { leaveDocument } from './leave-document.ts';
import type { MilestoneContext } from './milestone-context.ts';
import type { OpenedMilestone } from './open-milestone.ts';
import { readSliceData, type SliceData } from './slice-data.ts';

export interface MilestoneClosing {
  readonly milestone: OpenedMilestone;
  readonly roadmap: string;
  /** The text that the roadmap may replace. */
  readonly before: string;
  readonly outcomes: readonly TaskOutcome[];
}

export interface ClosedMilestone {
  readonly followUps: readonly PendingItem[];
  /** What was to be changed now and could not be. */
  readonly failures: readonly string[];
}

interface ClosedSlice {
  readonly id: string;
  readonly data: SliceData;
}

export async function closeMilestone(
  bench: Bench,
  context: MilestoneContext,
  closing: MilestoneClosing,
): Promise<ClosedMilestone> {
  const slices = closing.outcomes.map(({ task, data }) => ({ id: task, data: readSliceData(data) }));
  const decided = await settlePending(bench, context, [...reviewedEarlier(closing.milestone), ...slices]);
  await leaveFollowUps(bench, context, { before: closing.milestone.knowledge, items: decided.followUps });
  const end = (): StepEndInput => ({ status: 'done', detail: countText(slices.length, 'slice') });
  const start = { kind: 'unit', title: 'complete-milestone', end };
  await bench.step('complete-milestone/unit', start, () => summarize(bench, context, { slices, closing }));
  return decided;
}

/** Slices that earlier runs finished: what waited there still does. */
function reviewedEarlier({ slices = [] }: OpenedMilestone): readonly ClosedSlice[] {
  return slices.flatMap(({ id, title, isDone, review }) =>
    isDone && review !== undefined ? [{ id, data: { ...readSliceData({ title }), review } }] : [],
  );
}

/** Everything that waits is shown at once. What nobody reviewed is part of it: silence is not approval. */
async function settlePending(
  bench: Bench,
  context: MilestoneContext,
  slices: readonly ClosedSlice[],
): Promise<ClosedMilestone> {
  const pending = slices.flatMap(({ id, data }): PendingItem[] => [
    ...data.review.items.filter(isPending).map((item) => ({ ...item, slice: id })),
    ...(data.review.problem === '' ? [] : [unreviewed(id, data.review.problem)]),
  ]);
  if (pending.length === 0) return { followUps: [], failures: [] };
  const end = (choices: readonly { readonly choice: TriageChoice }[]): StepEndInput => {
    const count = (choice: TriageChoice): number => choices.filter((one) => one.choice === choice).length;
    return {
      status: 'done',
      detail: `${count('keep')} kept, ${count('refactor')} changed now, ${count('follow-up')} for later`,
      figures: { kept: count('keep'), refactored: count('refactor'), followUps: count('follow-up') },
    };
  };
  const start = { kind: 'gate', title: `triage of ${countText(pending.length, 'item')}`, end };
  const choices = await bench.step('triage', start, () => triageItems(bench, pending));
  const now = choices.filter(({ choice }) => choice === 'refactor').map(({ item }) => item);
  const fixed = now.length === 0 ? undefined : await fixItems(bench, context, { key: 'review-fix/triage', items: now });
  await leaveDecisions(bench, context, { slices, choices });
  return {
    followUps: choices.filter(({ choice }) => choice === 'follow-up').map(({ item }) => item),
    failures: fixed?.status === 'failed' ? [`what was to be changed now could not be: ${fixed.reason}`] : [],
  };
}

function unreviewed(slice: string, problem: string): PendingItem {
  return {
    slice,
    id: 'R0',
    severity: 'warning',
    file: '',
    line: 0,
    claim: `Nobody reviewed this slice (${problem}).`,
    suggestion: '',
    state: 'open',
    defense: '',
    ruling: '',
    fix: '',
    decision: '',
  };
}

async function leaveDecisions(
  bench: Bench,
  context: MilestoneContext,
  about: { slices: readonly ClosedSlice[]; choices: readonly { item: PendingItem; choice: TriageChoice }[] },
): Promise<void> {
  for (const { id, data } of about.slices) {
    const own = about.choices.filter(({ item }) => item.slice === id);
    if (own.length === 0) continue;
    const items = data.review.items.map((one) => {
      const chosen = own.find(({ item }) => item.id === one.id)?.choice;
      return chosen === undefined ? one : { ...one, decision: wording[chosen] };
    });
    await leaveDocument(bench, `triage/${id}`, {
      path: context.paths.slice(id, 'REVIEW.md'),
      content: reviewText(id, { ...data.review, items }),
    });
  }
}

const wording: Readonly<Record<TriageChoice, string>> = {
  keep: 'kept as it is',
  refactor: 'changed at the end of the milestone',
  'follow-up': 'follow-up, kept in KNOWLEDGE.md',
};

async function leaveFollowUps(
  bench: Bench,
  { id }: MilestoneContext,
  { before, items }: { readonly before: string; readonly items: readonly PendingItem[] },
): Promise<void> {
  if (items.length === 0) return;
  await leaveDocument(bench, 'triage/knowledge', {
    path: 'KNOWLEDGE.md',
    content: knowledgeText(before, id, items),
    over: before,
  });
}

async function summarize(
  bench: Bench,
  context: MilestoneContext,
  { slices, closing }: { readonly slices: readonly ClosedSlice[]; readonly closing: MilestoneClosing },
): Promise<void> {
  const { id, title, paths } = context;
  const told = slices
    .map((slice) => `- ${slice.id} ${slice.data.title}: ${countText(slice.data.tasks, 'task')}`)
    .join('\n');
  const read = await askReader(bench, 'complete-milestone', {
    input: context.input,
    role: 'scribe',
    brief: briefFor(context, {
      rules: briefRules.closeMilestone,
      parts: [...milestoneParts(context), { title: 'Slices', text: told }],
      task: `Write the summary of ${id}.`,
    }),
  });
  const scribe = read.status === 'read' ? read.result : { summary: told, provides: [] };
  const all = [...new Set([...context.slices.filter(({ isDone }) => isDone), ...slices].map(({ id: known }) => known))];
  await leaveDocument(bench, 'complete-milestone/roadmap', {
    path: paths.milestone('ROADMAP.md'),
    content: tickBoxes(closing.roadmap, all),
    over: closing.before,
  });
  await leaveDocument(bench, 'complete-milestone/summary', {
    path: paths.milestone('SUMMARY.md'),
    content: milestoneSummaryText({ id, title, scribe, slices: all }),
    stamp: 'completed_at',
  });
}
