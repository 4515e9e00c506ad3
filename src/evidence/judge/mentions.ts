/**
 * Which files a text mentions: every word that may be a path, in scripts, makefiles, configuration and code. Whoever
 * knows the tree decides which of them are there. It is better to take a word too many than to miss one; where a path
 * begins with a variable (`$ROOT/lib.sh`, `<rootDir>/setup.js`), what follows it counts. Pure and linear.
 */
import { posix } from 'node:path';

const maxTokens = 20_000;
const maxBytes = 256 * 1024;

export function mentionedWords(path: string, text: string): readonly string[] {
  const source = text.slice(0, maxBytes);
  const parts = isCode(path) ? literals(source) : [source];
  const found = new Set<string>();
  for (const part of parts) {
    for (const word of part.replaceAll(variable, '\0/').match(words) ?? []) {
      if (found.size >= maxTokens) return [...found];
      const tail = word.slice(word.lastIndexOf('\0') + 1).replace(/^\/+(?=.)/, word.includes('\0') ? '' : '/');
      const bare = tail.replace(/[.,]+$/, '');
      if (bare !== '' && bare.length <= 300 && !bare.includes('*') && !posix.isAbsolute(bare)) found.add(bare);
    }
  }
  return [...found];
}

const variable = /\$\{[^}\n]{0,80}\}|\$\([^)\n]{0,120}\)|\$\w+|<\w+>|\{\{[^}\n]{0,80}\}\}|%\w+%|@@?D\b/g;
const words = /[^\s"'`=:;,()<>|&{}[\]!#\\]+/g;

/** Program text says paths in strings and imports; its other words are names. */
export function isCode(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|go|rs|java|kts?|groovy|scala|cs|swift|dart|exs?)$/.test(path);
}

function literals(source: string): string[] {
  const strings = [...source.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n]){1,300})\1/g)].map((match) => match[2] ?? '');
  const imports = [...source.matchAll(/^[ \t]*(?:from|import)[ \t]+([\w.]{1,200})/gm)].map((match) => match[1] ?? '');
  return [...strings, ...imports];
}

/** Is the word started as a program somewhere in the text: `node word`, `. word`, `./word`? */
export function isStartedIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before =
      text
        .slice(Math.max(0, at - 160), at)
        .split(/[\n;|&]/)
        .at(-1) ?? '';
    if (before.endsWith('./') || interpreters.test(before)) return true;
  }
  return false;
}

const interpreters =
  /(?:^|[\s@("'`])(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php|(?:ba|da|z|k|a)?sh|source|\.)\s[^\n]*$/;

const extensions = [
  '',
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.jsx',
  '.json',
  '.py',
  '.sh',
  '.mk',
  '.rb',
];
const indexes = ['/index.js', '/index.mjs', '/index.cjs', '/index.ts', '/__init__.py', '/__main__.py', '/conftest.py'];

/** Every path that a word may mean, seen from a file in `directory`, nearest first. */
export function possiblePaths(word: string, directories: readonly string[]): readonly string[] {
  const dotted = /^(?:\.+[A-Za-z_]\w*(?:\.\w+)*|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)$/.test(word)
    ? [word, pythonPath(word)]
    : [word];
  const named = dotted.flatMap((each) => directories.map((directory) => posix.normalize(posix.join(directory, each))));
  const inside = named.filter((path) => path !== '.' && path !== '..' && !path.startsWith('../'));
  return [...new Set(inside)]
    .map((path) => path.replace(/\/$/, ''))
    .flatMap((path) => [
      ...extensions.map((extension) => `${path}${extension}`),
      ...indexes.map((index) => `${path}${index}`),
      // TypeScript imports `./x.js` where the file is `x.ts`.
      ...(/\.[cm]?js$/.test(path) ? [path.replace(/js$/, 'ts'), path.replace(/js$/, 'tsx')] : []),
    ]);
}

/** `tools.plugin` and `..helpers.x`, as Python means them. */
function pythonPath(module: string): string {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(module) ?? [];
  return `${'../'.repeat(Math.max(0, dots.length - 1))}${rest.replaceAll('.', '/')}`;
}
