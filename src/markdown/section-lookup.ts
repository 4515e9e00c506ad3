/**
 * Finding things in a read Markdown document by name: a section under any of its names, a column by its header, rows that
 * say something. Rows that a template left behind and rows of dashes count as absent. Pure.
 */
import type {
  MarkdownContent,
  MarkdownDocument,
  MarkdownRow,
  MarkdownSection,
  MarkdownTable,
} from './markdown-document.ts';

/** Names are compared without case, marks and numbering: `## 3. Module Index` is the Module Index. */
export function findSection(document: MarkdownDocument, ...names: readonly string[]): MarkdownSection | undefined {
  const wanted = names.map(plainName);
  return document.sections.find(({ title }) => wanted.includes(plainName(title)));
}

export function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\s\d.]+(?=\D)/, '')
    .replace(/\([^)]*\)\s*$/, '')
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The place of the first column that has one of the names, or -1. */
export function columnAt(table: Pick<MarkdownTable, 'header'>, ...names: readonly string[]): number {
  const wanted = names.map(plainName);
  return table.header.findIndex(({ text }) => wanted.includes(plainName(text)));
}

/** The first table that has all these columns. */
export function findTable(
  content: MarkdownContent | undefined,
  ...columns: readonly string[]
): MarkdownTable | undefined {
  return content?.tables.find((table) => columns.every((column) => columnAt(table, column) !== -1));
}

export function cellText(row: MarkdownRow, at: number): string {
  return at === -1 ? '' : (row.cells[at]?.text ?? '');
}

/** Rows with content: no template row, no row of dashes. */
export function realRows(table: MarkdownTable | undefined): readonly MarkdownRow[] {
  return (table?.rows ?? []).filter((row) => !isTemplateRow(row) && row.cells.some(({ text }) => !isBlankCell(text)));
}

/**
 * A cell that is only a placeholder (`{AC id}`), or an id that was never filled in (`M-{id}`). Braces inside of a cell mean what
 * they say: `GET /links/{id}`, `{ "ok": true }`.
 */
export function isTemplateRow(row: MarkdownRow): boolean {
  return row.cells.some(({ text }) => isPlaceholder(text) || /^[A-Z]{1,4}-\{/.test(text.trim()));
}

function isPlaceholder(text: string): boolean {
  return /^(?:\{\{?\s*(?:\p{L}[\p{L}\p{N}\s'’./_-]*|…|\.{3})\s*\}?\}[\s,;|]*)+$/u.test(text.trim());
}

/** A sentence with words in braces where its content belongs: `Given {precondition}, when …`. */
export function hasPlaceholder(text: string): boolean {
  return /(?<![^\s*("])\{\{?\s*(?:\p{L}[\p{L}\p{N}\s'’_-]*|…|\.{3})\s*\}?\}(?![^\s*.,;:)"])/u.test(text);
}

export function isBlankCell(text: string): boolean {
  return /^(?:[\s–—-]*|none|n\/?a|tbd|\.{3}|…)$/i.test(text.trim());
}

/** The value of `**Label:** value`, by any of its names. */
export function labelValue(
  content: MarkdownContent,
  ...names: readonly string[]
): MarkdownContent['labels'][number] | undefined {
  const wanted = names.map((name) => name.toLowerCase());
  return content.labels.find(({ label }) => wanted.includes(label));
}
