/** The design's README with what is implemented: the `Impl` column of its module index, and its status. Nothing else changes. Pure. */
import type { Design } from '../../../design/design.ts';

export function markImplemented(
  text: string,
  about: { readonly design: Design; readonly done: readonly string[]; readonly status: 'Implementing' | 'Implemented' },
): string {
  const { design, done, status } = about;
  const lines = text.split('\n');
  for (const { id, indexed } of design.modules) {
    if (indexed.file !== design.file) continue;
    const at = indexed.line - 1;
    const header = headerAbove(lines, at);
    const column = header === -1 ? -1 : cellsOf(lines[header] ?? '').findIndex((cell) => /^impl/i.test(cell.trim()));
    const cells = cellsOf(lines[at] ?? '');
    if (column === -1 || column >= cells.length || !(cells[0] ?? '').includes(id)) continue;
    cells[column] = done.includes(id)
      ? ' Done '
      : cells[column]?.trim() === 'Done'
        ? ' Done '
        : (cells[column] ?? ' — ');
    lines[at] = `|${cells.join('|')}|${(lines[at] ?? '').endsWith('\r') ? '\r' : ''}`;
  }
  return lines
    .map((line) =>
      line.replace(
        /^(\s*[-*|>]?\s*\*\*Status:?\*\*:?\s*\|?\s*)(?:Finalized|Implementing|Implemented)\b/i,
        `$1${status}`,
      ),
    )
    .join('\n');
}

/** Cells of a row as written, escapes included. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/);
}

function headerAbove(lines: readonly string[], at: number): number {
  for (let line = at - 1; line >= 0 && (lines[line] ?? '').includes('|'); line -= 1)
    if (/^\s*\|?[\s:|-]+\|?\s*$/.test(lines[line] ?? '')) return line - 1;
  return -1;
}
