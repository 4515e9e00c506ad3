/**
 * Product code that names what its tests compare with, such as a fixture or a test file: it may know the answers instead of
 * working them out, and no test can see that. Only names that a change adds and that lead to a file of the base. Pure.
 */
import { posix } from 'node:path';
import { isCode, isSourceDirectory, saidIn } from './file-users.ts';
import { isJudgeFile } from './judge-files.ts';
import { isTestFile } from './test-files.ts';
import { inTestPlace, isScript } from './test-side.ts';

export interface ReadsQuestion {
  readonly files: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  /** Every path of the base. */
  readonly paths: readonly string[];
}

export interface ReadOfTests {
  readonly path: string;
  /** The file or directory that it names. */
  readonly named: string;
}

export function readsOfTests({ files, paths }: ReadsQuestion): readonly ReadOfTests[] {
  const tests = paths.filter(
    (path) => isTestFile(path) || (inTestPlace(path) && !isSourceDirectory(posix.dirname(path))),
  );
  const places = placesOf(tests);
  return files.flatMap(({ path, before, after }): ReadOfTests[] => {
    if (!isCode(path) || isTestFile(path) || inTestPlace(path) || isScript(path) || isJudgeFile(path)) return [];
    const known = new Set(saidIn({ path, text: before }));
    const said = saidIn({ path, text: after });
    const named = said.find((each) => !known.has(each) && meant(each, path, places) !== undefined);
    if (named !== undefined) return [{ path, named: meant(named, path, places) ?? named }];
    const joined = joinedName(said, known, tests);
    return joined === undefined ? [] : [{ path, named: joined }];
  });
}

/** Files, and the directories they lie in as far as these are of tests. */
function placesOf(tests: readonly string[]): ReadonlySet<string> {
  const places = new Set(tests);
  for (const path of tests)
    for (
      let directory = posix.dirname(path);
      directory !== '.' && !places.has(directory);
      directory = posix.dirname(directory)
    )
      if (inTestPlace(`${directory}/x`)) places.add(directory);
  return places;
}

function meant(said: string, from: string, places: ReadonlySet<string>): string | undefined {
  if (!said.includes('/') || /\s/.test(said)) return undefined;
  const open = said.search(/[*?{$<%[]/);
  const plain = (open === -1 ? said : said.slice(0, said.lastIndexOf('/', open))).replace(/\/+$/, '');
  if (plain === '' || posix.isAbsolute(plain)) return undefined;
  // A pattern may well leave a whole directory of tests out.
  const isTelling = (each: string): boolean => places.has(each) && (each.includes('/') || said.startsWith('../'));
  return [posix.join(posix.dirname(from), plain), posix.normalize(plain)].find(isTelling);
}

/** A path in parts, `join(root, 'test', 'carts.json')`: its directory and its name are both said. */
function joinedName(said: readonly string[], known: ReadonlySet<string>, tests: readonly string[]): string | undefined {
  const words = new Set(said);
  const data = new Set(said.filter((each) => !known.has(each) && /^[\w-]+\.\w+$/.test(each)));
  if (data.size === 0) return undefined;
  return tests.find(
    (path) =>
      data.has(posix.basename(path)) &&
      path
        .split('/')
        .slice(0, -1)
        .every((part) => words.has(part)),
  );
}
