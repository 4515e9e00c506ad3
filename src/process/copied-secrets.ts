/**
 * The values in a file that agents are given, such as `.env`: what follows the names of its lines, the texts of a JSON
 * file, the lines of a key. A value that says nothing (a word, a number, a path, an address without a password) is not
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

function fromLines(text: string): readonly Entry[] {
  return text.split(/\r?\n/).flatMap((line): readonly Entry[] => {
    if (/^\s*[#;]/.test(line)) return [];
    const [, name = '', given = ''] = /^\s*(?:export\s+)?([^=\s][^=]{0,300}?)\s*(?:=|:\s)\s*(.*)$/.exec(line) ?? [];
    const [, quoted] = /^(?:"([^"]*)"|'([^']*)')/.exec(given)?.filter((part) => part !== undefined) ?? [];
    const value = quoted ?? given.replace(/\s+#.*$/, '').trim();
    return value === '' ? [] : [[name, value]];
  });
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
