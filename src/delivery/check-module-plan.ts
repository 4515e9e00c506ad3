/**
 * Checks one `plan-M-*.md`: required sections, wiring, criteria, and whether what is deferred is tracked, named and really not
 * promised elsewhere. Reads Markdown as a tree; a row of a template or of dashes counts as absent. Pure.
 */
import { criteriaIn, issueIn as issueReference } from '../design/design-ids.ts';
import { quoteText } from '../design/design-problems.ts';
import {
  type MarkdownDocument,
  type MarkdownRow,
  type MarkdownSection,
  readMarkdown,
} from '../markdown/markdown-document.ts';
import { columnAt, findSection, realRows } from '../markdown/section-lookup.ts';
import { isVagueItem, weakReason } from './deferral-words.ts';
import { abandonmentsIn } from './discipline/markdown-discipline.ts';
import { type FoundIssue, issueIn, type PlanIssue } from './plan-issue.ts';

export const planSections = [
  'Context',
  'Implementation Steps',
  'Integration Points',
  'Wiring & Registration',
  'Out-of-Scope / Deferred Work',
  'Acceptance Criteria Mapping',
] as const;

export function checkModulePlan(file: string, text: string): readonly PlanIssue[] {
  const reading = readMarkdown(text);
  if (reading.status === 'refused') {
    const found = {
      rule: 'CR-AF01',
      line: reading.line,
      description: `The plan ${reading.why}.`,
      fix: 'Write shorter, flatter Markdown.',
    };
    return [issueIn(file, found)];
  }
  const { document } = reading;
  return [
    ...planSections.flatMap((name) => (findSection(document, name) === undefined ? [missing(name)] : [])),
    ...rowsNeeded(document, 'Wiring & Registration', 'CR-AF02'),
    ...rowsNeeded(document, 'Acceptance Criteria Mapping', 'CR-AF03'),
    ...deferrals(document),
    ...abandonmentsIn(text),
  ].map((found) => issueIn(file, found));
}

function missing(name: string): FoundIssue {
  return { rule: 'CR-AF01', line: 0, description: `The section "${name}" is missing.`, fix: `Add "## ${name}".` };
}

function rowsNeeded(document: MarkdownDocument, name: string, rule: string): FoundIssue[] {
  const section = findSection(document, name);
  if (section === undefined || rowsOf(section).length > 0) return [];
  const fix =
    rule === 'CR-AF02'
      ? 'Add one row for everything that has to be registered or mounted: what, where, and how to see that it is.'
      : 'Add one row per acceptance criterion, such as F-001/AC1, with its test and a strict assertion.';
  return [{ rule, line: section.line, description: `"${name}" has no row with content.`, fix }];
}

function rowsOf(section: MarkdownSection): readonly MarkdownRow[] {
  return section.tables.flatMap((table) => realRows(table));
}

function deferrals(document: MarkdownDocument): FoundIssue[] {
  const section = findSection(document, 'Out-of-Scope / Deferred Work');
  const mapping = findSection(document, 'Acceptance Criteria Mapping');
  const claimed = new Set((mapping === undefined ? [] : rowsOf(mapping)).flatMap((row) => criteriaIn(wholeRow(row))));
  return (section?.tables ?? []).flatMap((table) => {
    const item = columnAt(table, 'Item', 'What', 'Deferred Item', 'Work');
    const reason = columnAt(table, 'Reason', 'Why', 'Rationale');
    const issue = columnAt(table, 'Issue', 'Tracked In', 'Tracking Issue', 'Tracker');
    return realRows(table).flatMap((row) => {
      const at = (place: number): string => (place === -1 ? wholeRow(row) : (row.cells[place]?.text ?? ''));
      return deferral({
        line: row.line,
        item: at(item),
        reason: at(reason),
        issue: at(issue),
        all: wholeRow(row),
        claimed,
      });
    });
  });
}

interface Deferral {
  readonly line: number;
  readonly item: string;
  readonly reason: string;
  readonly issue: string;
  readonly all: string;
  readonly claimed: ReadonlySet<string>;
}

function deferral({ line, item, reason, issue, all, claimed }: Deferral): FoundIssue[] {
  const found: FoundIssue[] = [];
  if (issueReference(issue) === undefined)
    found.push({
      rule: 'CR-AF04',
      line,
      description: `${quoteText(item)} is deferred without an issue.`,
      fix: 'Write the issue as owner/repo#123.',
    });
  const weak = weakReason(reason);
  if (weak !== undefined)
    found.push({
      rule: 'CR-AF17',
      line,
      description: `${quoteText(reason)} is no reason to defer ${quoteText(item)} (${weak}).`,
      fix: 'Say what is missing outside this module, or build it now.',
    });
  if (isVagueItem(item))
    found.push({
      rule: 'CR-AF18',
      line,
      description: `The deferred item ${quoteText(item)} is too vague to be found again.`,
      fix: 'Name the behaviour, the interface or the criterion.',
    });
  for (const criterion of criteriaIn(all).filter((each) => claimed.has(each)))
    found.push({
      rule: 'CR-AF19',
      line,
      description: `${criterion} is both deferred and claimed as done.`,
      fix: 'Remove it from the deferred work, or from the acceptance criteria mapping.',
    });
  return found;
}

function wholeRow(row: MarkdownRow): string {
  return row.cells.map(({ text }) => text).join(' | ');
}
