/**
 * The file of the commit that a Python module name means. Relative names are exact. An absolute one is looked for from
 * every directory that could be on the path (the root, `src`, and those above the importing file that are not packages);
 * where several files fit, or the name is the standard library's, nothing is claimed.
 */
import { stdlibNames } from './known-names.ts';
import { directoryOf, type Paths } from './paths.ts';

export function resolvePython(paths: Paths, importer: string, module: string): string | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const names = module
    .slice(dots)
    .split('.')
    .filter((name) => name !== '');
  if (dots > 0) {
    const from = upwards(directoryOf(importer), dots - 1);
    return from === undefined ? undefined : only(filesOf(paths, from, names));
  }
  const [first = ''] = names;
  if (stdlibNames.has(first)) return undefined;
  const found = rootsFor(paths, importer).flatMap((root) => filesOf(paths, root, names));
  return only([...new Set(found)]);
}

/** Something of this name lies in the package: a module, a stub, an extension, a directory. */
export function hasSubmodule(paths: Paths, file: string, name: string): boolean {
  if (!file.endsWith('/__init__.py') && file !== '__init__.py') return false;
  const directory = directoryOf(file);
  const below = under(directory, name);
  return paths.hasBelow(below) || paths.in(directory).some((path) => path.startsWith(`${below}.`));
}

function filesOf(paths: Paths, root: string, names: readonly string[]): string[] {
  const target = names.reduce(under, root);
  const files = names.length === 0 ? [under(target, '__init__.py')] : [`${target}.py`, under(target, '__init__.py')];
  // A stub says more than the file.
  if (files.some((file) => paths.has(`${file}i`))) return [];
  return files.filter((file) => paths.has(file));
}

function rootsFor(paths: Paths, importer: string): string[] {
  const roots = ['', 'src', 'lib', 'python'];
  for (let at = directoryOf(importer); at !== ''; at = directoryOf(at))
    if (!paths.has(`${at}/__init__.py`)) roots.push(at, `${at}/src`);
  return [...new Set(roots)];
}

function upwards(directory: string, levels: number): string | undefined {
  let at = directory;
  for (let level = 0; level < levels; level += 1) {
    if (at === '') return undefined;
    at = directoryOf(at);
  }
  return at;
}

function under(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

function only(found: readonly string[]): string | undefined {
  return found.length === 1 ? found[0] : undefined;
}
