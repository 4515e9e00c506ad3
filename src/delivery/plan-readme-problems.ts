/**
 * Whether the README of a plan directory says what is built already: it can be read, and its status table has the columns that
 * decisions are made from and one row per module. Untrusted text. Pure.
 */
import { leadingId } from '../design/design-ids.ts';
import { readMarkdown } from '../markdown/markdown-document.ts';
import { cellText, columnAt, findSection, realRows } from '../markdown/section-lookup.ts';
import type { PlanProblem } from './read-module-plan.ts';

const statusColumns = ['Module', 'Plan', 'Dev', 'Test', 'Review', 'Merged'] as const;

export function statusTableProblems(readme: string): readonly PlanProblem[] {
  const reading = readMarkdown(readme);
  if (reading.status === 'refused') return [{ line: reading.line, problem: `The file ${reading.why}.` }];
  const section = findSection(reading.document, 'Module Status');
  if (section === undefined) return [{ line: 1, problem: 'The section "Module Status" is missing.' }];
  const [table] = section.tables;
  if (table === undefined) return [{ line: section.line, problem: '"Module Status" has no table.' }];
  const absent = statusColumns.filter((column) => columnAt(table, column) === -1);
  const ids = realRows(table).map((row) => ({ line: row.line, id: leadingId(cellText(row, 0), 'M') }));
  const twice = ids.filter(({ id }, at) => id !== undefined && ids.findIndex((other) => other.id === id) < at);
  return [
    ...absent.map((column) => ({ line: table.line, problem: `"Module Status" has no column "${column}".` })),
    ...twice.map(({ line, id }) => ({ line, problem: `"Module Status" has two rows for ${id}.` })),
  ];
}
