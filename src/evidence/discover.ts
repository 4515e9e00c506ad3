/**
 * The checks of a repository for which neither plan nor settings name any: package scripts (typecheck, lint,
 * test, in this order), pytest, Go, Cargo, and a Makefile where nothing else tests. Looks at a listing of paths
 * and the text of a few files of the base commit; a placeholder script is not a check. No check found is an empty
 * list, which makes a result unverified, never passed.
 */

export interface RepositoryFiles {
  /** Every path, relative to the repository's root. */
  readonly paths: readonly string[];
  read(path: string): string | undefined;
}

export interface DiscoveredCheck {
  readonly run: readonly string[];
  /** The file that says so. */
  readonly from: string;
}

export function discoverChecks(files: RepositoryFiles): DiscoveredCheck[] {
  const paths = new Set(files.paths);
  const found = [...packageScripts(files, paths), ...pytest(files, paths)];
  if (paths.has('go.mod')) found.push({ run: ['go', 'test', './...'], from: 'go.mod' });
  if (paths.has('Cargo.toml')) found.push({ run: ['cargo', 'test'], from: 'Cargo.toml' });
  return found.some(testsSomething) ? found : [...found, ...make(files, paths)];
}

const scripts = ['typecheck', 'lint', 'test'] as const;

function packageScripts(files: RepositoryFiles, paths: ReadonlySet<string>): DiscoveredCheck[] {
  const text = paths.has('package.json') ? files.read('package.json') : undefined;
  const known = text === undefined ? {} : scriptsIn(text);
  const manager = managerOf(paths);
  return scripts
    .filter((name) => isCheck(Object.hasOwn(known, name) ? known[name] : undefined))
    .map((name) => ({ run: [manager, 'run', name], from: 'package.json' }));
}

function scriptsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const file: unknown = JSON.parse(text.startsWith('\u{feff}') ? text.slice(1) : text);
    const value = typeof file === 'object' && file !== null ? (file as { scripts?: unknown }).scripts : undefined;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function isCheck(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !script.includes('no test specified');
}

function managerOf(paths: ReadonlySet<string>): string {
  if (paths.has('pnpm-lock.yaml')) return 'pnpm';
  if (paths.has('yarn.lock')) return 'yarn';
  return paths.has('bun.lock') || paths.has('bun.lockb') ? 'bun' : 'npm';
}

function pytest(files: RepositoryFiles, paths: ReadonlySet<string>): DiscoveredCheck[] {
  const from = pytestSource(files, paths);
  return from === undefined ? [] : [{ run: ['pytest'], from }];
}

function pytestSource(files: RepositoryFiles, paths: ReadonlySet<string>): string | undefined {
  if (paths.has('pytest.ini')) return 'pytest.ini';
  const declares = (path: string, header: RegExp): boolean => paths.has(path) && header.test(files.read(path) ?? '');
  if (declares('pyproject.toml', /^[ \t]*\[tool\.pytest(?:\.ini_options)?\]/m)) return 'pyproject.toml';
  if (declares('setup.cfg', /^\[tool:pytest\]/m)) return 'setup.cfg';
  if (declares('tox.ini', /^\[pytest\]/m)) return 'tox.ini';
  return files.paths.find((path) => /^(?:[^/]+\/)?tests?\/(?:[^/]+\/){0,8}(?:test_[^/]+|[^/]+_test)\.py$/.test(path));
}

function make(files: RepositoryFiles, paths: ReadonlySet<string>): DiscoveredCheck[] {
  const from = ['GNUmakefile', 'makefile', 'Makefile'].find((path) => paths.has(path));
  const text = from === undefined ? undefined : files.read(from);
  if (from === undefined || text === undefined) return [];
  const target = ['test', 'check'].find((name) =>
    new RegExp(`^(?:[\\w.-]{1,80} ){0,9}${name}(?: [\\w.-]{1,80}){0,9}[ \\t]*::?(?!=)`, 'm').test(text),
  );
  return target === undefined ? [] : [{ run: ['make', target], from }];
}

function testsSomething(check: DiscoveredCheck): boolean {
  return check.from !== 'package.json' || check.run.at(-1) === 'test';
}
