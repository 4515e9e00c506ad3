/**
 * A page as lines of a terminal. Wide terminals get tables, narrow ones lists. Nothing of it is cut: what is not shown
 * was not approved. Every text is made safe to print.
 */
import type { Page, PageBlock, PageField } from '../policy/page.ts';
import { displayWidth, padText, plainLine, plainLines, wrapText } from './terminal-text.ts';
import { bulletLines, fieldLines, indentedLines, narrowColumns, sectionLines } from './text-block.ts';

export type { Page };
export type TextSection = readonly [title: string, lines: readonly string[]];

export function pageLines({ title, sections }: Page, columns: number, more: readonly TextSection[] = []): string[] {
  return [
    ...wrapText(title, columns, '  '),
    ...sectionLines([...sections.map((section) => textSection(section, columns)), ...more]),
  ];
}

/** The sections that people who are not asked get to see. */
export function briefLines({ sections }: Page, columns: number): string[] {
  const brief = sections.filter(({ isBrief }) => isBrief);
  return sectionLines(brief.map((section) => textSection(section, columns))).slice(1);
}

function textSection({ title, blocks }: Page['sections'][number], columns: number): TextSection {
  return [title, blocks.flatMap((block) => blockLines(block, columns))];
}

function blockLines(block: PageBlock, columns: number): string[] {
  switch (block.type) {
    case 'text':
      return plainLines(block.text).flatMap((line) => indentedLines(line, columns));
    case 'list':
      return bulletLines(block.items, columns);
    case 'fields':
      return block.fields.flatMap(({ name, value }) => fieldLines(plainLine(name), value, columns));
    case 'table':
      return columns < narrowColumns ? listRows(block, columns) : tableRows(block, columns);
  }
}

type Table = Extract<PageBlock, { type: 'table' }>;

/** A cell that does not fit goes on below itself. The widest column gives way. */
function tableRows({ head, rows }: Table, columns: number): string[] {
  const all = [head, ...rows.map(({ cells }) => cells)].map((cells) => cells.map(plainLine));
  const widths = columnWidths(all, columns - 2);
  const line = (cells: readonly string[]): string[] => {
    const parts = cells.map((cell, at) => wrapText(cell, widths[at] ?? 1));
    return Array.from({ length: Math.max(1, ...parts.map((part) => part.length)) }, (_, at) =>
      `  ${parts.map((part, column) => padText(part[at] ?? '', widths[column] ?? 0)).join('  ')}`.trimEnd(),
    );
  };
  const [first = [], ...cells] = all;
  return [...line(first), ...cells.flatMap((row, at) => [...line(row), ...rowFields(rows[at]?.fields ?? [], columns)])];
}

function columnWidths(rows: readonly (readonly string[])[], room: number): number[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))),
  );
  const least = 8;
  for (;;) {
    const widest = Math.max(...widths);
    const total = widths.reduce((sum, width) => sum + width, 2 * (columns - 1));
    if (total <= room || widest <= least) return widths;
    const next = Math.max(least, ...widths.filter((width) => width < widest));
    const many = widths.filter((width) => width === widest).length;
    const give = Math.min(widest - next || total - room, Math.ceil((total - room) / many));
    for (const [at, width] of widths.entries()) if (width === widest) widths[at] = Math.max(least, width - give);
  }
}

function rowFields(fields: readonly PageField[], columns: number): string[] {
  return fields.flatMap(({ name, value }) => {
    const text = plainLine(value);
    if (text === '') return [];
    const lead = `      ${padText(plainLine(name), 8)} `;
    return wrapText(text, columns - displayWidth(lead)).map(
      (part, at) => `${at === 0 ? lead : ' '.repeat(displayWidth(lead))}${part}`,
    );
  });
}

function listRows({ head, rows }: Table, columns: number): string[] {
  return rows.flatMap(({ cells: [first = '', ...rest], fields }) => [
    ...wrapText(first, columns - 2, '  ').map((part) => `  ${part}`),
    ...[...rest.map((value, at) => ({ name: head[at + 1] ?? '', value })), ...fields].flatMap(({ name, value }) =>
      plainLine(value) === '' ? [] : wrapText(`${name} ${value}`, columns - 4, '  ').map((part) => `    ${part}`),
    ),
  ]);
}
