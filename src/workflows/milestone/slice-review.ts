/**
 * The review of a slice before it is closed, as a dispute: a challenger of another model family where one is configured,
 * an advocate, and rulings on the answers. What both concede is fixed now; what stays open waits for a person. A reviewer
 * that cannot be had is never approval: the slice is then listed as not reviewed.
 */
import { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { countText } from '../../views/figures.ts';
import { askReader, type ReaderReply } from './ask-unit.ts';
import { briefFor, briefRules, milestoneParts } from './briefs.ts';
import type { MilestoneContext } from './milestone-context.ts';
import type { OpenedSlice } from './open-milestone.ts';
import type { ChallengeResult } from './role-results.ts';
import { type AdvocateVerdict, firstWords, type Ruling, resolveObjection, reviewStyle } from './rules/dialectic.ts';

export const reviewedItemSchema = z.object({
  id: z.string(),
  severity: z.enum(['error', 'warning', 'info']).default('warning'),
  file: z.string(),
  line: z.number(),
  claim: z.string(),
  suggestion: z.string().default(''),
  state: z.enum(['conceded', 'resolved', 'open']),
  defense: z.string().default(''),
  ruling: z.string().default(''),
  /** What became of a conceded one. */
  fix: z.string().default(''),
  /** What a person or the settings decided about an open one. */
  decision: z.string().default(''),
});
export type ReviewedItem = z.infer<typeof reviewedItemSchema>;

export const sliceReviewSchema = z.object({
  style: z.enum(['flags', 'dialectic', 'disabled']),
  items: z.array(reviewedItemSchema),
  warnings: z.array(z.string()),
  /** Why nobody reviewed it; empty where somebody did. */
  problem: z.string(),
});
export type SliceReview = z.infer<typeof sliceReviewSchema>;

const diffChars = 80_000;

export async function reviewSlice(
  bench: Bench,
  context: MilestoneContext,
  about: { readonly slice: OpenedSlice; readonly from: string },
): Promise<SliceReview> {
  const mode = context.input.options.review;
  if (mode === 'disabled') return { style: 'disabled', items: [], warnings: [], problem: '' };
  const { slice, from } = about;
  const start = { kind: 'gate', title: 'review', end: describeReview };
  return bench.step(`${slice.id}/review`, start, async () => {
    const { commit: to } = await bench.perform('integration.read', `${slice.id}/review/head`, {});
    const diff = await bench.perform('diff.read', `${slice.id}/review/diff`, { from, to, chars: diffChars });
    const style = reviewStyle(changedLines(diff.text), mode);
    const dispute = { bench, context, slice, diff: diff.text };
    const challenge = await ask(dispute, 'challenger', { key: 'challenge', rules: briefRules.challenge, more: '' });
    if (challenge.status === 'missing') return { style, items: [], warnings: [], problem: challenge.why };
    const objections = uniqueIds(challenge.result.objections);
    if (objections.length === 0) return { style, items: [], warnings: [], problem: '' };
    if (style === 'flags')
      return { style, items: objections.map((one) => item(one, undefined, undefined)), warnings: [], problem: '' };
    return settle(dispute, objections);
  });
}

interface Dispute {
  readonly bench: Bench;
  readonly context: MilestoneContext;
  readonly slice: OpenedSlice;
  readonly diff: string;
}

type Objection = ChallengeResult['objections'][number];

async function settle(dispute: Dispute, objections: readonly Objection[]): Promise<SliceReview> {
  const ids = objections.map(({ id }) => id);
  const list = objections.map(objectionText).join('\n');
  const defense = await ask(dispute, 'advocate', { key: 'defense', rules: briefRules.defend, more: list });
  const answers = firstWords(defense.status === 'read' ? defense.result.answers : [], ids);
  const warnings = [...(defense.status === 'read' ? [] : [`Nobody answered: ${defense.why}`]), ...answers.warnings];
  const decided = new Map<string, { readonly ruling: Ruling; readonly why: string }>();
  for (let round = 1; round <= dispute.context.input.options.rounds; round += 1) {
    const disputed = objections.filter(({ id }) => {
      const verdict = answers.byId.get(id)?.verdict;
      return verdict !== undefined && verdict !== 'conceded' && decided.get(id)?.ruling !== 'withdrawn';
    });
    if (disputed.length === 0) break;
    const more = disputed
      .map(
        (one) =>
          `${objectionText(one)}\n  Answer (${answers.byId.get(one.id)?.verdict}): ${answers.byId.get(one.id)?.why}`,
      )
      .join('\n');
    const rebuttal = await ask(dispute, 'challenger', { key: `rebuttal#${round}`, rules: briefRules.rebut, more });
    if (rebuttal.status === 'missing') {
      warnings.push(`Nobody ruled on the answers: ${rebuttal.why}`);
      break;
    }
    const words = firstWords(rebuttal.result.rulings, ids);
    warnings.push(...words.warnings);
    for (const [id, { ruling, why }] of words.byId) decided.set(id, { ruling, why });
  }
  const items = objections.map((one) => item(one, answers.byId.get(one.id), decided.get(one.id)));
  return { style: 'dialectic', items, warnings, problem: '' };
}

function item(
  objection: Objection,
  answer: { readonly verdict: AdvocateVerdict; readonly why: string } | undefined,
  decided: { readonly ruling: Ruling; readonly why: string } | undefined,
): ReviewedItem {
  const state = resolveObjection(answer?.verdict, decided?.ruling);
  return reviewedItemSchema.parse({
    ...objection,
    state,
    defense: answer === undefined ? '' : `${answer.verdict}: ${answer.why}`,
    ruling: decided === undefined ? '' : `${decided.ruling}: ${decided.why}`,
  });
}

function ask<R extends 'challenger' | 'advocate'>(
  { bench, context, slice, diff }: Dispute,
  role: R,
  about: { readonly key: string; readonly rules: string; readonly more: string },
): Promise<ReaderReply<R>> {
  const task =
    about.key === 'challenge'
      ? `Challenge the change of ${slice.id}. Number your objections R1, R2 and so on.`
      : role === 'advocate'
        ? 'Answer every objection by its id.'
        : 'Rule on every answer by the id of the objection, under `rulings`.';
  return askReader(bench, `${slice.id}/review/${about.key}`, {
    input: context.input,
    role,
    title: about.key.startsWith('rebuttal') ? 'challenger, rebuttal' : role,
    agent: role === 'challenger' ? context.input.challenger : undefined,
    brief: briefFor(context, {
      rules: about.rules,
      parts: [
        ...milestoneParts(context),
        { title: `The change of ${slice.id}: ${slice.title}`, text: diff, budget: 90_000 },
        { title: 'Objections', text: about.more, budget: 30_000 },
      ],
      task,
    }),
  });
}

function describeReview({ items, problem, style }: SliceReview): StepEndInput {
  if (problem !== '') {
    return {
      status: 'unverified',
      detail: `nobody reviewed it: ${problem}`,
      report: { unverified: [`The review of the slice: ${problem}`] },
    };
  }
  const count = (state: ReviewedItem['state']): number => items.filter((one) => one.state === state).length;
  const detail =
    items.length === 0
      ? 'no objections'
      : `${count('resolved')} resolved · ${count('conceded')} conceded · ${count('open')} open`;
  return {
    status: 'done',
    detail: style === 'flags' && items.length > 0 ? countText(items.length, 'flag') : detail,
    figures: {
      objections: items.length,
      resolved: count('resolved'),
      conceded: count('conceded'),
      open: count('open'),
    },
    lines: items.map(
      (one) => `- ${one.id} ${one.state}: ${one.file === '' ? '' : `${one.file}:${one.line} `}${one.claim}`,
    ),
    report: {
      findings: items
        .filter(({ state }) => state === 'open')
        .map(({ file, line, claim, severity, suggestion }) => ({
          source: 'review',
          state: 'advisory',
          severity,
          file,
          line,
          claim,
          suggestion,
        })),
    },
  };
}

function objectionText({ id, file, line, claim, suggestion }: Objection): string {
  const place = file === '' ? '' : `${file}:${line} `;
  return `${id}: ${place}${claim}${suggestion === '' ? '' : ` Suggestion: ${suggestion}`}`;
}

/** Two objections with one number are two all the same. */
function uniqueIds(objections: readonly Objection[]): readonly Objection[] {
  const ids = objections.map(({ id }) => id);
  return new Set(ids).size === ids.length ? objections : objections.map((one, at) => ({ ...one, id: `R${at + 1}` }));
}

function changedLines(diff: string): number {
  return diff.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line)).length;
}
