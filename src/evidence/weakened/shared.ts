/**
 * What tests share with each other: helpers that assert, and what stands beside the tests of a source file that holds both.
 * A helper with fewer assertions than before is weakened evidence, as a test is. Where a source file holds its own
 * tests, the square cannot take back the one without the other, so every line that its tests share and that is gone is
 * shown. Pure.
 */
import { isTestFile } from '../test-files.ts';
import { inTestPlace } from '../test-side.ts';
import { blankSource, type Language, matchBrackets } from './blank.ts';
import { changedExpectations, expectationText } from './expectation.ts';
import { rulesOf } from './language-rules.ts';
import { type Region, regionsOf } from './regions.ts';

export interface SharedChange {
  readonly path: string;
  readonly language: Language | undefined;
  readonly before: string;
  readonly after: string;
}

/** Helpers among the tests that assert less than before, though no other helper of the change asserts more instead. */
export function looserHelpers(
  changes: readonly SharedChange[],
): readonly { readonly path: string; readonly before: number; readonly after: number }[] {
  const counted = changes.flatMap(({ path, language, before, after }) =>
    language === undefined || isTestFile(path) || !inTestPlace(path)
      ? []
      : [{ path, before: assertionsIn(before, language), after: assertionsIn(after, language) }],
  );
  const total = counted.reduce((sum, each) => sum + each.after - each.before, 0);
  return total < 0 ? counted.filter((each) => each.after < each.before) : [];
}

/** In a helper the test itself has any name. */
const inPython =
  /^[ \t]{0,200}assert\b|\b\w{1,60}\.(?:assert\w{1,40}|fail)\(|\bpytest\.(?:raises|warns|fail)\(|\bassert_\w{1,60}\(/gm;

function assertionOf(language: Language): RegExp {
  return language === 'python' ? inPython : rulesOf(language).assertion;
}

function assertionsIn(source: string, language: Language): number {
  const rules = rulesOf(language);
  const code = blankSource(source, language);
  return [...code.matchAll(assertionOf(language))].filter((match) => {
    const line = source.slice(match.index, match.index + 200).split('\n', 1)[0] ?? '';
    return !rules.isEmpty(line) && !/^[ \t]*(?:import|export \*)\b/.test(lineAround(code, match.index));
  }).length;
}

function lineAround(code: string, at: number): string {
  return code.slice(code.lastIndexOf('\n', at - 1) + 1, at + 1);
}

/** Of files that hold their own tests: the shared lines that are gone, beside those that are new. */
export function changedBesideTests(
  changes: readonly SharedChange[],
): readonly { readonly path: string; readonly before: readonly string[]; readonly after: readonly string[] }[] {
  return changes.flatMap(({ path, language, before, after }) => {
    if (language === undefined || isTestFile(path) || inTestPlace(path) || after === '') return [];
    const { lost, gained } = changedExpectations(
      sharedLines(before, language),
      sharedLines(after, language),
      new Set(),
    );
    return lost.length === 0 ? [] : [{ path, before: lost.slice(0, mostShown), after: gained.slice(0, mostShown) }];
  });
}

const mostShown = 40;

/** Lines of suites outside of their tests, and what asserts anywhere else outside of tests. */
function sharedLines(source: string, language: Language): readonly string[] {
  const code = blankSource(source, language);
  const regions = regionsOf({ source, code, language, pairs: matchBrackets(code) });
  const tests = regions.filter(({ kind }) => kind === 'test');
  if (tests.length === 0) return [];
  const holds = (suite: Region): boolean =>
    suite.kind === 'suite' && tests.some(({ start, end }) => suite.start <= start && end <= suite.end);
  const suites = regions.filter(holds);
  const asserts = new RegExp(assertionOf(language).source);
  const lines: string[] = [];
  let at = 0;
  for (const line of code.split('\n')) {
    const start = at + (line.length - line.trimStart().length);
    const end = at + line.length;
    at = end + 1;
    if (/^[\s{}()[\];,]*$/.test(line) || tests.some((test) => test.start <= start && start < test.end)) continue;
    const isShared = suites.some((suite) => suite.head < start && start < suite.end);
    // Rust asserts in its product as well; there the suite says what is of the tests.
    if (isShared ? /^\s*(?:use|import|from|#\[|@)/.test(line) : language === 'rust' || !asserts.test(line)) continue;
    lines.push(expectationText(source.slice(start, end)));
  }
  return lines;
}
