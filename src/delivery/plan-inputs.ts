/** What the README of a plan directory says about where the plan comes from: its `Design Input` table. Untrusted text. Pure. */
import { type MarkdownLine, readMarkdown } from '../markdown/markdown-document.ts';
import { cellText, findSection } from '../markdown/section-lookup.ts';

/** The value of a field, with its links; undefined where the table does not have it. */
export function planInput(readme: string, field: string): MarkdownLine | undefined {
  const reading = readMarkdown(readme);
  const section = reading.status === 'read' ? findSection(reading.document, 'Design Input') : undefined;
  const rows = section?.tables.flatMap((table) => table.rows) ?? [];
  return rows.find((row) => cellText(row, 0).toLowerCase() === field.toLowerCase())?.cells[1];
}
