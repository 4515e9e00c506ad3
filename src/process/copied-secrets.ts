/**
 * The values in a file that agents are given, such as `.env`: what follows the names of its lines, the texts of a JSON
 * file, the lines of a key, a token that is alone in its file, the passwords of `.netrc` and `.pgpass`. A value that says nothing (a word, a number, a path, an address without a password) is not
 * taken for a secret, unless its name says that it is one. Pure.
 */
import { looksSecret } from './secret-forms.ts';

export function secretValues(text: string): readonly string[] {
  if (text.includes('PRIVATE KEY-----')) return [text];
  const found = fromJson(text) ?? fromLines(text);
  return found.filter(([name, value]) => isSecret(name, value)).map(([, value]) => value);
}

/** Is this value, given under this name, to be kept out of everything that is written? */
export function isSecret(name: string, value: string): boolean {
  return (
    value.trim().length >= shortest && (looksSecret(name) || !harmless.some((pattern) => pattern.test(value.trim())))
  );
}

const shortest = 8;

const harmless: readonly RegExp[] = [
  // Words, numbers and versions, times, locales.
  /^[A-Za-z]{1,20}(?:[ _.,-][A-Za-z]{1,20}){0,6}$/,
  /^v?\d{1,20}(?:[.,:/-]\d{1,10}){0,6}$/,
  /^[a-z]{2}_[A-Z]{2}\.[\w-]{1,12}$/,
  // Paths, lists of paths, hosts, and addresses that carry neither a password nor a query.
  /^(?:[.~]{0,2}\/[\w.@+~ -]{0,100}){1,40}(?::\/[\w.@+~/ -]{0,400}){0,60}$/,
  /^[\w-]{1,63}(?:\.[a-z-]{1,63}){1,6}(?::\d{1,5})?$/,
  /^(?:localhost|[a-z-]{1,40}|\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/,
  /^[a-z][a-z+]{1,20}:\/\/[^@?#\s]{1,300}$/i,
];

type Entry = readonly [name: string, value: string];

/** A name and what follows it; a value in quotes may go over several lines. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?([^=\s#;][^=\n]{0,300}?)[ \t]*(?:=|:[ \t])[ \t]*(?:"((?:[^"\\]|\\[^]){0,4000})"|'([^']{0,4000})'|(.*)$)/gm;

function fromLines(text: string): readonly Entry[] {
  const placed = passwords(text);
  const whole = text.trim();
  // A file that holds a token and nothing else; base64 may end in signs of equality.
  if (placed.length === 0 && /^[^\s=]{7,}[^\s=]=*$/.test(whole)) return [['', whole]];
  return [...assigned(text), ...placed];
}

function assigned(text: string): readonly Entry[] {
  return Array.from(text.matchAll(assignment)).flatMap(([, name = '', double, single, bare = '']): readonly Entry[] => {
    const value = double ?? single ?? bare.replace(/\s+#.*$/, '').trim();
    // Programs that read the file turn these into line ends.
    const read = double?.replace(/\\[rn]/g, '\n').replace(/\\(["\\])/g, '$1');
    return [...new Set([value, read ?? value])].filter((found) => found !== '').map((found) => [name, found]);
  });
}

/** Where a password has a place and no name before it: `.netrc`, `.pgpass`. */
function passwords(text: string): readonly Entry[] {
  const patterns = [/\bpassword[ \t]+(\S{8,})/g, /^[^:\s#]+:[\d*]+:[^:\s]+:[^:\s]+:(\S{8,})$/gm];
  return patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, value = '']): Entry => ['password', value]),
  );
}

function fromJson(text: string): readonly Entry[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return leaves('', JSON.parse(text), 0);
  } catch {
    return undefined;
  }
}

function leaves(name: string, value: unknown, depth: number): readonly Entry[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null || depth > 20) return [];
  return Object.entries(value).flatMap(([key, inner]) => leaves(key, inner, depth + 1));
}
