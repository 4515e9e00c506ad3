/**
 * Who uses a file, by text: which other file imports it, names it in a string, names the directory it lies in, or
 * reaches it under another name that a manifest or configuration gives it (`imports`, `paths`, an alias). Words count
 * where a text has no strings, such as in a makefile or a shell script. Pure and linear.
 */
import { posix } from 'node:path';

export interface UsingFile {
  readonly path: string;
  readonly text: string;
}

export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kts?|scala|groovy|rb|php|cs|swift|exs?|dart|vue|svelte|c|cc|cpp|h|hpp)$/.test(
    path,
  );
}

/** What to search a commit for, to find the files that may use this one. */
export function searchWords(path: string): readonly string[] {
  const { name, dir, base } = posix.parse(path);
  const stem = isIndex(name) ? posix.basename(dir) : name.replace(/\.(?:test|spec|d)$/, '');
  const installed = packageOf(path);
  const words = [...(isCode(path) ? [stem] : [base, stem]), ...(installed === undefined ? [] : [installed])];
  return [...new Set(words)].filter((word) => word.length > 1);
}

/** Directories that a file may be reached through, when nobody names the file itself. */
export function directoryWords(path: string): readonly string[] {
  const directory = posix.dirname(path);
  if (isCode(path) && (isSourceDirectory(directory) || packageOf(path) !== undefined)) return [];
  return directory.split('/').filter((part) => part.length > 1 && !isSourceDirectory(part));
}

/** Does a file import another one, name it, or name the directory that it is read from? */
export function isUsedBy(user: UsingFile, path: string, aliases: readonly string[] = []): boolean {
  return namesFile(user, path, aliases) || namesDirectory(user, path);
}

/** Does a file import another one, or name it in a string? */
export function namesFile(user: UsingFile, path: string, aliases: readonly string[] = []): boolean {
  const { dir, name, base } = posix.parse(path);
  const bare = posix.join(dir, name);
  const targets = new Set([path, bare, ...(isIndex(name) ? [dir] : [])]);
  const installed = packageOf(path);
  for (const said of saidIn(user)) {
    if (said === base || said.endsWith(`/${base}`)) return true;
    if (isCode(path) && (said === name || said.endsWith(`/${name}`)) && !said.startsWith('.')) return true;
    if (installed !== undefined && (said === installed || said.startsWith(`${installed}/`))) return true;
    if (aliases.some((alias) => isAlias(alias, said))) return true;
    if (said.startsWith('.')) {
      const meant = posix.join(posix.dirname(user.path), said);
      if (targets.has(meant) || targets.has(meant.replace(/\.[cm]?jsx?$/, ''))) return true;
    }
  }
  return isCode(path) && importsByName(user.text, dottedOf(path));
}

/**
 * A string that is a directory above the file, also where a pattern or a template goes on from there: `data`,
 * `'../cases/'`, `rules/*.mjs`. Code in a source directory is imported by its name and not meant by that of its directory.
 */
function namesDirectory(user: UsingFile, path: string): boolean {
  const directory = posix.dirname(path);
  if (directory === '.' || (isCode(path) && (isSourceDirectory(directory) || packageOf(path) !== undefined)))
    return false;
  return saidIn(user).some((said) => {
    const open = said.search(/[*?{$<%[]/);
    const named = (open === -1 ? said : said.slice(0, said.lastIndexOf('/', open) + 1)).replace(/\/+$/, '');
    if (named.length < 2) return false;
    if (named.startsWith('.'))
      return [posix.join(posix.dirname(user.path), named), posix.normalize(named)].some(
        (meant) => meant !== '.' && `${directory}/`.startsWith(`${meant}/`),
      );
    return `/${directory}/`.includes(`/${named}/`);
  });
}

export function isSourceDirectory(directory: string): boolean {
  return /(?:^|\/)(?:src|source|sources|lib|libs|app|apps|packages|cmd|internal|pkg|server|client|core|crates)(?:\/|$)/i.test(
    directory,
  );
}

/** Other names that a manifest or a configuration gives to a file, such as `#same` or `@kit`. */
export function aliasesIn(user: UsingFile, path: string): readonly string[] {
  const here = posix.dirname(user.path);
  const means = (said: string): boolean => {
    const meant = posix.join(here, said);
    if (meant === path || meant === path.replace(/\.\w+$/, '')) return true;
    return meant.includes('*') && path.startsWith(meant.slice(0, meant.indexOf('*')));
  };
  if (posix.basename(user.path) === 'package.json')
    return Object.entries(importsOf(user.text)).flatMap(([alias, target]) =>
      literalsIn(JSON.stringify(target)).some(means) ? [alias] : [],
    );
  // In configuration an alias stands on the line of its target.
  return user.text.split('\n').flatMap((line) => {
    const said = line.length > 2000 ? [] : literalsIn(line);
    return said.some(means) ? said.filter((each) => !means(each) && /^[@#~\w]/.test(each)) : [];
  });
}

function isAlias(alias: string, said: string): boolean {
  const open = alias.indexOf('*');
  return open > 0 ? said.startsWith(alias.slice(0, open)) : said === alias || said.startsWith(`${alias}/`);
}

function importsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const { imports } = JSON.parse(text) as { readonly imports?: unknown };
    return typeof imports === 'object' && imports !== null ? (imports as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/**
 * Strings of any language, as far as they are on one line: whatever stands between two quotes of a kind. A quote inside
 * another string or a pattern must not hide what follows it, so what is between two strings counts as well.
 */
export function literalsIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const line of text.split('\n')) {
    for (const quote of ['"', "'", '`']) {
      if (!line.includes(quote)) continue;
      for (const piece of line.split(quote).slice(1, -1)) if (piece !== '' && piece.length <= 300) found.push(piece);
    }
  }
  return found;
}

const mostWords = 20_000;

/** Scripts and makefiles say paths without quotes. */
export function saidIn({ path, text }: UsingFile): readonly string[] {
  if (isCode(path) || !isScriptText(path)) return literalsIn(text);
  const words = text.slice(0, 256 * 1024).match(/[^\s"'`=:;,()|&<>!#\\]{1,300}/g) ?? [];
  return [...literalsIn(text), ...words.slice(0, mostWords)];
}

/** Text that a shell, make or a task runner reads. */
function isScriptText(path: string): boolean {
  const file = posix.basename(path);
  return (
    /\.(?:sh|bash|zsh|mk|bats)$|^(?:gnu)?makefile|^\.?justfile$|^taskfile\.ya?ml$/i.test(file) || !file.includes('.')
  );
}

function isIndex(name: string): boolean {
  return /^(?:index|mod|__init__)$/.test(name);
}

/** The package that a file of the repository's own `node_modules` belongs to. */
export function packageOf(path: string): string | undefined {
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*(?:^|\/)node_modules\/)/.exec(path)?.[1];
}

function dottedOf(path: string): { readonly stem: string; readonly parent: string } {
  const { dir, name } = posix.parse(path);
  const stem = isIndex(name) ? posix.basename(dir) : name;
  return { stem, parent: posix.basename(dir) };
}

/** Python, Rust, Java and Go name modules without quotes, or by their directory. */
function importsByName(text: string, { stem, parent }: { readonly stem: string; readonly parent: string }): boolean {
  const word = new RegExp(`(?<![\\w])${escaped(stem)}(?![\\w])`);
  const lines = text.split('\n').filter((line) => line.length < 1000);
  const statements = lines.filter((line) =>
    /^\s*(?:from\s+[\w.]+\s+import|import|use|mod|pub mod|package)\b/.test(line),
  );
  if (statements.some((line) => word.test(line.replaceAll(/["'`][^"'`]*["'`]/g, '')))) return true;
  return (
    parent !== '' &&
    lines.some((line) => new RegExp(`^\\s*(?:import\\s+)?(?:\\w+\\s+)?"[^"]*/${escaped(parent)}"`).test(line))
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
