/**
 * Which changed files are on the test side: tests, what tests share (helpers, mocks, a module of assertions), and what
 * they read (fixtures, snapshots). "Old tests on new code" takes all of these from the base. Three rules, in this order:
 * - what a runner loads unasked (`conftest.py`, `__mocks__`, set-up files, snapshots) is always on the test side;
 * - what lies or is named where tests lie is, unless product code uses it: then it is a suspect if it asserts;
 * - anything else is only if tests or checks use it, product code does not, and it looks like an aid: it asserts, its
 *   name says so, or it is data, a document among it. Scripts (`tools/`, `scripts/`) and makefiles check as well, but for
 *   what lies where sources lie: makefiles build the product, too.
 * A program, in whatever language, that only tests use and that does not look like an aid may be the product itself, or a
 * helper with a plain name. Those are `suspects`: the caller runs the old tests with both versions. Who uses a file is read
 * from the base, so a change cannot move a file to the other side. Pure.
 */
import { posix } from 'node:path';
import { isCode, isSourceDirectory, isUsedBy, packageOf, type UsingFile } from './file-users.ts';
import { isJudgeFile } from './judge-files.ts';
import { isTestFile } from './test-files.ts';

export interface SideChange {
  readonly path: string;
  /** The text on the base; for an added file, the text it has now. Undefined where it is not text or too large. */
  readonly text: string | undefined;
  readonly added: boolean;
  /** Other names it is imported by on the base, such as `#same`. */
  readonly aliases?: readonly string[] | undefined;
}

export interface SideQuestion {
  readonly changes: readonly SideChange[];
  /** Files of the base that mention a changed file's name, and for added files, files of the commit. */
  readonly users: readonly UsingFile[];
  readonly usersAfter: readonly UsingFile[];
  /** Files that the checks start or lead to, wherever they lie. */
  readonly checks: readonly string[];
}

export interface TestSides {
  readonly tests: readonly string[];
  readonly suspects: readonly string[];
}

export function testSide({ changes, users, usersAfter, checks }: SideQuestion): TestSides {
  const tests: string[] = [];
  const suspects: string[] = [];
  const ofChecks = new Set(checks);
  for (const change of changes) {
    const side = sideOf(change, change.added ? usersAfter : users, ofChecks);
    if (side === 'tests') tests.push(change.path);
    else if (side === 'suspect') suspects.push(change.path);
  }
  return { tests, suspects };
}

/** Only words for people: nothing runs differently because of it. */
export function isProse(path: string): boolean {
  const file = posix.basename(path).toLowerCase();
  if (isLoadedUnasked(path) || inTestPlace(path)) return false;
  return /\.(?:md|markdown|rst|adoc)$|^(?:license|licence|copying|notice|authors|changelog|readme)(?:\.[a-z]+)?$/.test(
    file,
  );
}

function sideOf(
  change: SideChange,
  users: readonly UsingFile[],
  ofChecks: ReadonlySet<string>,
): 'tests' | 'suspect' | 'product' {
  const { path, aliases } = change;
  if (isLoadedUnasked(path)) return 'tests';
  const using = users.filter((user) => user.path !== path && isUsedBy(user, path, aliases));
  // Installed packages name each other and themselves; who uses them is outside.
  const outside = packageOf(path) === undefined ? using : using.filter((user) => packageOf(user.path) === undefined);
  const byProduct = outside.some((user) => !ofChecks.has(user.path) && isProduct(user, path));
  const isAmongTests = isTestFile(path) || inTestPlace(path);
  if (isAmongTests && (!byProduct || isTestFile(path))) return 'tests';
  // The product uses what lies among the tests: so do they, and either may be who it is for.
  if (isAmongTests && !change.added && !isSourceDirectory(posix.dirname(path)) && isAid(path, change.text ?? ''))
    return outside.some((user) => isOfTests(user.path, ofChecks)) ? 'suspect' : 'product';
  if (byProduct || change.added) return 'product';
  const isRun = isProgram(path, change.text ?? '');
  // Makefiles build the product too: what lies where sources lie is not theirs to check with.
  const isData = !isRun && !isSourceDirectory(posix.dirname(path));
  const byTests = using.some(
    (user) => isOfTests(user.path, ofChecks) || (isData && (isScript(user.path) || startsChecks(user.path))),
  );
  if (!byTests) return using.some((user) => startsChecks(user.path)) && !isData ? 'suspect' : 'product';
  if (!isRun || isAid(path, change.text ?? '')) return 'tests';
  return 'suspect';
}

/** Something that does work, in whatever language: it can be the product itself, where data can not. */
function isProgram(path: string, text: string): boolean {
  return (
    isCode(path) ||
    text.startsWith('#!') ||
    /\.(?:sh|bash|zsh|ksh|fish|ps1|bat|cmd|pl|pm|lua|tcl|awk|sed|r|jl|hs|ml|mli|fs|erl|hrl|clj[cs]?|lisp|el|scm|rkt|nim|zig|d|m|mm|pas|f90|s|asm|v|sol|gd|coffee|elm|cr|hx|vb)$/i.test(
      path,
    )
  );
}

/** Does whoever lies here test or check? */
export function isOfTests(path: string, ofChecks: ReadonlySet<string>): boolean {
  return ofChecks.has(path) || isTestFile(path) || inTestPlace(path) || isLoadedUnasked(path);
}

/** Makefiles and the configuration of runners. Manifests are the product's as well. */
function startsChecks(path: string): boolean {
  return isJudgeFile(path) && !/\.(?:json|toml|cfg|mod|xml)$/.test(path);
}

/** Loaded by a runner because it lies there or because of its name, or compared with by an assertion. */
export function isLoadedUnasked(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  const file = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some((part) => part === '__mocks__' || part === '__snapshots__' || part === 'testdata'))
    return true;
  if (/\.snap$|\.snap\.[a-z]+$|\.approved\.[a-z]+$|^conftest\.py$|\.(?:golden|ambr)$/.test(file)) return true;
  return /^(?:(?:jest|vitest|mocha|test|tests|cypress|playwright)[._-]?(?:global[._-]?)?(?:setup|teardown)|(?:global[._-]?)?(?:setup|teardown)[._-]?(?:tests?|jest|vitest|mocha)(?:[._-]?(?:env|environment|framework))?)\.[a-z]+$/.test(
    file,
  );
}

const testPlaces = new Set(
  'test tests __tests__ spec specs e2e __fixtures__ fixtures fixture test-data test_data testutil testutils test-utils test_utils test-helpers test_helpers testhelpers testing testsupport test-support cypress mocks stubs fakes goldens'.split(
    ' ',
  ),
);

export function inTestPlace(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  const file = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some((part) => testPlaces.has(part))) return true;
  return /(?:^|[._-])(?:test|spec)[._-]?(?:helpers?|utils?|kit|support|data|fixtures?|setup|cases)\b|(?:^|[._-])(?:fixtures?|mocks?)\.[a-z]+$/.test(
    file,
  );
}

/** Scripts check, or generate tests: the data that only they read is what tests compare with. */
export function isScript(path: string): boolean {
  return /^(?:scripts?|tools?|tooling|ci|\.ci|hack|qa|checks?)\//i.test(path);
}

/** A module that asserts or stands in for something, by its name or by what it imports. */
function isAid(path: string, text: string): boolean {
  const stem = posix.parse(path).name;
  if (/assert|expect|matcher|helper|fixture|mock|stub|fake|harness|setup|testkit|verify|should|check/i.test(stem))
    return true;
  return /\b(?:node:assert|node:test|vitest|@jest\/|chai|@testing-library|sinon|should|jasmine|unittest|pytest|testify)\b|["']assert(?:\/strict)?["']|\bAssertionError\b|^import testing\b|"testing"/m.test(
    text,
  );
}

/** Manifests count for what they ship, not for what their scripts run. */
export function isProduct({ path, text }: UsingFile, used: string): boolean {
  if (isProse(path) || isTestFile(path) || inTestPlace(path) || isLoadedUnasked(path)) return false;
  if (isScript(path) && !isCode(used)) return false;
  if (posix.basename(path) === 'package.json')
    return !inTestPlace(used) && shipped(text).includes(posix.basename(used));
  return isCode(path) || /\.(?:html?|css|scss|ya?ml|toml|sql)$|(?:^|\/)(?:Dockerfile|Procfile)$/.test(path)
    ? !isRunnerConfig(path)
    : false;
}

function isRunnerConfig(path: string): boolean {
  return /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma|wdio)\.(?:[\w-]+\.)*(?:config|conf|workspace)[\w.]*|\.mocharc[\w.]*|pytest\.ini|tox\.ini|pyproject\.toml|setup\.cfg|noxfile\.py)$/.test(
    path,
  );
}

function shipped(text: string): string {
  try {
    const file: unknown = JSON.parse(text);
    if (typeof file !== 'object' || file === null) return '';
    const { main, module, browser, bin, exports, types, files } = file as Readonly<Record<string, unknown>>;
    return JSON.stringify([main, module, browser, bin, exports, types, files]);
  } catch {
    return text;
  }
}
