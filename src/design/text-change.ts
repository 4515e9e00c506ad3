/**
 * How much a change of a text says by itself. Spaces, marks and letter case say nothing. Code, table cells and numbers are
 * contracts: a change there changes the meaning. A change of other words may mean anything and has to be judged. Pure.
 */
import { readMarkdown } from '../markdown/markdown-document.ts';

export type TextChange = 'same' | 'cosmetic' | 'wording' | 'semantic';

export function compareText(before: string, after: string): TextChange {
  if (before === after) return 'same';
  if (plainWords(before) === plainWords(after)) return 'cosmetic';
  if (contractOf(before) !== contractOf(after)) return 'semantic';
  return 'wording';
}

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[*_>#|\\:.,;!?–—-]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** What a program could depend on: code, numbers, and the cells of tables. */
function contractOf(text: string): string {
  const reading = readMarkdown(text);
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner = '']) => inner.replaceAll(/\s+/g, ' ').trim());
  const numbers = text.match(/\d+/g) ?? [];
  if (reading.status === 'refused') return JSON.stringify([code, numbers, text]);
  const { lead, sections } = reading.document;
  const tables = [lead, ...sections.filter(({ level }) => level <= 2)].flatMap((content) => content.tables);
  const cells = tables
    .flatMap(({ header, rows }) => [header, ...rows.map((row) => row.cells)])
    .flat()
    .map((cell) => plainWords(cell.text));
  const fences = [lead, ...sections].flatMap((content) => content.fences.map((fence) => fence.text.trim()));
  return JSON.stringify([code, numbers, cells, fences]);
}
