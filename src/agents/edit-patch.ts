/**
 * An edit that an agent reports as a text before and a text after, as a patch people can read. Agents often report only
 * the piece they edited, so line numbers are those of the texts given. Pure, and bounded: of a large edit, what was
 * there goes first and what is there now comes after, without looking for lines that stayed between. The file is named
 * by the tool that made the edit.
 */
type Line = readonly [sign: ' ' | '-' | '+', text: string];

const contextLines = 3;
/** Cells of the table in which common lines are looked for. */
const mostCells = 250_000;

/** Empty where nothing changed. */
export function editPatch(before: string, after: string): string {
  return hunksOf(comparedLines(linesOf(before), linesOf(after))).join('\n');
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function comparedLines(old: readonly string[], now: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const kept = (line: string): Line => [' ', line];
  return [
    ...old.slice(0, start).map(kept),
    ...changedLines(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(kept),
  ];
}

/** By the longest sequence of lines that both have. */
function changedLines(old: readonly string[], now: readonly string[]): readonly Line[] {
  const removed = (line: string): Line => ['-', line];
  const added = (line: string): Line => ['+', line];
  if (old.length * now.length > mostCells) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [before, after] = [old[i], now[j]];
    if (before !== undefined && before === after) {
      lines.push([' ', before]);
      i += 1;
      j += 1;
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(before));
      i += 1;
    } else {
      lines.push(added(after ?? ''));
      j += 1;
    }
  }
  return lines;
}

function hunksOf(lines: readonly Line[]): readonly string[] {
  const changed = lines.flatMap(([sign], at) => (sign === ' ' ? [] : [at]));
  const hunks: [from: number, to: number][] = [];
  for (const at of changed) {
    const last = hunks.at(-1);
    const [from, to] = [Math.max(0, at - contextLines), Math.min(lines.length, at + contextLines + 1)];
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  const count = (part: readonly Line[], without: Line[0]): number => part.filter(([sign]) => sign !== without).length;
  return hunks.flatMap(([from, to]) => {
    const [before, own] = [lines.slice(0, from), lines.slice(from, to)];
    const span = (without: Line[0]): string => {
      const size = count(own, without);
      return `${count(before, without) + (size === 0 ? 0 : 1)},${size}`;
    };
    return [`@@ -${span('+')} +${span('-')} @@`, ...own.map(([sign, text]) => `${sign}${text}`)];
  });
}
