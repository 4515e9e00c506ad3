/** Texts of others made safe to stand in a Markdown document: on one line, in a table's cell, in a fence. Pure. */
import { dayMark } from '../../../policy/document-marks.ts';

/** One line without control characters. */
export function oneLine(text: string): string {
  if (text === dayMark) return text;
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function tableCell(text: string): string {
  const plain = oneLine(text).replaceAll('|', String.raw`\|`);
  return plain === '' ? '—' : plain;
}

export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const empty = head.map(() => '—');
  const shown = (rows.length === 0 ? [empty] : rows).map((cells) => `| ${cells.map(tableCell).join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...shown].join('\n');
}

/** Lines that would read as a heading or a rule of the document are indented. */
export function proseText(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '))
    .map((line) => (/^\s{0,3}(?:#{1,6}\s|[-=*_]{3,}\s*$|```|~~~)/.test(line) ? `    ${line.trimStart()}` : line))
    .join('\n')
    .trim();
}

/** A fence longer than any in the text. */
export function fencedText(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  // oxlint-disable-next-line no-control-regex -- tabs and line ends stay
  return `${fence}${language}\n${text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '').replace(/\n$/, '')}\n${fence}`;
}

export function bulletList(items: readonly string[]): string {
  return items.length === 0 ? '- (none)' : items.map((item) => `- ${oneLine(item)}`).join('\n');
}

/** `Task store` is `task-store`. */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return slug === '' ? 'module' : slug;
}
