/**
 * A module plan read back from its Markdown: for plans that a person edited, and for `--execute` and `--evolve`. Anybody may
 * have written it: what cannot be read is named, and what is read is judged like a planner's reply. Pure.
 */
import { type MarkdownDocument, type MarkdownSection, readMarkdown } from '../markdown/markdown-document.ts';
import { cellText, columnAt, findSection, isBlankCell, labelValue, realRows } from '../markdown/section-lookup.ts';
import { type ModulePlan, modulePlanSchema } from './module-plan.ts';

export type PlanReading =
  | { readonly status: 'read'; readonly plan: ModulePlan }
  | { readonly status: 'unreadable'; readonly problems: readonly PlanProblem[] };

/** What is wrong with a text, and where. */
export interface PlanProblem {
  readonly line: number;
  readonly problem: string;
}

export function readModulePlan(text: string): PlanReading {
  const reading = readMarkdown(text);
  if (reading.status === 'refused')
    return { status: 'unreadable', problems: [{ line: reading.line, problem: `The plan ${reading.why}.` }] };
  const { document } = reading;
  const parsed = modulePlanSchema.safeParse({
    steps: stepsOf(document),
    files: filesOf(document),
    integration: rowsOf(document, 'Integration Points', ['Direction', 'Module', 'Interface', 'Notes']).map(
      ([direction = '', module = '', name = '', notes = '']) => ({
        direction: /^exposes/i.test(direction) ? 'exposes' : 'consumes',
        module,
        interface: name,
        notes,
      }),
    ),
    wiring: rowsOf(document, 'Wiring & Registration', ['What to wire', 'Where', 'Verify signal']).map(
      ([what = '', where = '', signal = '']) => ({ what, where, signal }),
    ),
    deferred: rowsOf(document, 'Out-of-Scope / Deferred Work', ['Item', 'Reason', 'Issue']).map(
      ([item = '', reason = '', issue = '']) => ({ item, reason, issue }),
    ),
    criteria: rowsOf(document, 'Acceptance Criteria Mapping', [
      'Criterion',
      'Journey Touchpoints',
      'Implemented in Step',
      'Test in Step',
      'Strict Assertion',
    ]).map(([criterion = '', touchpoints = '', step = '', test = '', assertion = '']) => ({
      criterion,
      touchpoints,
      step,
      test,
      assertion,
    })),
    decisions: itemsOf(document, 'Key Decisions'),
    risks: itemsOf(document, 'Risks'),
  });
  if (parsed.success) return { status: 'read', plan: parsed.data };
  return {
    status: 'unreadable',
    problems: parsed.error.issues.slice(0, 20).map(({ path, code, message }) => {
      const { section, line } = placeOf(document, path);
      const isEmpty = code === 'too_small' && path.length === 1;
      return { line, problem: isEmpty ? `"${section}" has no entry.` : `"${section}": ${message}.` };
    }),
  };
}

/** The value of a field of the `Context` table. */
export function planContext(text: string, field: string): string {
  const reading = readMarkdown(text);
  const section = reading.status === 'read' ? findSection(reading.document, 'Context') : undefined;
  const rows = section?.tables.flatMap(({ rows: all }) => all) ?? [];
  const found = rows.find((row) => cellText(row, 0).toLowerCase() === field.toLowerCase());
  const value = found === undefined ? '' : cellText(found, 1);
  return isBlankCell(value) ? '' : value;
}

const sections: Readonly<Record<string, readonly string[]>> = {
  steps: ['Implementation Steps'],
  files: ['Files Created', 'Files'],
  integration: ['Integration Points'],
  wiring: ['Wiring & Registration'],
  deferred: ['Out-of-Scope / Deferred Work'],
  criteria: ['Acceptance Criteria Mapping'],
  decisions: ['Key Decisions'],
  risks: ['Risks'],
};

/** The section of a field and the line of its entry; without the entry the section's, without the section the first. */
function placeOf(document: MarkdownDocument, [field, at]: readonly PropertyKey[]): { section: string; line: number } {
  const names = sections[String(field)] ?? [String(field)];
  const section = findSection(document, ...names);
  const rows = section?.tables.flatMap((table) => realRows(table)) ?? [];
  const entries = field === 'steps' ? document.sections.filter(isStep) : rows.length > 0 ? rows : section?.items;
  const line = entries?.[Number(at)]?.line ?? section?.line ?? document.title?.line ?? 1;
  return { section: names[0] ?? '', line };
}

const isStep = ({ title, level }: MarkdownSection): boolean => level === 3 && /^step\s+\d+/i.test(title);

function stepsOf({ sections: all }: MarkdownDocument): unknown[] {
  return all.filter(isStep).map((section) => ({
    title: section.title.replace(/^step\s+\d+\s*[:.–—-]?\s*/i, ''),
    goal: labelText(section, 'goal'),
    files: pathsIn(labelText(section, 'files')),
    code: section.fences[0]?.text ?? '',
    verify: labelText(section, 'verify'),
    tests: realRows(section.tables[0]).map((row) => {
      const [test = '', input = '', expected = '', reference = ''] = row.cells.map(({ text }) => filled(text));
      return { test, input, expected, reference };
    }),
  }));
}

function labelText(section: MarkdownSection, name: string): string {
  return filled(labelValue(section, name)?.text ?? '');
}

function filesOf(document: MarkdownDocument): string[] {
  const section = findSection(document, 'Files Created', 'Files');
  const listed = (section?.items ?? []).map(({ text }) => text.replaceAll('`', '').trim());
  const inTables = (section?.tables ?? []).flatMap((table) => realRows(table).map((row) => cellText(row, 0)));
  const own = [...listed, ...inTables.map((text) => text.replaceAll('`', '').trim())].filter(
    (path) => path !== '' && !isBlankCell(path) && path !== '(none)',
  );
  // Plans of other tools name files only in their steps.
  const inSteps = document.sections.filter(isStep).flatMap((step) => pathsIn(labelText(step, 'files')));
  return [...new Set(own.length > 0 ? own : inSteps)];
}

function pathsIn(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((path) => path.replaceAll('`', '').trim())
    .filter((path) => path !== '' && !isBlankCell(path));
}

function rowsOf(document: MarkdownDocument, name: string, columns: readonly string[]): string[][] {
  const tables = findSection(document, name)?.tables ?? [];
  return tables.flatMap((table) =>
    realRows(table).map((row) => columns.map((column) => filled(cellText(row, columnAt(table, column))))),
  );
}

function itemsOf(document: MarkdownDocument, name: string): string[] {
  const items = findSection(document, name)?.items ?? [];
  return items.map(({ text }) => text.trim()).filter((text) => text !== '' && text !== '(none)');
}

function filled(text: string): string {
  return isBlankCell(text) ? '' : text.trim();
}
