/**
 * Checks the README of a plan directory: its sections, and that the status table and the plan files name the same modules.
 * Rows are also seen where a table lost its header line. Pure.
 */
import { compareIds } from '../plan/task-id.ts';
import { leadingId } from '../design/design-ids.ts';
import { type MarkdownSection, readMarkdown } from '../markdown/markdown-document.ts';
import { findSection, isTemplateRow } from '../markdown/section-lookup.ts';
import { type FoundIssue, issueIn, type PlanIssue } from './plan-issue.ts';

export const readmeSections = [
  'Design Input',
  'Dependency Graph',
  'Phase Breakdown',
  'Module Plans',
  'Module Status',
  'Phase Status',
  'Acceptance',
  'Reports',
] as const;

/** `planFiles` are the names of the files in `plans/`. */
export function checkPlanReadme(file: string, text: string, planFiles: readonly string[]): readonly PlanIssue[] {
  const reading = readMarkdown(text);
  if (reading.status === 'refused') {
    const found = {
      rule: 'CR-AF15',
      line: reading.line,
      description: `The README ${reading.why}.`,
      fix: 'Write shorter, flatter Markdown.',
    };
    return [issueIn(file, found)];
  }
  const { document } = reading;
  const sections = readmeSections.flatMap((name): FoundIssue[] =>
    findSection(document, name) === undefined
      ? [{ rule: 'CR-AF15', line: 0, description: `The section "${name}" is missing.`, fix: `Add "## ${name}".` }]
      : [],
  );
  const status = findSection(document, 'Module Status');
  const listed = status === undefined ? [] : modulesIn(status);
  const planned = new Set(planFiles.flatMap((name) => plannedModule(name) ?? []));
  const missing = listed.filter(({ id }) => !planned.has(id));
  const unlisted = [...planned].filter((id) => !listed.some((row) => row.id === id)).toSorted(compareIds);
  return [
    ...sections,
    ...missing.map(
      ({ id, line }): FoundIssue => ({
        rule: 'CR-AF16',
        line,
        description: `${id} is in Module Status but has no plan.`,
        fix: `Write plans/plan-${id}.md, or remove the row.`,
      }),
    ),
    ...(status === undefined ? [] : unlisted).map(
      (id): FoundIssue => ({
        rule: 'CR-AF16',
        line: status?.line ?? 0,
        description: `There is a plan for ${id} but no row in Module Status.`,
        fix: `Add a row for ${id}, or remove its plan.`,
      }),
    ),
  ].map((found) => issueIn(file, found));
}

/** `plan-M-001.md`, `plan-M-001-task-store.md`. */
export function plannedModule(name: string): string | undefined {
  return /^plan-(M-\d{3,})(?:-[a-z0-9-]+)?\.md$/.exec(name)?.[1];
}

function modulesIn(section: MarkdownSection): { readonly id: string; readonly line: number }[] {
  const rows = section.tables.flatMap(({ rows: body, header, line }) => [{ line, cells: header }, ...body]);
  const cells = rows
    .filter((row) => !isTemplateRow(row))
    .map(({ line, cells: [first] }) => ({ line, text: first?.text ?? '' }));
  // Without the line of dashes below its header a table is a paragraph.
  const loose = section.paragraphs
    .filter(({ text }) => text.startsWith('|') && !/^\|\s*[A-Z]{1,4}-\{/.test(text))
    .map(({ line, text }) => ({ line, text: text.slice(1).trim() }));
  const found = [...cells, ...loose].flatMap(({ line, text }) => {
    const id = leadingId(text, 'M');
    return id === undefined ? [] : [{ id, line }];
  });
  return found.filter(({ id }, at) => found.findIndex((other) => other.id === id) === at);
}
