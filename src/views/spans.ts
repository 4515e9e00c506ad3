/**
 * A line of a terminal as pieces with a tone, and how it is drawn: cut to the width, made harmless, in colour only where
 * the terminal has some. No tone is the only sign of anything. Pure.
 */
import { displayWidth, fitText, padText, plainCode, toAscii } from './terminal-text.ts';

export type Tone = 'bold' | 'dim' | 'good' | 'bad' | 'warn' | 'busy' | 'marked';

export interface Span {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export interface Look {
  readonly columns: number;
  readonly color: boolean;
  readonly ascii: boolean;
}

const codes: Readonly<Record<Tone, string>> = {
  bold: '1',
  dim: '2',
  good: '32',
  bad: '31',
  warn: '33',
  busy: '36',
  marked: '7',
};

/** One line of at most `columns` cells. `fill` makes it exactly that wide. */
export function drawSpans(spans: readonly Span[], look: Look, { fill = false } = {}): string {
  let left = look.columns;
  let line = '';
  for (const { text, tone } of spans) {
    if (left <= 0) break;
    const safe = look.ascii ? toAscii(plainCode(text)) : plainCode(text);
    const shown = fitText(safe, left, look.ascii ? '...' : '…');
    left -= displayWidth(shown);
    line += paint(shown, tone, look);
    if (shown !== safe) break;
  }
  return fill && left > 0 ? line + ' '.repeat(left) : line;
}

/** Something at the left, something at the right; the left gives way. */
export function drawSides(left: readonly Span[], right: readonly Span[], look: Look): string {
  const width = right.reduce((sum, { text }) => sum + displayWidth(plainCode(text)), 0);
  if (width === 0 || width + 12 > look.columns) return drawSpans(left, look);
  const room = { ...look, columns: look.columns - width - 1 };
  return `${drawSpans(left, room, { fill: true })} ${drawSpans(right, look)}`;
}

/** Columns of lines side by side, with a line between them. */
export function joinColumns(
  left: readonly string[],
  right: readonly string[],
  look: Look & { readonly leftColumns: number },
): string[] {
  const bar = paint(look.ascii ? ' | ' : ' │ ', 'dim', look);
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, at) => {
    const one = left[at] ?? '';
    const missing = look.leftColumns - displayWidth(withoutColours(one));
    return `${one}${' '.repeat(Math.max(0, missing))}${bar}${right[at] ?? ''}`;
  });
}

export function padSpan(text: string, columns: number): string {
  return padText(fitText(text, columns), columns);
}

export function withoutColours(line: string): string {
  // oxlint-disable-next-line no-control-regex
  return line.replaceAll(/\u001b\[[0-9;]*m/g, '');
}

function paint(text: string, tone: Tone | undefined, { color }: Pick<Look, 'color'>): string {
  return color && tone !== undefined && text !== '' ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text;
}
