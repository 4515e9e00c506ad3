/**
 * Source text with comments and the contents of strings blanked out, same length and same lines, so that
 * patterns see code only and offsets still fit the original. A lexer per language family, one pass, no
 * backtracking; whatever is unterminated ends with the text.
 */

export type Language = 'js' | 'python' | 'go' | 'rust' | 'java';

export function blankSource(source: string, language: Language): string {
  const out: string[] = [];
  let kept = 0;
  let at = 0;
  const blank = (from: number, to: number): void => {
    out.push(source.slice(kept, from), source.slice(from, to).replaceAll(/[^\n\r]/g, ' '));
    kept = to;
    at = to;
  };
  while (at < source.length) {
    const span = skipAt(source, at, language);
    if (span === undefined) at += 1;
    else if (span.inner[0] >= span.inner[1]) at = span.end;
    else {
      blank(span.inner[0], span.inner[1]);
      at = span.end;
    }
  }
  out.push(source.slice(kept));
  return out.join('');
}

/** Where the comments are, from their first mark to their end. */
export function commentSpans(source: string, language: Language): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  for (let at = 0; at < source.length; ) {
    const span = skipAt(source, at, language);
    // Of a string only the inside is blanked, of a comment everything.
    if (span !== undefined && span.inner[0] === at) found.push([at, span.inner[1]]);
    at = span === undefined ? at + 1 : Math.max(span.end, at + 1);
  }
  return found;
}

interface Span {
  /** What to blank: a comment whole, a string without its quotes. */
  readonly inner: readonly [number, number];
  readonly end: number;
}

function skipAt(source: string, at: number, language: Language): Span | undefined {
  const char = source[at];
  if (char === '#' && language === 'python') return toLineEnd(source, at);
  if (char === '/' && language !== 'python') {
    if (source[at + 1] === '/') return toLineEnd(source, at);
    if (source[at + 1] === '*') return language === 'rust' ? nestedComment(source, at) : between(source, at, '*/');
    return language === 'js' && startsRegex(source, at) ? regexAt(source, at) : undefined;
  }
  if (char === '"' || char === "'") return quoteAt(source, at, language);
  if (char === '`' && language === 'js') return escaped(source, at, '`', true);
  if (char === '`' && language === 'go') return rawUntil(source, at, '`');
  if (char === 'r' && language === 'rust' && !/\w/.test(source[at - 1] ?? '')) return rustRaw(source, at);
  return undefined;
}

function quoteAt(source: string, at: number, language: Language): Span | undefined {
  const quote = source[at] ?? '"';
  const triple = quote.repeat(3);
  if ((language === 'python' || (language === 'java' && quote === '"')) && source.startsWith(triple, at)) {
    return tripleAt(source, at, triple);
  }
  if (quote === "'" && language === 'rust') {
    // A lifetime ('a) has no closing quote after one character.
    const charLiteral = source[at + 1] === '\\' || source[at + 2] === "'";
    return charLiteral ? escaped(source, at, "'", false) : undefined;
  }
  return escaped(source, at, quote, language === 'rust');
}

function escaped(source: string, at: number, quote: string, multiline: boolean): Span {
  let end = at + 1;
  while (end < source.length && source[end] !== quote) {
    if (source[end] === '\n' && !multiline) return { inner: [at + 1, end], end };
    end += source[end] === '\\' ? 2 : 1;
  }
  const close = Math.min(end, source.length);
  return { inner: [at + 1, close], end: close + 1 };
}

function tripleAt(source: string, at: number, triple: string): Span {
  let end = at + 3;
  while (end < source.length && !source.startsWith(triple, end)) end += source[end] === '\\' ? 2 : 1;
  const close = Math.min(end, source.length);
  return { inner: [at + 3, close], end: close + 3 };
}

function rawUntil(source: string, at: number, quote: string): Span {
  const found = source.indexOf(quote, at + 1);
  const close = found === -1 ? source.length : found;
  return { inner: [at + 1, close], end: close + quote.length };
}

function rustRaw(source: string, at: number): Span | undefined {
  let hashes = 0;
  while (source[at + 1 + hashes] === '#' && hashes < 64) hashes += 1;
  if (source[at + 1 + hashes] !== '"') return undefined;
  const start = at + 2 + hashes;
  const found = source.indexOf(`"${'#'.repeat(hashes)}`, start);
  const close = found === -1 ? source.length : found;
  return { inner: [start, close], end: close + 1 + hashes };
}

function toLineEnd(source: string, at: number): Span {
  const found = source.indexOf('\n', at);
  const end = found === -1 ? source.length : found;
  return { inner: [at, end], end };
}

function between(source: string, at: number, close: string): Span {
  const found = source.indexOf(close, at + 2);
  const end = found === -1 ? source.length : found + close.length;
  return { inner: [at, end], end };
}

function nestedComment(source: string, at: number): Span {
  let depth = 0;
  let end = at;
  do {
    if (source.startsWith('/*', end)) {
      depth += 1;
      end += 2;
    } else if (source.startsWith('*/', end)) {
      depth -= 1;
      end += 2;
    } else end += 1;
  } while (depth > 0 && end < source.length);
  const stop = Math.min(end, source.length);
  return { inner: [at, stop], end: stop };
}

/** A slash after a value divides; anywhere else it starts a pattern. Good enough where a parse failed. */
function startsRegex(source: string, at: number): boolean {
  let before = at - 1;
  const limit = Math.max(0, at - 200);
  while (before >= limit && (source[before] === ' ' || source[before] === '\t')) before -= 1;
  return (
    before < 0 ||
    /[(,=:[!&|?{};\n>]/.test(source[before] ?? '') ||
    /\breturn$/.test(source.slice(Math.max(0, before - 5), before + 1))
  );
}

function regexAt(source: string, at: number): Span {
  let end = at + 1;
  let inClass = false;
  while (end < source.length && source[end] !== '\n' && (inClass || source[end] !== '/')) {
    if (source[end] === '[') inClass = true;
    if (source[end] === ']') inClass = false;
    end += source[end] === '\\' ? 2 : 1;
  }
  const close = Math.min(end, source.length);
  return { inner: [at + 1, close], end: close + 1 };
}

/** For every opening bracket the offset of its closing one. */
export function matchBrackets(code: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const char = code[at];
    if (char === '(' || char === '[' || char === '{') open.push(at);
    else if (char === ')' || char === ']' || char === '}') {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, at);
    }
  }
  return pairs;
}
