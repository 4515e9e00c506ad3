/**
 * The tests of a file with other expected values, which nobody can know beforehand: every one of them must fail. A test
 * that does not is one whose assertion was made to let its value through, in whatever way: a patched runner or language,
 * a value that is equal to more than itself. Only plain comparisons that stand in the test itself are altered. Pure and bounded.
 */
import { blankSource, type Language, matchBrackets } from './weakened/blank.ts';
import { expectationText } from './weakened/expectation.ts';
import { type Region, regionsOf } from './weakened/regions.ts';

export interface AlteredTests {
  readonly text: string;
  /** Names of the tests that must fail now, without those of their suites. */
  readonly tests: readonly string[];
}

const mostBytes = 256 * 1024;
const mostAltered = 60;

/** `before`: the file on the base. Only tests that are there word for word, with the same imports, are altered. */
export function withAlteredTests(path: string, text: string, before: string, luck: string): AlteredTests {
  const none = { text, tests: [] };
  const language = languageOf(path);
  if (language === undefined || text.length > mostBytes || before.length > mostBytes) return none;
  if (text !== before && importLines(text) !== importLines(before)) return none;
  const code = blankSource(text, language);
  const pairs = matchBrackets(code);
  const tests = regionsOf({ source: text, code, language, pairs }).filter(({ kind }) => kind === 'test');
  const known = text === before ? undefined : folded(before);
  const isKnown = ({ start, end }: Region): boolean => known?.includes(folded(text.slice(start, end))) ?? true;
  const names = new Set<string>();
  const edits: (Spot & { readonly value: string })[] = [];
  for (const spot of spotsIn(code, pairs, language)) {
    const owner = innermost(tests, spot.start);
    const value = otherThan(text.slice(spot.start, spot.end).trim(), language, luck);
    if (owner === undefined || value === undefined || /^\s*$|\$\{/.test(owner.leaf) || !isKnown(owner)) continue;
    if (edits.length >= mostAltered) break;
    names.add(owner.leaf);
    edits.push({ ...spot, value });
  }
  let altered = text;
  for (const { start, end, value } of edits.sort((a, b) => b.start - a.start))
    altered = `${altered.slice(0, start)}${value}${altered.slice(end)}`;
  return { text: altered, tests: [...names] };
}

function languageOf(path: string): 'js' | 'python' | 'rust' | undefined {
  if (/\.[cm]?[jt]sx?$/.test(path)) return 'js';
  return path.endsWith('.py') ? 'python' : path.endsWith('.rs') ? 'rust' : undefined;
}

/** White space and the like say nothing. */
function folded(text: string): string {
  const words: string[] = [];
  for (let at = 0; at < text.length; at += pieceLength) words.push(text.slice(at, at + pieceLength));
  return words.map((piece) => piece.replaceAll(/\s+|\/\/[^\n]*|;/g, '')).join('');
}

const pieceLength = 4096;

function importLines(text: string): string {
  const lines = text.split('\n').filter((line) => /^\s*(?:import|from|use|export)\b|\brequire\(|\bimport\(/.test(line));
  return expectationTextOfAll(lines.sort());
}

function expectationTextOfAll(lines: readonly string[]): string {
  return lines.slice(0, 200).map(expectationText).join('\n');
}

interface Spot {
  readonly start: number;
  readonly end: number;
}

/** Calls, and which of their arguments is what is expected. */
const calls: Readonly<Record<Exclude<Language, 'go' | 'java'>, readonly (readonly [RegExp, number])[]>> = {
  js: [
    [/(?<![\w$.])(?:[\w$]{1,60}\.){0,3}(?:equal|strictEqual|deepEqual|deepStrictEqual)\s{0,9}\(/g, 1],
    [/(?<!\.not\s{0,9})\.(?:toBe|toEqual|toStrictEqual)\s{0,9}\(/g, 0],
    [/(?<=\.to(?:\.be)?(?:\.deep)?)(?<!\.not[\w.]{0,20})\.(?:equal|equals|eql|eq)\s{0,9}\(/g, 0],
  ],
  python: [[/\b(?:self|cls)\.assert(?:Equals?|DictEqual|ListEqual)\(/g, 1]],
  rust: [[/\bassert_eq!\s{0,9}\(/g, 1]],
};

function spotsIn(code: string, pairs: ReadonlyMap<number, number>, language: keyof typeof calls): readonly Spot[] {
  const found = calls[language].flatMap(([pattern, place]) =>
    [...code.matchAll(pattern)].flatMap(
      (match) => argumentAt(code, pairs, match.index + match[0].length - 1, place) ?? [],
    ),
  );
  if (language !== 'python') return found;
  const compared = [...code.matchAll(/^[ \t]{0,200}assert[ \t]{1,9}([^\n=!<>]{1,300})==[ \t]{0,9}([^\n=,]{1,300})$/gm)]
    .filter(([, left = '', right = '']) => !/\b(?:and|or|not|if|for)\b/.test(`${left} ${right}`) && isClosed(right))
    .map((match) => ({
      start: match.index + match[0].length - (match[2] ?? '').length,
      end: match.index + match[0].length,
    }));
  return [...found, ...compared];
}

function isClosed(text: string): boolean {
  return (text.match(/[([{]/g) ?? []).length === (text.match(/[)\]}]/g) ?? []).length;
}

function argumentAt(code: string, pairs: ReadonlyMap<number, number>, open: number, place: number): Spot | undefined {
  const close = pairs.get(open);
  if (close === undefined || close - open > 2000) return undefined;
  let count = 0;
  let start = open + 1;
  for (let at = start; at <= close; at += 1) {
    const char = code[at] ?? '';
    if (at < close && '([{'.includes(char)) at = pairs.get(at) ?? at;
    else if (char === ',' || at === close) {
      if (count === place) return code.slice(start, at).trim() === '' ? undefined : { start, end: at };
      count += 1;
      start = at + 1;
    }
  }
  return undefined;
}

/** Of the same kind, so that nothing else about it is wrong. */
function otherThan(expected: string, language: keyof typeof calls, luck: string): string | undefined {
  const number = Number.parseInt(luck.slice(0, 6), 16);
  // A compiler wants a number that fits its type.
  if (language === 'rust') return /^\d{1,2}$/.test(expected) ? ` ${Number(expected) + 1 + (number % 20)}` : undefined;
  return /^-?\d[\d_.]*$/.test(expected) ? ` ${1_000_003 + number}` : ` '${luck.slice(0, 12)}'`;
}

function innermost(tests: readonly Region[], at: number): Region | undefined {
  let best: Region | undefined;
  for (const each of tests)
    if (each.start <= at && at < each.end && (best === undefined || each.start >= best.start)) best = each;
  return best;
}
