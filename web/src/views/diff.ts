/** A patch as rows to draw: both sides by line, with the words that differ in lines that were changed. */
import { diffWordsWithSpace, parsePatch } from 'diff';
import { highlightLines, type Token } from './highlight.ts';

export interface DiffRow {
  readonly type: 'same' | 'added' | 'removed' | 'hunk';
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
  /** Of a changed line: its pieces, and whether each differs. */
  readonly words?: readonly { readonly text: string; readonly differs: boolean }[];
  /** Its colours; what marks a hunk has none. */
  readonly tokens?: readonly Token[];
}

const mostWords = 400;

export function rowsOfPatch(patch: string, language: string | undefined): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  for (const { hunks } of parsePatch(patch)) {
    for (const hunk of hunks) {
      rows.push({
        type: 'hunk',
        before: undefined,
        after: undefined,
        text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
      });
      rows.push(...coloured(rowsOfHunk(hunk), language));
    }
  }
  return rows;
}

/** Each side is a text of its own. */
function coloured(rows: readonly DiffRow[], language: string | undefined): readonly DiffRow[] {
  const sides = (['removed', 'added'] as const).map((side) => {
    const own = rows.filter(({ type }) => type === side || type === 'same');
    const lines = highlightLines(
      own.map(({ text }) => text),
      language,
    );
    return new Map(own.map((row, at) => [row, lines[at]] as const));
  });
  return rows.map((row) => {
    const tokens = sides[row.type === 'removed' ? 0 : 1]?.get(row);
    return tokens === undefined ? row : { ...row, tokens };
  });
}

function rowsOfHunk(hunk: {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [before, after] = [hunk.oldStart, hunk.newStart];
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const flush = (): void => {
    const isPair = removed.length === added.length;
    rows.push(...removed.map((row, at) => (isPair ? withWords(row, added[at], 'removed') : row)));
    rows.push(...added.map((row, at) => (isPair ? withWords(row, removed[at], 'added') : row)));
    removed = [];
    added = [];
  };
  for (const line of hunk.lines) {
    const text = line.slice(1);
    if (line.startsWith('-')) {
      if (added.length > 0) flush();
      removed.push({ type: 'removed', before, after: undefined, text });
      before += 1;
    } else if (line.startsWith('+')) {
      added.push({ type: 'added', before: undefined, after, text });
      after += 1;
    } else if (line.startsWith(' ')) {
      flush();
      rows.push({ type: 'same', before, after, text });
      before += 1;
      after += 1;
    }
  }
  flush();
  return rows;
}

function withWords(row: DiffRow, other: DiffRow | undefined, side: 'added' | 'removed'): DiffRow {
  if (other === undefined || row.text.length + other.text.length > mostWords) return row;
  const [from, to] = side === 'removed' ? [row.text, other.text] : [other.text, row.text];
  const parts = diffWordsWithSpace(from, to).filter((part) => part[side] || (!part.added && !part.removed));
  const shared = parts.filter((part) => !part[side]).reduce((sum, part) => sum + part.value.trim().length, 0);
  // Two lines with nothing in common are no change of one into the other.
  if (shared * 3 < row.text.trim().length) return row;
  return { ...row, words: parts.map((part) => ({ text: part.value, differs: part[side] })) };
}

/** Side by side: what was removed beside what was added. */
export function pairRows(rows: readonly DiffRow[]): readonly (readonly [DiffRow | undefined, DiffRow | undefined])[] {
  const pairs: (readonly [DiffRow | undefined, DiffRow | undefined])[] = [];
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) pairs.push([removed[at], added[at]]);
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.type === 'removed') {
      if (added.length > 0) flush();
      removed.push(row);
    } else if (row.type === 'added') added.push(row);
    else {
      flush();
      pairs.push([row, row]);
    }
  }
  flush();
  return pairs;
}

const generated =
  /(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum|composer\.lock|Gemfile\.lock)$|\.min\.(js|css)$|\.map$|(^|\/)(dist|vendor|node_modules|__snapshots__)\//;

export function isGenerated(path: string): boolean {
  return generated.test(path);
}
