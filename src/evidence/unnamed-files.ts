/**
 * Files that a run adds or deletes and that no file of the project names: a marker, a cache entry, a list of checks to
 * skip. No text shows who reads them, so a check could pass only because they are there. The caller runs the tests of
 * the base without them; what product code can need is left alone:
 * - code of languages that find their files by directory, such as Go, and files that tools know by name, such as
 *   `package.json`;
 * - files in a directory that product code of the base names, such as `migrations`. Checks do not count: a directory
 *   that only a check reads is where it looks for markers.
 * A file that a test or check of the base looks for counts as unnamed too, unless product code of the base names it.
 * Documents that Forge itself wrote during the run, such as plans and reports, count only if a test or check of the base
 * names them or a directory above them. Pure.
 */
import { posix } from 'node:path';
import { isJudgeFile } from './judge-files.ts';
import { isCode, literalsIn, namesFile, saidIn, type UsingFile } from './file-users.ts';
import { inTestPlace, isOfTests, isProduct } from './test-side.ts';
import { isTestFile } from './test-files.ts';

export interface UnnamedQuestion {
  /** Added and deleted paths. */
  readonly paths: readonly string[];
  /** Files that mention one of the words of `unnamedWords`, of the base and of the commit. */
  readonly usersBefore: readonly UsingFile[];
  readonly usersAfter: readonly UsingFile[];
  /** Files that the checks start or lead to, wherever they lie. */
  readonly checks: readonly string[];
  /** Those of the paths that hold what Forge itself wrote. */
  readonly own: readonly string[];
}

export function unnamedFiles({ paths, usersBefore, usersAfter, checks, own }: UnnamedQuestion): readonly string[] {
  const ofChecks = new Set(checks);
  const readers = usersBefore.filter((user) => !ofChecks.has(user.path));
  // What a test or check of the base looks for, only product code of the base may have a use for.
  const isAwaited = (path: string): boolean =>
    usersBefore.some((user) => isOfTests(user.path, ofChecks) && namesFile(user, path));
  const isNamed = (path: string): boolean => {
    const naming = isAwaited(path)
      ? readers.filter((user) => !isOfTests(user.path, ofChecks))
      : [...usersAfter, ...usersBefore];
    return (
      naming.some((user) => user.path !== path && namesFile(user, path)) ||
      readers.some((user) => isProduct(user, path) && namesDirectory(user, path))
    );
  };
  const ofForge = new Set(own);
  const watched = new Set(usersBefore.filter(({ path }) => isOfTests(path, ofChecks)).flatMap(directoriesIn));
  const isLeftAlone = (path: string): boolean =>
    ofForge.has(path) &&
    !isAwaited(path) &&
    !posix
      .dirname(path)
      .split('/')
      .some((part) => watched.has(part));
  return paths.filter((path) => canBeUnnamed(path) && !isNamed(path) && !isLeftAlone(path));
}

/** The directory that product code may read without naming its files. */
export function directoryWord(path: string): string {
  return posix.basename(posix.dirname(path));
}

/** False for what has a reader that no text names: a runner, a compiler, a package manager. */
export function canBeUnnamed(path: string): boolean {
  if (isJudgeFile(path) || isTestFile(path) || inTestPlace(path)) return false;
  if (
    /(?:^|\/)(?:package\.json|pyproject\.toml|go\.(?:mod|sum|work)|cargo\.(?:toml|lock)|__init__\.py|\.gitignore|\.gitattributes)$/i.test(
      path,
    )
  )
    return false;
  return !isCode(path) || /\.(?:[cm]?[jt]sx?|py)$/.test(path);
}

function namesDirectory({ text }: UsingFile, path: string): boolean {
  const directory = directoryWord(path);
  if (directory === '.' || directory === '') return false;
  return literalsIn(text).some((literal) => literal.split('/').includes(directory));
}

/** Every word of a path that a string may be. */
function directoriesIn(user: UsingFile): readonly string[] {
  return saidIn(user).flatMap((said) => said.split('/'));
}
