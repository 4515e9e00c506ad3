/**
 * The outline of a test file from its text, for languages without a parser here and for JavaScript that does
 * not parse: comments and strings are blanked, then anchored patterns find tests, markers and assertions, and
 * each finding belongs to the innermost test around it. Patterns are bounded, the passes are linear.
 */
import { blankSource, type Language, matchBrackets } from './blank.ts';
import { expectationText } from './expectation.ts';
import { rulesOf } from './language-rules.ts';
import {
  bodyReader,
  foldSpaces,
  lineFinder,
  type Marker,
  type TestOutline,
  type OutlinedTest,
  type Tautology,
} from './outline.ts';
import { type Region, regionsOf } from './regions.ts';

export function textOutline(source: string, language: Language): TestOutline {
  const code = blankSource(source, language);
  const pairs = matchBrackets(code);
  const regions = regionsOf({ source, code, language, pairs });
  const rules = rulesOf(language);
  const lineOf = lineFinder(source);
  const bodyOf = bodyReader(source);
  const owners = ownerFinder(regions);
  const counts = new Map<Region, number>();
  const expectations = new Map<Region, string[]>();
  const tautologies: Tautology[] = [];
  for (const match of code.matchAll(rules.assertion)) {
    const owner = owners(match.index, true);
    const statement = statementAt({ source, code, pairs }, match.index, language);
    if (rules.isEmpty(statement))
      tautologies.push({ line: lineOf(match.index), test: owner?.name, text: foldSpaces(statement) });
    else if (owner !== undefined) {
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
      const known = expectations.get(owner) ?? [];
      if (known.length < mostExpectations)
        known.push(expectationText(source.slice(match.index, logicalEnd({ code, pairs }, match.index))));
      expectations.set(owner, known);
    }
  }
  const markers: Marker[] = [];
  for (const kind of ['skip', 'only'] as const) {
    const pattern = rules[kind];
    if (pattern === undefined) continue;
    for (const match of code.matchAll(pattern)) {
      markers.push({
        kind,
        word: foldSpaces(match[0]),
        line: lineOf(match.index),
        test: owners(match.index, false)?.name,
      });
    }
  }
  const tests = regions
    .filter((region) => region.kind === 'test')
    .map(
      (region): OutlinedTest => ({
        name: region.name,
        leaf: region.leaf,
        line: lineOf(region.head),
        assertions: counts.get(region) ?? 0,
        expectations: expectations.get(region) ?? [],
        repeated: isRepeated(code, region),
        // Without its name, so that a renamed test has the same body.
        body: bodyOf(region.head, region.end).map((line, index) =>
          index === 0 ? line.replace(region.leaf, '') : line,
        ),
      }),
    );
  return { tests, markers, tautologies };
}

const mostExpectations = 1000;
const longestExpectation = 4000;

/** The end of the line on which no bracket is open any more. */
function logicalEnd(
  { code, pairs }: { readonly code: string; readonly pairs: ReadonlyMap<number, number> },
  start: number,
): number {
  const most = Math.min(code.length, start + longestExpectation);
  let at = start;
  // Leading white space is part of some patterns.
  while (at < most && /\s/.test(code[at] ?? '')) at += 1;
  while (at < most) {
    const char = code[at] ?? '';
    if (char === '\n' || char === ';') break;
    at = '([{'.includes(char) ? (pairs.get(at) ?? at) + 1 : at + 1;
  }
  return Math.min(at, most);
}

const maxAnnotations = 2000;

/** Cases from a table: by what stands above the test, or, for Go and JavaScript, by how it begins. */
function isRepeated(code: string, region: Region): boolean {
  const above = code.slice(region.start, Math.min(region.head, region.start + maxAnnotations));
  const head = code.slice(region.head, Math.min(region.end, region.head + maxAnnotations));
  return (
    /parametri[sz]e|rstest|test_case|Parameterized|RepeatedTest|@given|DataProvider/i.test(above) ||
    /^(?:[xf]?(?:test|it|describe)\.[\w.]{0,40}(?:each|for)\b)|\.Run\(/.test(head)
  );
}

/** The innermost region around an offset. Asked in any order; regions nest, so a sweep of parents is enough. */
function ownerFinder(regions: readonly Region[]): (offset: number, testsOnly: boolean) => Region | undefined {
  const sorted = [...regions].sort((a, b) => a.start - b.start || b.end - a.end);
  const parents: number[] = [];
  const open: number[] = [];
  for (const [index, region] of sorted.entries()) {
    while (open.length > 0 && (sorted[open.at(-1) ?? 0]?.end ?? 0) <= region.start) open.pop();
    parents.push(open.at(-1) ?? -1);
    open.push(index);
  }
  return (offset, testsOnly) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    for (let at = low - 1, hops = 0; at >= 0 && hops < maxHops; at = parents[at] ?? -1, hops += 1) {
      const region = sorted[at];
      if (region !== undefined && offset < region.end && (!testsOnly || region.kind === 'test')) return region;
    }
    return undefined;
  };
}

const maxHops = 50;
const maxStatement = 400;

/** The assertion as written: to the end of its call, or of its line where it is a statement (Python). */
function statementAt(
  text: { readonly source: string; readonly code: string; readonly pairs: ReadonlyMap<number, number> },
  offset: number,
  language: Language,
): string {
  const head = text.code.slice(offset, offset + maxStatement);
  const open = head.indexOf('(');
  const lineEnd = head.indexOf('\n');
  const isStatement = language === 'python' && /^\s*assert\s/.test(head);
  if (isStatement || open === -1) return text.source.slice(offset, offset + (lineEnd === -1 ? maxStatement : lineEnd));
  const close = text.pairs.get(offset + open);
  if (close === undefined || close - offset > maxStatement) return text.source.slice(offset, offset + maxStatement);
  // A JavaScript matcher follows the call: take the rest of the statement's line.
  const rest = language === 'js' ? (/^[^\n;]{0,200}/.exec(text.source.slice(close + 1, close + 201))?.[0] ?? '') : '';
  return text.source.slice(offset, close + 1) + rest;
}
