/**
 * Whether a file is part of what judges or part of the product, by where it lies. Only asked about files that some check
 * mentions. Directories of scripts, tools and tests judge; source directories and packages are the product, which must
 * always be the commit's own: judged with the old product, a commit would pass for code it no longer has. Pure.
 */
import { isTestFile } from '../test-files.ts';
import { isCode } from './mentions.ts';

const harness =
  /^(?:scripts?|tools?|tooling|ci|\.ci|hack|dev|testing|tests?|specs?|__tests__|e2e|qa|checks?|configs?|\.config|etc|jest|vitest|cypress|playwright|support|helpers?|mocks?|__mocks__|fixtures|__fixtures__|testdata|\.github|\.husky|make|mk|build-aux)$/i;
const product =
  /^(?:src|source|sources|lib|libs|app|apps|packages|cmd|internal|pkg|server|client|web|www|ui|components|pages|public|static|assets|api|core|crates|dist|docs?|examples?|migrations|locales?|i18n)$/i;
const tests = /^(?:tests?|specs?|__tests__|e2e|testing)$/i;

type Place = 'harness' | 'product' | 'unknown';

function placeOf(path: string): Place {
  const directories = path.split('/').slice(0, -1);
  if (directories.some((name) => harness.test(name))) return 'harness';
  return directories.some((name) => product.test(name)) ? 'product' : 'unknown';
}

export function holdsTests(directory: string): boolean {
  return directory.split('/').some((name) => tests.test(name));
}

/** A name that says what a file at the root is for. */
function isNamedLikeHarness(path: string): boolean {
  return /(?:test|spec|check|verif|assert|expect|helper|setup|mock|stub|harness|runner|lint|report|matcher|valid)/i.test(
    path.split('/').at(-1) ?? '',
  );
}

/** Does a file judge that a script, a makefile or configuration mentions? `started`: as a program, behind an interpreter. */
export function judgesWhenMentioned(path: string, started = false): boolean {
  const file = path.split('/').at(-1) ?? '';
  // What a name alone marks as a test is evidence, and measured as such.
  if (
    isTestFile(file) ||
    /\.(?:md|rst|adoc|txt\.gz|png|jpe?g|gif|svg|ico|woff2?|html?|css|s[ac]ss|less|vue|svelte|sql|proto|graphql)$/i.test(
      file,
    )
  )
    return false;
  const place = placeOf(path);
  if (place !== 'unknown') return place === 'harness';
  return started || !isCode(path) || isNamedLikeHarness(path);
}

/** Documents whose examples a command runs as tests: then they are what it compares with. */
export function isRunAsTest(path: string, command: string): boolean {
  return (
    /\.(?:md|markdown|rst|adoc|txt)$/i.test(path) && /doctest|\btxm\b|\bbyexample\b|\bcram\b|\bmdtest\b/.test(command)
  );
}

/** Does a file judge that program text of a check imports? What tests share among themselves is evidence. */
export function judgesWhenImported(path: string, from: string): boolean {
  if (isTestFile(path)) return false;
  const folders = path.split('/').slice(0, -1);
  if (holdsTests(folders.join('/')) && holdsTests(from)) return false;
  const place = placeOf(path);
  if (place !== 'unknown') return place === 'harness';
  const beside = folders.length > 0 && from.startsWith(`${folders.join('/')}/`);
  return beside || (folders.length === 0 && isNamedLikeHarness(path));
}
