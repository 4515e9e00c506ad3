/**
 * Weakened evidence, from the diff of test files: tests deleted, skipped or singled out, assertions removed or
 * emptied. Compares outlines of both versions, so words in comments and strings mean nothing and a test that
 * moved or was renamed within the diff is not deleted. A test that became conditional is skipped, an assertion that
 * can no longer run or fail is removed. Never throws; where a file does not parse, both versions
 * are read as text and the finding says so.
 */
import { isJudgeFile } from './judge-files.ts';
import { isTestFile } from './test-files.ts';
import { inTestPlace } from './test-side.ts';
import type { Language } from './weakened/blank.ts';
import { addedExits } from './weakened/early-exit.ts';
import { changedExpectations, importedNames } from './weakened/expectation.ts';
import { jsOutline } from './weakened/js-outline.ts';
import { matchTests, type FileOutlines, type MatchedTests } from './weakened/match-tests.ts';
import { emptyOutline, type Marker, type TestOutline, type OutlinedTest } from './weakened/outline.ts';
import { changedBesideTests, looserHelpers, type SharedChange } from './weakened/shared.ts';
import { addedSilence } from './weakened/silenced.ts';
import { addedTestAwareness, type SourceChange } from './weakened/test-aware.ts';
import { textOutline } from './weakened/text-outline.ts';

export interface TestFileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface WeakenedFinding {
  readonly path: string;
  /** In the version after, or before where the test is gone. */
  readonly line: number;
  readonly kind:
    | 'test-deleted'
    | 'test-skipped'
    | 'test-only'
    | 'assertion-removed'
    | 'assertion-emptied'
    | 'test-exit'
    | 'test-aware'
    | 'check-silenced';
  readonly test?: string;
  /** One sentence. */
  readonly claim: string;
}

/** A test whose assertions say something else now, though there are no fewer of them. */
export interface ChangedTest {
  readonly path: string;
  readonly test: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface TestComparison {
  readonly findings: readonly WeakenedFinding[];
  readonly changed: readonly ChangedTest[];
  /** Tests of the version before, wherever they are now, with both bodies: for those that ask about one by name. */
  readonly bodies: readonly {
    readonly path: string;
    readonly name: string;
    readonly leaf: string;
    readonly before: readonly string[];
    readonly after: readonly string[];
  }[];
}

export function compareTests(changes: readonly TestFileChange[]): TestComparison {
  const { findings, matched, files } = compared(changes);
  const texts = new Map(changes.map((change) => [change.path, change]));
  const known = new Set(findings.map(({ path, test }) => `${path}\n${test ?? ''}`));
  const names = new Map<string, ReadonlySet<string>>();
  const importsOf = (from: string, to: string): ReadonlySet<string> => {
    const key = `${from}\n${to}`;
    const found = names.get(key) ?? importedNames(`${texts.get(from)?.before ?? ''}\n${texts.get(to)?.after ?? ''}`);
    names.set(key, found);
    return found;
  };
  const split = splitTests(files, matched);
  const ofTests = matched.pairs.flatMap(({ before, after }): ChangedTest[] => {
    if (known.has(`${after.path}\n${after.test.name}`) || split.has(before.test)) return [];
    const imported = importsOf(before.path, after.path);
    const { lost, gained } = changedExpectations(before.test.expectations, after.test.expectations, imported);
    return lost.length === 0 ? [] : [{ path: before.path, test: before.test.name, before: lost, after: gained }];
  });
  const changed = [
    ...ofTests,
    ...changedBesideTests(sharedIn(changes)).map((each) => ({ ...each, test: 'what its tests share' })),
  ];
  const bodies = [
    ...matched.pairs.map(({ before, after }) => bodiesOf(before.path, before.test, after.test)),
    ...[...matched.missing].flatMap(([path, tests]) => tests.map((test) => bodiesOf(path, test, undefined))),
  ];
  return { findings, changed, bodies };
}

function bodiesOf(
  path: string,
  before: OutlinedTest,
  after: OutlinedTest | undefined,
): TestComparison['bodies'][number] {
  const kept = (test: OutlinedTest | undefined): readonly string[] => (test?.body ?? []).slice(0, 60);
  return { path, name: before.name, leaf: before.leaf, before: kept(before), after: kept(after) };
}

/**
 * How many tests of the versions before will not run any more, by the findings: deleted, skipped, left out by others
 * that are singled out. Infinity where that cannot be counted: a table of cases, a language without an outline.
 */
export function testsRemoved(changes: readonly TestFileChange[]): number {
  const { findings, files, matched } = compared(changes);
  const worth = (tests: readonly OutlinedTest[]): number => tests.reduce((sum, each) => sum + weight(each), 0);
  const within = new Map(files.map((file) => [file.path, weights(file.after.tests)]));
  const each = (finding: WeakenedFinding): number => {
    if (finding.kind === 'test-only' || finding.kind === 'test-exit') return Infinity;
    if (finding.kind !== 'test-skipped') return 0;
    return Math.max(1, within.get(finding.path)?.get(finding.test ?? '') ?? 1);
  };
  const deletedFiles = files.filter((file) => file.gone && file.before.tests.length === 0).length;
  const missing = [...matched.missing.values()].reduce((sum, tests) => sum + worth(tests), 0);
  const skipped = findings.reduce((sum, finding) => sum + each(finding), 0);
  return missing + skipped + (deletedFiles > 0 ? Infinity : 0);
}

function weight(test: OutlinedTest): number {
  return test.repeated ? Infinity : 1;
}

/** By name of a test or of a suite around it (the empty name is the file): how many tests that is. */
function weights(tests: readonly OutlinedTest[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const add = (name: string, by: number): void => void found.set(name, (found.get(name) ?? 0) + by);
  for (const test of tests) {
    add('', weight(test));
    for (let end = test.name.length; end !== -1; end = test.name.lastIndexOf(' > ', end - 1)) {
      if (end > 0) add(test.name.slice(0, end), weight(test));
      else break;
    }
  }
  return found;
}

interface Comparison {
  readonly findings: WeakenedFinding[];
  readonly files: readonly FileChange[];
  readonly matched: MatchedTests;
}

function compared(changes: readonly TestFileChange[]): Comparison {
  const files = changes.map(outlinesOf).filter((file) => isTestFile(file.path) || hasTests(file));
  const matched = matchTests(files);
  const findings = [
    ...files.flatMap((file) => deleted(file, matched)),
    ...fewerAssertions(matched, splitTests(files, matched)),
    ...looserHelpers(sharedIn(changes)).map(fromHelper),
    ...files.flatMap((file) => added(file, matched)),
    ...changes.flatMap(exiting),
    ...testAware(changes),
    ...silenced(changes),
  ];
  const remarks = new Map(
    files.map((file) => [file.path, file.parsed ? '' : ' (The file does not parse; this was read from its text.)']),
  );
  const sorted = findings
    .map((finding) => ({ ...finding, claim: `${finding.claim}${remarks.get(finding.path) ?? ''}` }))
    .sort(
      (a, b) =>
        compare(a.path, b.path) || a.line - b.line || compare(a.kind, b.kind) || compare(a.test ?? '', b.test ?? ''),
    );
  return { findings: sorted, files, matched };
}

interface FileChange extends FileOutlines {
  readonly gone: boolean;
  readonly parsed: boolean;
}

const languages: readonly (readonly [RegExp, Language])[] = [
  [/\.[cm]?[jt]sx?$/, 'js'],
  [/\.pyi?$/, 'python'],
  [/\.go$/, 'go'],
  [/\.rs$/, 'rust'],
  [/\.(?:java|kt|kts|scala|groovy)$/, 'java'],
];

function outlinesOf(change: TestFileChange): FileChange {
  const language = languageOf(change.path);
  const gone = change.before !== undefined && change.after === undefined;
  const base = { path: change.path, gone };
  if (language === undefined) return { ...base, before: emptyOutline, after: emptyOutline, parsed: true };
  const outline = (
    text: string | undefined,
    read: (text: string) => TestOutline | undefined,
  ): TestOutline | undefined => (text === undefined ? emptyOutline : read(text));
  if (language === 'js') {
    const before = outline(change.before, (text) => jsOutline(change.path, text));
    const after = outline(change.after, (text) => jsOutline(change.path, text));
    if (before !== undefined && after !== undefined) return { ...base, before, after, parsed: true };
  }
  const read = (text: string): TestOutline => textOutline(text, language);
  const before = outline(change.before, read) ?? emptyOutline;
  const after = outline(change.after, read) ?? emptyOutline;
  return { ...base, before, after, parsed: language !== 'js' };
}

/** What one version of a file holds, whatever its language; nothing where Forge does not know the language. */
export function outlineOf(path: string, text: string): TestOutline {
  return outlinesOf({ path, before: undefined, after: text }).after;
}

function languageOf(path: string): Language | undefined {
  return languages.find(([pattern]) => pattern.test(path))?.[1];
}

/** Only in product code: tests, their helpers and the configuration of runners may well know of tests. */
function testAware(changes: readonly TestFileChange[]): WeakenedFinding[] {
  const sources = changes.flatMap(({ path, before = '', after = '' }): SourceChange[] => {
    const language = languageOf(path);
    const isProduct = language !== undefined && !isTestFile(path) && !inTestPlace(path) && !isJudgeFile(path);
    return isProduct ? [{ path, language, before, after }] : [];
  });
  return addedTestAwareness(sources).map(({ path, line, code }) => ({
    path,
    line,
    kind: 'test-aware',
    claim: `${aboutTests(code)}: ${code}`,
  }));
}

function silenced(changes: readonly TestFileChange[]): WeakenedFinding[] {
  const texts = changes.map(({ path, before = '', after = '' }) => ({ path, before, after }));
  return addedSilence(texts).map(({ path, line, words }) => ({
    path,
    line,
    kind: 'check-silenced',
    claim: `The whole file is taken out of a check: ${words}`,
  }));
}

function aboutTests(code: string): string {
  if (/__eq__|asymmetricMatch|\beq\b/.test(code)) return 'The code makes values that are equal to everything';
  if (/^(?:import|from|require|globalThis|global|window|__import__|import_module)\b/.test(code))
    return 'Product code reaches for a test runner or its assertions';
  return 'The code can tell that a test is running, and may behave differently in use';
}

/** Only in files that are tests by name: other sources may well end their process. */
function exiting({ path, before = '', after }: TestFileChange): WeakenedFinding[] {
  const language = languageOf(path);
  if (language === undefined || after === undefined || !isTestFile(path)) return [];
  const claim = 'The test file ends its own process here, so that tests may be left out unseen.';
  return addedExits(before, after, language).map((line) => ({ path, line, kind: 'test-exit', claim }));
}

function hasTests(file: FileChange): boolean {
  return file.before.tests.length > 0 || file.after.tests.length > 0;
}

function deleted(file: FileChange, matched: MatchedTests): WeakenedFinding[] {
  const missing = matched.missing.get(file.path) ?? [];
  const { path } = file;
  if (file.gone) {
    const all = file.before.tests.length;
    if (all > 0 && missing.length === 0) return [];
    const claim =
      all === 0
        ? 'The test file is deleted.'
        : `The test file is deleted; ${missing.length} of its ${all} tests exist nowhere else in the change.`;
    return [{ path, line: 1, kind: 'test-deleted', claim }];
  }
  return missing.map((test) => ({
    path,
    line: test.line,
    kind: 'test-deleted',
    test: test.name,
    claim: `${quoted(test.name)} (line ${test.line} before) is gone and appears nowhere else in the change.`,
  }));
}

function sharedIn(changes: readonly TestFileChange[]): readonly SharedChange[] {
  return changes.map(({ path, before = '', after = '' }) => ({ path, language: languageOf(path), before, after }));
}

function fromHelper({ path, before, after }: ReturnType<typeof looserHelpers>[number]): WeakenedFinding {
  const claim = `What tests share has ${counted(after)} here, had ${counted(before)}.`;
  return { path, line: 1, kind: 'assertion-removed', claim };
}

/** Tests whose lost assertions all stand word for word in new tests of the same file. */
function splitTests(files: readonly FileChange[], { pairs }: MatchedTests): ReadonlySet<OutlinedTest> {
  const paired = new Set(pairs.map(({ after }) => after.test));
  const left = new Map<string, number>();
  for (const { path, after } of files)
    for (const test of after.tests.filter((each) => !paired.has(each)))
      for (const each of test.expectations) left.set(`${path}\n${each}`, (left.get(`${path}\n${each}`) ?? 0) + 1);
  const split = new Set<OutlinedTest>();
  for (const { before, after } of pairs) {
    const { lost } = changedExpectations(before.test.expectations, after.test.expectations, new Set());
    const keys = lost.map((each) => `${after.path}\n${each}`);
    const isThere = keys.every((key) => keys.filter((each) => each === key).length <= (left.get(key) ?? 0));
    if (lost.length === 0 || !isThere || before.test.assertions - after.test.assertions > lost.length) continue;
    for (const key of keys) left.set(key, (left.get(key) ?? 0) - 1);
    split.add(before.test);
  }
  return split;
}

function fewerAssertions(matched: MatchedTests, split: ReadonlySet<OutlinedTest>): WeakenedFinding[] {
  return matched.pairs
    .filter(({ before, after }) => after.test.assertions < before.test.assertions && !split.has(before.test))
    .map(({ before, after }) => ({
      path: after.path,
      line: after.test.line,
      kind: 'assertion-removed',
      test: after.test.name,
      claim: `${quoted(after.test.name)} has ${counted(after.test.assertions)}, had ${counted(before.test.assertions)}.`,
    }));
}

/** Markers and empty assertions that the version before did not have for the same test. */
function added(file: FileChange, matched: MatchedTests): WeakenedFinding[] {
  const { path } = file;
  const origin = (test: string | undefined): { readonly path: string; readonly test: string | undefined } =>
    (test === undefined ? undefined : matched.origins.get(`${path}\n${test}`)) ?? { path, test };
  const had = (key: string): boolean => {
    const left = matched.marks.get(key) ?? 0;
    if (left > 0) matched.marks.set(key, left - 1);
    return left > 0;
  };
  const markers = file.after.markers
    .filter((marker) => {
      const from = origin(marker.test);
      return !had(`${from.path}\n${marker.kind}\n${from.test ?? ''}`);
    })
    .map((marker) => fromMarker(path, marker));
  const empty = file.after.tautologies
    .filter((each) => {
      const from = origin(each.test);
      return !had(`${from.path}\nempty\n${from.test ?? ''}\n${each.text}`);
    })
    .map(
      (each): WeakenedFinding => ({
        path,
        line: each.line,
        kind: 'assertion-emptied',
        ...(each.test === undefined ? {} : { test: each.test }),
        claim: `${quoted(each.text)} cannot fail.`,
      }),
    );
  return [...markers, ...empty];
}

function fromMarker(path: string, marker: Marker): WeakenedFinding {
  const what = marker.test === undefined ? 'The file' : quoted(marker.test);
  const claim =
    marker.kind === 'skip'
      ? `${what} is skipped or expected to fail now (${marker.word}).`
      : `${what} makes every other test be left out (${marker.word}).`;
  return {
    path,
    line: marker.line,
    kind: marker.kind === 'skip' ? 'test-skipped' : 'test-only',
    ...(marker.test === undefined ? {} : { test: marker.test }),
    claim,
  };
}

function counted(assertions: number): string {
  return assertions === 0 ? 'no assertion' : assertions === 1 ? '1 assertion' : `${assertions} assertions`;
}

function quoted(name: string): string {
  return `"${name.length > 120 ? `${name.slice(0, 119)}…` : name}"`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
