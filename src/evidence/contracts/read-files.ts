/** Every file by the reader of its language, once, within what one check may cost; the rest is not judged. */
import { isJsPath } from './js-parse.ts';
import { readJs } from './js-reader.ts';
import { readJson } from './json-syntax.ts';
import { readPython } from './python-reader.ts';
import type { Shape } from './shape.ts';

export type FileReading =
  | { readonly status: 'read'; readonly shape: Shape | undefined }
  | { readonly status: 'broken'; readonly line: number; readonly message: string }
  | { readonly status: 'unread' };

const maxChars = 12_000_000;

export const isPage = (path: string): boolean => /\.html?$/i.test(path);
const isPython = (path: string): boolean => path.endsWith('.py');
const isJson = (path: string): boolean => path.endsWith('.json');

/** What there is a reader for; anything else need not be fetched. */
export function isReadable(path: string): boolean {
  return isJsPath(path) || isPython(path) || isJson(path) || isPage(path);
}

/** In the order given: what comes first is read first. */
export function readFiles(
  files: readonly { readonly path: string; readonly text: string }[],
): ReadonlyMap<string, FileReading> {
  const found = new Map<string, FileReading>();
  let room = maxChars;
  for (const { path, text } of files) {
    if (found.has(path) || isPage(path) || !isReadable(path)) continue;
    room -= text.length;
    found.set(path, room < 0 ? { status: 'unread' } : readFile(path, text));
  }
  return found;
}

function readFile(path: string, text: string): FileReading {
  if (isPython(path)) return readPython(path, text);
  if (isJsPath(path)) return readJs(path, text);
  const json = readJson(path, text);
  return json.status === 'good' ? { status: 'read', shape: undefined } : json;
}
