/**
 * Text for a terminal, from strings nobody vouches for: no control or escape sequence, no direction override
 * gets through, and widths are counted in cells, as a terminal does. Where terminals disagree about a
 * character the larger width counts, so that a line never wraps.
 */
import { eastAsianWidth } from 'get-east-asian-width';

/** One line, safe to print: escape sequences are gone, any run of white space or control characters is a space. */
export function plainLine(text: string): string {
  return visible(text).replaceAll(/\s+/gu, ' ').trim();
}

/** As `plainLine`, but paragraphs and lines stay. */
export function plainLines(text: string): string[] {
  return visible(text.replaceAll(/\r\n?/g, '\n'))
    .split('\n')
    .map((line) => line.replaceAll(/[^\S\n]+/gu, ' ').trimEnd());
}

/** One line of code: spaces stay as they are, and a tab is four of them. */
export function plainCode(text: string): string {
  return single.test(text) ? text : visible(text.replaceAll('\t', '    ')).replaceAll('\n', ' ');
}

export function displayWidth(text: string): number {
  if (single.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += cells(segment);
  return width;
}

/** At most `columns` cells; what is cut off leaves a mark. */
export function fitText(text: string, columns: number, mark = '…'): string {
  if (columns <= 0) return '';
  if (displayWidth(text) <= columns) return text;
  const room = columns - displayWidth(mark);
  if (room < 0) return '';
  let taken = '';
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    width += cells(segment);
    if (width > room) break;
    taken += segment;
  }
  return `${taken.trimEnd()}${mark}`;
}

export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

/** Broken between words; a word longer than a line is cut in pieces. Later lines begin with `indent`. */
export function wrapText(text: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  let isEmpty = true;
  const width = Math.max(columns, displayWidth(indent) + 2);
  for (const word of plainLine(text).split(' ')) {
    let rest = word;
    if (!isEmpty && displayWidth(line) + 1 + displayWidth(rest) > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    while (displayWidth(line) + displayWidth(rest) > width) {
      const piece = fitText(rest, width - displayWidth(line), '');
      if (piece === '') break;
      lines.push(line + piece);
      rest = rest.slice(piece.length);
      line = indent;
    }
    line += isEmpty ? rest : ` ${rest}`;
    isEmpty = isEmpty && rest === '';
  }
  return [...lines, line];
}

/** For terminals that show nothing else. */
export function toAscii(text: string): string {
  if (isPrintableAscii(text)) return text;
  let ascii = '';
  for (const { segment } of graphemesOf(text)) ascii += isPrintableAscii(segment) ? segment : (asAscii[segment] ?? '?');
  return ascii;
}

const asAscii: Readonly<Record<string, string>> = {
  '…': '...',
  '·': '-',
  '→': '->',
  '–': '-',
  '—': '-',
  '“': '"',
  '”': '"',
  '’': "'",
};

let segmenter: Intl.Segmenter | undefined;

/** Made when first needed: it takes longer to make than a command takes to print a list of plain names. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** CSI, OSC and the like with all they carry; then what is left of control characters. */
const escapes =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;
/** Controls but line feed and tab; direction marks and overrides; tags; characters that show nothing. */
const hidden =
  // oxlint-disable-next-line no-control-regex no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Surrogate}\u{e0000}-\u{e007f}]/gu;

function visible(text: string): string {
  return text.replaceAll(escapes, '').replaceAll(hidden, ' ');
}

/** Characters of one unit, one cell and no company: ASCII, Latin, punctuation, lines, ticks, braille. The quick way. */
const single = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u25fc\u2713\u2717\u2800-\u28ff]*$/;

function isPrintableAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** As the Unicode tables say; an emoji is wide, whichever way a terminal shows it. */
function cells(grapheme: string): number {
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  const shown = Array.from(grapheme).filter((char) => !/[\p{Mark}\p{Cf}]/u.test(char));
  const isWide = shown.some((char) => eastAsianWidth(char.codePointAt(0) ?? 0) === 2);
  return isWide ? 2 : shown.length;
}
