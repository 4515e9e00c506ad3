/**
 * Product code that behaves differently because a test is running: it asks whether one is (`NODE_TEST_CONTEXT`,
 * `NODE_ENV === 'test'`, `'pytest' in sys.modules`, `cfg!(test)`), or switches on that tests rewrite what they compare
 * with (it sets `UPDATE_SNAPSHOTS`). Or it reaches for what judges it: it imports a test runner or an assertion library,
 * or makes values that are equal to everything. Tests cannot see any of it, whatever they assert. Only what a change adds
 * is found, in code and strings, not in comments. A name that is put together at run time is not found. Pure and linear.
 */
import { blankSource, commentSpans, type Language } from './blank.ts';
import { lineFinder } from './outline.ts';

export interface SourceChange {
  readonly path: string;
  readonly language: Language;
  readonly before: string;
  readonly after: string;
}

export interface TestAwareCode {
  readonly path: string;
  readonly line: number;
  /** The code itself, shortened. */
  readonly code: string;
}

export function addedTestAwareness(changes: readonly SourceChange[]): TestAwareCode[] {
  // Over all files of the change, so that code which only moved is not news.
  const known = new Map<string, number>();
  for (const { before, language } of changes) {
    for (const { code } of findIn(before, language)) known.set(code, (known.get(code) ?? 0) + 1);
  }
  return changes.flatMap(({ path, language, after }) => {
    const lineOf = lineFinder(after);
    return findIn(after, language).flatMap(({ code, index }): TestAwareCode[] => {
      const left = known.get(code) ?? 0;
      known.set(code, left - 1);
      return left > 0 ? [] : [{ path, line: lineOf(index), code }];
    });
  });
}

const rewrites = String.raw`\w{0,40}(?:UPDATE|SNAPSHOT|APPROV|REGEN|BLESS|OVERWRITE|GOLDEN)\w{0,40}|NODE_OPTIONS|PYTEST_ADDOPTS`;
const runnerVariables =
  /\b(?:NODE_TEST_CONTEXT|VITEST(?:_\w{1,40})?|JEST_WORKER_ID|PYTEST_CURRENT_TEST|PYTEST_VERSION|PLAYWRIGHT_TEST\w{0,40}|MOCHA_\w{1,40}|RUST_TEST_\w{1,40}|npm_lifecycle_(?:event|script))\b/g;

const frameworks = String.raw`(?:vitest|@vitest/[\w-]{1,40}|@jest/[\w-]{1,40}|jest|expect|chai|node:test|mocha|bun:test|@playwright/test|tap|ava|uvu)`;

/** A string or a pattern that names tests, a few lines below. */
const namesTests = String.raw`["'\`/][^"'\`\n]{0,30}(?<![A-Za-z])(?:tests?|specs?|unittest|pytest|jest|mocha|vitest)(?![A-Za-z])`;
const inTests = String.raw`[^]{0,300}?${namesTests}`;
/** Of a command line only whether a part of it holds the word: a command may well be called so. */
const asksForTests = String.raw`[^]{0,300}?\.(?:includes|endsWith|startsWith|match|search|indexOf)\(\s{0,9}(?!["'\`]-)${namesTests}`;
const frames = String.raw`\b(?:inspect\.(?:stack|currentframe|getouterframes)|sys\._getframe|traceback\.(?:extract_stack|format_stack|walk_stack)|f_back)\b`;

const patterns: Readonly<Record<Language, readonly RegExp[]>> = {
  js: [
    runnerVariables,
    new RegExp(
      String.raw`(?:\bfrom|\bimport|\brequire\s{0,9}\(|\bimport\s{0,9}\()\s{0,9}["'\`]${frameworks}["'\`]`,
      'g',
    ),
    /\b(?:globalThis|global|window)\s{0,9}(?:\??\.\s{0,9}|\[\s{0,9}["'`])(?:expect|describe|jest|vi|mocha)\b/g,
    /\basymmetricMatch\b|["'`]jest\.asymmetricMatcher["'`]/g,
    /\bNODE_ENV["'`\]]{0,2}\s{0,20}[!=]==?\s{0,20}["'`]test["'`]/g,
    /["'`]test["'`]\s{0,20}[!=]==?\s{0,20}[\w.?]{0,40}\bNODE_ENV\b/g,
    /\b(?:execArgv|argv)\b[^\n;]{0,80}["'`/][^"'`\n]{0,20}\b(?:test|spec|jest|vitest|mocha)/g,
    /\btypeof\s{1,20}(?:globalThis\.)?(?:describe|it|test|jest|vi|mocha)\b/g,
    new RegExp(
      String.raw`(?:\.stack\b|\{\s{0,9}stack\s{0,9}[,}]|\b(?:captureStackTrace|prepareStackTrace|getCallSites?)\b)${inTests}`,
      'g',
    ),
    new RegExp(String.raw`\bprocess\s{0,9}\.\s{0,9}(?:argv|argv0|execArgv|title)\b${asksForTests}`, 'g'),
    new RegExp(
      String.raw`\benv\s{0,9}(?:\.\s{0,9}|\[\s{0,9}["'\`])(?:${rewrites})["'\`\]\s]{0,9}(?:\?\?|\|\|)?=(?!=)`,
      'g',
    ),
  ],
  python: [
    runnerVariables,
    /^[ \t]{0,40}(?:import|from)[ \t]{1,9}(?:unittest|pytest|_pytest|nose2?)\b/gm,
    /\bimport_module\(\s{0,9}["'](?:unittest|_?pytest)\b/g,
    /\b__import__\(\s{0,9}["'](?:unittest|_?pytest)\b/g,
    /\bdef[ \t]{1,9}__eq__[^\n]{0,200}:\s{1,99}return[ \t]{1,9}True\b/g,
    /\b__eq__[ \t]{0,9}=[ \t]{0,9}lambda[^\n:]{0,99}:[ \t]{0,9}True\b/g,
    /["'](?:_?pytest|unittest)["']\s{1,9}(?:not\s{1,9})?in\s{1,9}sys\.modules/g,
    /\bsys\.modules(?:\.get\(|\[)\s{0,9}["'](?:_?pytest|unittest)["']/g,
    /\bsys\.argv\b[^\n]{0,80}["'][^"'\n]{0,20}(?:test|unittest)/g,
    new RegExp(String.raw`${frames}${inTests}`, 'g'),
    new RegExp(
      String.raw`["'][^"'\n]{0,40}(?:unittest|pytest|\btests?\b|\btest_)[^"'\n]{0,40}["'][^\n]{0,160}${frames}`,
      'g',
    ),
    new RegExp(
      String.raw`\benviron\s{0,9}(?:\[|\.setdefault\()\s{0,9}["'](?:${rewrites})["']\s{0,9}(?:\]\s{0,9}=(?!=)|,)`,
      'g',
    ),
  ],
  go: [
    /\btesting\.Testing\s{0,9}\(/g,
    /\bflag\.Lookup\(\s{0,9}"test\./g,
    /\bos\.Args\b[^\n]{0,80}"[^"\n]{0,20}\.test/g,
    new RegExp(String.raw`\bos\.Setenv\(\s{0,9}"(?:${rewrites})"`, 'g'),
  ],
  rust: [
    runnerVariables,
    /\bfn\s{1,9}eq\s{0,9}\([^)\n]{0,99}\)\s{0,9}->\s{0,9}bool\s{0,9}\{\s{0,99}true\s{0,99}\}/g,
    /\bcfg!\s{0,9}\(\s{0,9}(?:not\s{0,9}\(\s{0,9})?test\b/g,
    /\bcfg\s{0,9}\(\s{0,9}not\s{0,9}\(\s{0,9}test\b/g,
    new RegExp(String.raw`\bset_var\(\s{0,9}"(?:${rewrites})"`, 'g'),
  ],
  java: [/\bgetStackTrace\b[^\n]{0,120}(?:junit|[Tt]est)/g, /\bforName\(\s{0,9}"org\.(?:junit|testng)/g],
};

function findIn(text: string, language: Language): readonly { readonly code: string; readonly index: number }[] {
  if (text === '') return [];
  if (!patterns[language].some((pattern) => text.search(pattern) !== -1)) return [];
  const plain = withoutComments(text, language);
  const matches = patterns[language].flatMap((pattern) => [...plain.matchAll(pattern)]);
  const code = blankSource(text, language);
  // What is in code is kept by `blanked`; of a string only the quotes are.
  const counts = ({ index }: RegExpExecArray): boolean =>
    code[index] === text[index] || /["'`]/.test(code[index - 1] ?? '');
  return matches
    .filter(counts)
    .map((match) => ({ code: match[0].replaceAll(/\s+/g, ' ').slice(0, 120), index: match.index }))
    .sort((a, b) => a.index - b.index);
}

/** As long as before, so that places stay. */
function withoutComments(text: string, language: Language): string {
  const parts: string[] = [];
  let kept = 0;
  for (const [from, to] of commentSpans(text, language)) {
    parts.push(text.slice(kept, from), text.slice(from, to).replaceAll(/[^\n]/g, ' '));
    kept = to;
  }
  return [...parts, text.slice(kept)].join('');
}
