/**
 * One meaning for the paths and globs of a plan, used for overlap, scope and protection alike.
 * `*` and `?` stay within one segment, `**` alone between slashes is any number of segments, wildcards
 * match dot files, everything else (brackets too: `app/[id]/page.tsx`) is literal text. A pattern that
 * ends in a plain name or `*` also covers what lies below, so `src/auth` covers `src/auth/x.ts`; a last
 * name with an extension is taken for a file, so `src/a.ts` does not meet every glob for fear of a
 * directory of that name. Backslashes are slashes. Case counts.
 */

export interface Pattern {
  /** As written, with slashes. */
  readonly text: string;
  readonly segments: readonly Segment[];
  /** The literal segments before the first wildcard: where an index files the pattern. */
  readonly prefix: readonly string[];
  /** Has no wildcard. */
  readonly literal: boolean;
  /** Covers all that lies below `prefix`, and so every pattern filed there. */
  readonly below: boolean;
}

/** `deep` is `**`; tokens of `wild` are code points, or one of the two negative marks below. */
type Segment =
  | { readonly type: 'deep' }
  | { readonly type: 'literal'; readonly text: string }
  | { readonly type: 'wild'; readonly tokens: readonly number[] };

const ANY_RUN = -1;
const ANY_ONE = -2;
const deep: Segment = { type: 'deep' };

/** Blank entries cover nothing and are dropped; `.` is the whole repository. */
export function compilePatterns(texts: readonly string[]): Pattern[] {
  return texts.filter((text) => text.trim() !== '').map(compilePattern);
}

/** How often these were done in this process. Tests and benchmarks read it; nothing is decided by it. */
export const patternWork = { compiled: 0, compared: 0 };

export function compilePattern(text: string): Pattern {
  patternWork.compiled += 1;
  const normal = text.replaceAll('\\', '/');
  const names = normal.split('/').filter((name) => name !== '' && name !== '.');
  const segments = names.map(compileSegment);
  const firstWild = segments.findIndex((segment) => segment.type !== 'literal');
  const prefix = names.slice(0, firstWild === -1 ? names.length : firstWild);
  if (reachesBelow(normal, names.at(-1))) segments.push(deep);
  const below = segments.length > prefix.length && segments.slice(prefix.length).every((each) => each.type === 'deep');
  return { text: normal, segments, prefix, literal: firstWild === -1, below };
}

/** A path as git reports it: nothing in it is a wildcard, and it covers only itself. */
export function literalPath(path: string): Pattern {
  const prefix = path.split('/');
  const segments = prefix.map((text) => ({ type: 'literal', text }) as const);
  return { text: path, segments, prefix, literal: false, below: false };
}

/** True for patterns such as `**`, `*` and `.`: they name every file there is. */
export function coversEverything(pattern: Pattern): boolean {
  return pattern.segments.every((segment) => segment.type === 'deep' || isStar(segment));
}

/** Is there a path that both cover? Walks both patterns at once, so glob against glob is exact. */
export function patternsMeet(a: Pattern, b: Pattern): boolean {
  patternWork.compared += 1;
  if (a.literal && b.literal) return begins(a.prefix, b.prefix) || begins(b.prefix, a.prefix);
  return namesTheWayTo(a, b) || namesTheWayTo(b, a) || segmentsAllMeet(a, b);
}

/** Does the first one surely cover all that the second one covers? */
export function patternContains(outer: Pattern, inner: Pattern): boolean {
  if (outer.text === inner.text) return true;
  return outer.below && outer.prefix.every((name, place) => inner.prefix[place] === name);
}

/** Whoever spells out a path through `src/v.d` says that it is a directory. */
function namesTheWayTo(a: Pattern, b: Pattern): boolean {
  return a.literal && a.prefix.length < b.segments.length && begins(a.prefix, b.prefix);
}

function begins(prefix: readonly string[], names: readonly string[]): boolean {
  return prefix.every((name, place) => names[place] === name);
}

function segmentsAllMeet(a: Pattern, b: Pattern): boolean {
  const columns = b.segments.length + 1;
  // reached[j] of row i: a path exists that uses up the first i segments of a and the first j of b.
  let row = new Uint8Array(columns);
  row[0] = 1;
  for (let i = 0; i <= a.segments.length; i++) {
    const next = new Uint8Array(columns);
    const left = a.segments[i];
    for (let j = 0; j < columns; j++) {
      if (row[j] === 0) continue;
      const right = b.segments[j];
      if (left?.type === 'deep') next[j] = 1;
      if (right?.type === 'deep') row[j + 1] = 1;
      if (left === undefined || right === undefined) continue;
      if (left.type === 'deep') row[j + 1] = 1;
      else if (right.type === 'deep') next[j] = 1;
      else if (segmentsMeet(left, right)) next[j + 1] = 1;
    }
    if (i === a.segments.length) break;
    row = next;
  }
  return row[columns - 1] === 1;
}

function reachesBelow(text: string, last: string | undefined): boolean {
  if (last === undefined || last === '*' || text.endsWith('/')) return true;
  return !/[*?]/.test(last) && !/[^.]\.[A-Za-z]\w{0,9}$/.test(last);
}

function compileSegment(name: string): Segment {
  if (name === '**') return deep;
  if (!/[*?]/.test(name)) return { type: 'literal', text: name };
  const tokens: number[] = [];
  for (const char of name) {
    if (char === '?') tokens.push(ANY_ONE);
    else if (char !== '*') tokens.push(char.codePointAt(0) ?? 0);
    else if (tokens.at(-1) !== ANY_RUN) tokens.push(ANY_RUN);
  }
  return { type: 'wild', tokens };
}

function isStar(segment: Segment): boolean {
  return segment.type === 'wild' && segment.tokens.length === 1 && segment.tokens[0] === ANY_RUN;
}

function segmentsMeet(a: Exclude<Segment, { type: 'deep' }>, b: Exclude<Segment, { type: 'deep' }>): boolean {
  if (a.type === 'literal' && b.type === 'literal') return a.text === b.text;
  if (isStar(a) || isStar(b)) return true;
  return tokensMeet(tokensOf(a), tokensOf(b));
}

function tokensOf(segment: Exclude<Segment, { type: 'deep' }>): readonly number[] {
  if (segment.type === 'wild') return segment.tokens;
  return Array.from(segment.text, (char) => char.codePointAt(0) ?? 0);
}

/** The same walk as `segmentsAllMeet`, one level down: `*` is to characters what `**` is to segments. */
function tokensMeet(a: readonly number[], b: readonly number[]): boolean {
  const columns = b.length + 1;
  let row = new Uint8Array(columns);
  row[0] = 1;
  for (let i = 0; i <= a.length; i++) {
    const next = new Uint8Array(columns);
    const left = a[i];
    for (let j = 0; j < columns; j++) {
      if (row[j] === 0) continue;
      const right = b[j];
      if (left === ANY_RUN) next[j] = 1;
      if (right === ANY_RUN) row[j + 1] = 1;
      if (left === undefined || right === undefined) continue;
      if (left === ANY_RUN) row[j + 1] = 1;
      else if (right === ANY_RUN) next[j] = 1;
      else if (left === right || left === ANY_ONE || right === ANY_ONE) next[j + 1] = 1;
    }
    if (i === a.length) break;
    row = next;
  }
  return row[columns - 1] === 1;
}
