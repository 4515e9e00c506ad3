/**
 * Says whether a Markdown text is small and flat enough to parse. The parser takes quadratic time on text that no person
 * writes (thousands of emphasis marks in one paragraph, hundreds of nested quotes), so such text is refused before it is
 * parsed, with the line and the reason. One linear pass. Pure.
 */

export interface MarkdownRefusal {
  readonly line: number;
  readonly why: string;
  /** What to do about it. */
  readonly fix: string;
}

const mostCharacters = 512 * 1024;
const mostLines = 20_000;
const mostRows = 5000;
const mostNesting = 24;
/** Squares of marks per block, summed: about a second of work. */
const mostWork = 6_000_000;

export function refuseMarkdown(source: string): MarkdownRefusal | undefined {
  const tooMuch = (line: number, why: string): MarkdownRefusal => ({
    line,
    why,
    fix: 'Write shorter, flatter Markdown',
  });
  if (source.length > mostCharacters) return tooMuch(1, `is longer than ${mostCharacters} characters`);
  const lines = source.split(/\r\n|\n|\r/);
  // No text: the parser would put another character in its place, and a name would be read as what nobody wrote.
  if (source.includes('\0'))
    return {
      line: lines.findIndex((line) => line.includes('\0')) + 1,
      why: 'has a NUL character',
      fix: 'Remove it, and save the file as UTF-8 text',
    };
  if (lines.length > mostLines) return tooMuch(mostLines, `has more than ${mostLines} lines`);
  let rows = 0;
  let work = 0;
  let block = { marks: 0, isList: false };
  for (const [index, line] of lines.entries()) {
    const nesting = nestingOf(line);
    if (nesting > mostNesting) return tooMuch(index + 1, `nests quotes or lists more than ${mostNesting} levels deep`);
    if (line.includes('|')) rows += 1;
    if (rows > mostRows) return tooMuch(index + 1, `has more than ${mostRows} table rows`);
    const start = startOf(line, block.isList);
    if (start !== undefined) {
      work += block.marks ** 2;
      block = { marks: 0, isList: start === 'list' };
    }
    block.marks += marksIn(line);
    if (work + block.marks ** 2 > mostWork)
      return tooMuch(index + 1, 'has too many emphasis marks, brackets and code marks in one block');
  }
  return undefined;
}

/** How deep the containers are that a line opens: quote marks, list marks, and the indentation before a list mark. */
function nestingOf(line: string): number {
  const head = /^[\s>*+.)\d-]*/.exec(line.slice(0, 2000))?.[0] ?? '';
  const opened = head.match(/>|[*+-](?=\s)|\d[.)](?=\s)/g)?.length ?? 0;
  const indent = /^\s*/.exec(head)?.[0].length ?? 0;
  return opened + (opened > 0 ? Math.floor(indent / 2) : 0);
}

/** Whether a line surely starts a block of its own; a line that may continue the one above does not. */
function startOf(line: string, inList: boolean): 'list' | 'other' | undefined {
  if (line.trim() === '' || /^ {0,3}(?:#{1,6}\s|```|~~~)/.test(line)) return 'other';
  if (/^ {0,3}\|/.test(line)) return 'other';
  const bullet = inList ? /^\s*(?:[*+-]|\d{1,9}[.)])\s+\S/ : /^ {0,3}(?:[*+-]|1[.)])\s+\S/;
  return bullet.test(line) ? 'list' : undefined;
}

/** Weighted by how much work the parser has with each. */
function marksIn(line: string): number {
  let marks = 0;
  for (const char of line) {
    if (char === '*' || char === '_') marks += 1;
    else if (char === '[' || char === ']' || char === '`' || char === '<') marks += 0.25;
  }
  return marks;
}
