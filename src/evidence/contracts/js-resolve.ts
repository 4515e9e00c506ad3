/**
 * The file of the commit that a relative specifier names, by the rules that Node, bundlers and TypeScript share:
 * extensions may be left out, `.js` may be a `.ts`, a directory is its index. Where two files fit, the tools would
 * disagree, so neither is taken. Packages, aliases and generated files resolve to nothing.
 */
import { isJsPath } from './js-parse.ts';
import { joinPath, type Paths } from './paths.ts';

export function resolveJs(paths: Paths, importer: string, specifier: string): string | undefined {
  if (!isRelative(specifier)) return undefined;
  const target = joinPath(importer, specifier);
  if (target === undefined) return undefined;
  const found = candidates(target, specifier.endsWith('/')).filter((path) => paths.has(path));
  const [only] = found;
  if (found.length !== 1 || only === undefined || !isJsPath(only)) return undefined;
  return only;
}

/** The file that differs from what is named only in case or in dashes, where nothing else fits. */
export function likelyMeant(paths: Paths, importer: string, specifier: string): string | undefined {
  const target = isRelative(specifier) ? joinPath(importer, specifier) : undefined;
  if (target === undefined || target === '' || candidates(target, false).some((path) => paths.has(path)))
    return undefined;
  // A directory, a file beside it with another ending, or a platform's variant may serve it.
  const stem = target.replace(/\.[cm]?[jt]sx?$/, '');
  const siblings = paths.in(target.slice(0, Math.max(0, target.lastIndexOf('/'))));
  if (/\.\w+$/.test(stem) || paths.hasBelow(target) || siblings.some((path) => path.startsWith(`${stem}.`)))
    return undefined;
  const wanted = plain(stem);
  const near = siblings.filter((path) => isJsPath(path) && plain(path.replace(/\.[cm]?[jt]sx?$/, '')) === wanted);
  return near.length === 1 ? near[0] : undefined;
}

function isRelative(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier) && !/[?#!]/.test(specifier);
}

function plain(path: string): string {
  return path.toLowerCase().replace(/[-_]/g, '');
}

const endings = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.vue', '.svelte'];
const others: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, ['.ts', '.tsx', '.d.ts']],
  [/\.jsx$/, ['.tsx', '.d.ts']],
  [/\.mjs$/, ['.mts', '.d.mts']],
  [/\.cjs$/, ['.cts', '.d.cts']],
];

function candidates(target: string, isDirectory: boolean): string[] {
  const index = target === '' ? 'index' : `${target}/index`;
  const inside = [`${target}/package.json`, ...endings.map((ending) => index + ending)];
  if (isDirectory || target === '') return inside;
  const typed = others.flatMap(([ending, all]) =>
    ending.test(target) ? all.map((other) => target.replace(ending, other)) : [],
  );
  return [target, ...typed, ...endings.map((ending) => target + ending), ...inside];
}
