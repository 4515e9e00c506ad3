/** The documents that say what became of the work: continue, verification, summaries, reviews, follow-ups. Pure. */
import { stringify } from 'yaml';
import type { Inspection } from '../../../policy/promises.ts';
import type { ScribeResult } from '../role-results.ts';
import type { Fragment } from '../rules/memory-choice.ts';
import type { ReviewedItem, SliceReview } from '../slice-review.ts';
import type { TaskData } from '../task-data.ts';
import { decisionLine, joinLines, oneLine, sectionLines, tableLines } from './plan-texts.ts';

export interface TaskPlace {
  readonly milestone: string;
  readonly slice: string;
  readonly task: string;
  readonly title: string;
}

export function continueText({ milestone, slice, task }: TaskPlace, data: TaskData): string {
  const { completed, remaining, nextAction, decisions } = data;
  const front = { milestone, slice, task, step: completed.length, total_steps: completed.length + remaining.length };
  const next = nextAction === '' ? (remaining[0] ?? 'Look at what is there and finish it.') : nextAction;
  return joinLines(
    '---',
    stringify(front).trimEnd(),
    '---',
    ...sectionLines('Completed Work', completed.map(item)),
    ...sectionLines('Remaining Work', remaining.map(item)),
    ...sectionLines('Decisions Made', decisions.map(decisionLine)),
    ...sectionLines('Next Action', [oneLine(next)]),
  );
}

export function taskSummaryText({ milestone, slice, task, title }: TaskPlace, data: TaskData): string {
  const front = {
    id: task,
    parent: slice,
    milestone,
    status: 'done',
    verification_result: 'passed',
    verification_evidence: data.verification.map(({ command, status }) => ({ command, status })),
    key_files: data.files,
    key_decisions: data.decisions.map(({ choice }) => choice),
    commit: data.commit,
  };
  return joinLines(
    '---',
    stringify(front).trimEnd(),
    '---',
    `# ${task}: ${oneLine(title)}`,
    '',
    data.summary,
    '',
    ...sectionLines('Claims that were not confirmed', [...data.claims, ...data.unconfirmed].map(item)),
    ...sectionLines('Dropped on purpose', data.pruned.map(item)),
    ...sectionLines('Pending requirements', data.dropped.map(item)),
    ...sectionLines('Split into', data.parts.map(item)),
    ...sectionLines(
      'Repairs',
      data.repairs.map(({ strategy, reason }) => `- ${strategy}: ${oneLine(reason)}`),
    ),
  );
}

function mark(value: boolean | 'approximate' | null): string {
  if (value === null) return '—';
  return value === 'approximate' ? '~' : value ? '✓' : '✗';
}

export function verificationText(
  slice: string,
  tasks: readonly { readonly task: string; readonly inspection: Inspection }[],
  owed: readonly string[],
): string {
  const rows = tasks.flatMap(({ task, inspection }) =>
    inspection.artifacts.map(({ path, exists, substantive, wired, detail }) => [
      task,
      `\`${path}\``,
      mark(exists),
      mark(substantive),
      mark(wired),
      detail,
    ]),
  );
  const links = tasks.flatMap(({ task, inspection }) =>
    inspection.links.map(({ from, to, via, holds, detail }) => [
      task,
      `\`${from}\` → \`${to}\``,
      via,
      mark(holds),
      detail,
    ]),
  );
  const missing = tasks.flatMap(({ task, inspection }) =>
    inspection.missingOutput.map((path) => `- ${task}: \`${path}\` is missing`),
  );
  return joinLines(
    `# ${slice}: verification`,
    '',
    ...tableLines(['Task', 'Artifact', 'Exists', 'Substantive', 'Wired', 'Detail'], rows),
    '',
    ...(links.length === 0 ? [] : [...tableLines(['Task', 'Link', 'Via', 'Holds', 'Detail'], links), '']),
    ...sectionLines('Expected output', missing),
    ...sectionLines('Pending requirements', owed.map(item)),
  );
}

export function reviewText(slice: string, review: SliceReview): string {
  const count = (state: ReviewedItem['state']): number => review.items.filter((one) => one.state === state).length;
  return joinLines(
    `# ${slice}: review`,
    '',
    `**Outcome:** ${count('resolved')} resolved · ${count('conceded')} conceded · ${count('open')} open`,
    `**Style:** ${review.style}`,
    ...(review.problem === '' ? [] : [`**Not reviewed:** ${oneLine(review.problem)}`]),
    '',
    ...review.items.flatMap((one) => [
      `## ${one.id} (${one.state}) ${one.file === '' ? '' : `\`${one.file}:${one.line}\``}`.trimEnd(),
      '',
      oneLine(one.claim),
      '',
      ...(one.defense === '' ? [] : [`**Defense:** ${oneLine(one.defense)}`]),
      ...(one.ruling === '' ? [] : [`**Ruling:** ${oneLine(one.ruling)}`]),
      ...(one.fix === '' ? [] : [`**Fix:** ${oneLine(one.fix)}`]),
      ...(one.decision === '' ? [] : [`**Decision:** ${oneLine(one.decision)}`]),
      '',
    ]),
    ...sectionLines('Warnings', review.warnings.map(item)),
  );
}

export function sliceSummaryText(about: {
  readonly milestone: string;
  readonly slice: string;
  readonly title: string;
  readonly scribe: ScribeResult;
  readonly tasks: readonly string[];
  readonly dropped: readonly string[];
}): string {
  const { slice, milestone, tasks, scribe, dropped } = about;
  const front = { id: slice, milestone, status: 'complete', tasks, provides: scribe.provides };
  return joinLines(
    '---',
    stringify(front).trimEnd(),
    '---',
    `# ${slice}: ${oneLine(about.title)}`,
    '',
    scribe.summary.trim(),
    '',
    ...sectionLines('Pending requirements', dropped.map(item)),
  );
}

export function milestoneSummaryText(about: {
  readonly id: string;
  readonly title: string;
  readonly scribe: ScribeResult;
  readonly slices: readonly string[];
}): string {
  const { id, title, scribe, slices } = about;
  const front = stringify({ id, status: 'complete', slices }).trimEnd();
  return joinLines('---', front, '---', `# ${id}: ${oneLine(title)}`, '', scribe.summary.trim());
}

export type FollowUp = Pick<ReviewedItem, 'id' | 'file' | 'line' | 'claim'> & { readonly slice: string };

/** What people decided to do later goes below what is in the file already. */
export function knowledgeText(before: string, milestone: string, items: readonly FollowUp[]): string {
  const added = items.map(({ slice, id, file, line, claim }) => {
    const place = file === '' ? '' : `\`${file}:${line}\` `;
    return `- ${milestone}/${slice} ${id} ${place}— ${oneLine(claim)}`;
  });
  return withSection(before, { title: 'Knowledge', heading: 'Review follow-ups', lines: added });
}

/** A document with more lines in one of its sections, whoever wrote it. */
export function withSection(
  before: string,
  about: { readonly title: string; readonly heading: string; readonly lines: readonly string[] },
): string {
  const { title, lines } = about;
  const heading = `## ${about.heading}`;
  if (before.trim() === '') return joinLines(`# ${title}`, '', heading, '', ...lines);
  const known = before.trimEnd().split('\n');
  const start = known.findIndex((line) => line.trim() === heading);
  if (start === -1) return joinLines(...known, '', heading, '', ...lines);
  const next = known.findIndex((line, at) => at > start && /^#{1,2} /.test(line));
  const end = next === -1 ? known.length : next;
  const section = known.slice(0, end).join('\n').trimEnd();
  return joinLines(section, ...lines, ...(next === -1 ? [] : ['', ...known.slice(next)]));
}

export function memoryText(fragments: readonly Fragment[]): string {
  const rows = fragments.map(({ unit, category, confidence, hits, text }) => [
    unit,
    category,
    confidence.toFixed(2),
    String(hits),
    text,
  ]);
  const heads = ['Unit', 'Category', 'Confidence', 'Hits', 'Fact'];
  return joinLines('# What this milestone taught', '', ...tableLines(heads, rows));
}

function item(text: string): string {
  return `- ${oneLine(text)}`;
}
