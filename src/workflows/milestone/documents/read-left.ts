/**
 * What earlier runs, or other tools, wrote into documents that a run has to go on from: the review of a slice with what
 * waits for a person, requirements that are still owed, and what was learned. Pure, and never throws: what cannot be
 * read is left out.
 */
import { boldField, type GsdLine, readGsdDocument, sectionLines, tableRows } from '../../../gsd/gsd-text.ts';
import { deferredReason } from '../decide-items.ts';
import { type Fragment, type FragmentCategory, fragmentCategories } from '../rules/memory-choice.ts';
import type { ReviewedItem, SliceReview } from '../slice-review.ts';

/** Undefined: there is no review. */
export function readReview(source: string): SliceReview | undefined {
  if (source.trim() === '') return undefined;
  const { lines } = readGsdDocument(source);
  const starts = lines.flatMap(({ text, isFenced }, at) => (!isFenced && itemHeading.test(text) ? [at] : []));
  const items = starts.map((start, at) => readItem(lines.slice(start, starts[at + 1])));
  const style = boldField(lines, 'Style');
  return {
    style: style === 'flags' || style === 'disabled' ? style : 'dialectic',
    items,
    warnings: [],
    problem: boldField(lines, 'Not reviewed') ?? '',
  };
}

const itemHeading = /^#{2,4} .*?\b(R\d{1,3})\b/;

function readItem([heading = { text: '', isFenced: false }, ...body]: readonly GsdLine[]): ReviewedItem {
  const field = (...names: readonly string[]): string =>
    names.map((name) => boldField(body, name)).find((value) => value !== undefined) ?? '';
  const [, id = 'R0'] = itemHeading.exec(heading.text) ?? [];
  const [, file = '', line = '0'] = /`([^`]+?)(?::(\d+))?`/.exec(heading.text) ?? [];
  const fix = field('Fix', 'Correção');
  const decision = field('Decision', 'Decisão');
  const claim = body.find(({ text }) => text.trim() !== '' && !/^(?:\*\*|#|[-*>|])/.test(text.trim()))?.text ?? '';
  return {
    id,
    severity: 'warning',
    file,
    line: Number(line),
    claim: claim.trim() === '' ? heading.text.replace(/^#+ /, '').trim() : claim.trim(),
    suggestion: '',
    state: stateOf(heading.text, fix),
    defense: field('Defense', 'Defesa'),
    ruling: field('Ruling', 'Réplica'),
    fix: /^aplicada/i.test(fix) ? `applied: ${fix}` : fix,
    decision: /^(?:deferido|deferred)/i.test(decision) ? deferredReason : decision,
  };
}

function stateOf(heading: string, fix: string): ReviewedItem['state'] {
  if (/\b(?:conceded|conced)/i.test(heading) || fix !== '') return 'conceded';
  return /\b(?:resolved|resolvid|withdrawn)/i.test(heading) ? 'resolved' : 'open';
}

/** What tasks that are over still owe. An open one will be done anyway. */
export function readOwed(source: string, openTasks: readonly string[]): readonly string[] {
  const lines = sectionLines(readGsdDocument(source).lines, 'Pending requirements') ?? [];
  return lines.flatMap(({ text }) => {
    const [, task = '', owed = ''] = /^[-*] (?:(T[\d.]+): )?(.+)$/.exec(text.trim()) ?? [];
    return owed === '' || openTasks.includes(task) ? [] : [owed];
  });
}

type ReadFragment = Omit<Fragment, 'unit'>;

/** Of the table that Forge writes, and of the list in AUTO-MEMORY.md. */
export function readFragments(source: string): readonly ReadFragment[] {
  const { lines } = readGsdDocument(source);
  const rows = tableRows(lines).flatMap(({ category = '', confidence = '', hits = '', fact = '' }) =>
    fragment({ category, confidence, hits, fact }),
  );
  const listed = lines.flatMap(({ text }) => {
    const [, category = '', confidence = '', hits = '', fact = ''] = listLine.exec(text) ?? [];
    return fragment({ category, confidence, hits, fact });
  });
  return [...rows, ...listed];
}

const listLine = /^- \[MEM\w+\] \(([a-z]+)\) confidence:([\d.]+)(?: hits:(\d+))?\s*(?:—|-)\s*(.+)$/i;

/** Higher ones are a mistake, or somebody's wish to be heard first. */
const mostHits = 10_000;

function fragment(
  words: Readonly<Record<'category' | 'confidence' | 'hits' | 'fact', string>>,
): readonly ReadFragment[] {
  const { category, confidence, fact } = words;
  if (fact.trim() === '') return [];
  const known: FragmentCategory = fragmentCategories.find((one) => one === category.toLowerCase()) ?? 'pattern';
  const sure = Number(confidence);
  const hits = Math.min(mostHits, Math.max(0, Math.trunc(Number(words.hits)) || 0));
  const certainty = sure >= 0 && sure <= 1 ? sure : 0.5;
  return [{ category: known, confidence: certainty, hits, text: fact.trim().slice(0, 1000) }];
}
