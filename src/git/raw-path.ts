/**
 * Paths as git gives them: bytes, which need not be UTF-8. Inside this room a path is a string with one
 * character per byte, so that it can be a key, be compared and be fed back unchanged. Only what is
 * reported to people is decoded.
 */
import { Buffer } from 'node:buffer';

export type RawPath = string & { readonly __raw: true };

/** Splits `-z` output. */
export function splitRaw(output: Uint8Array): RawPath[] {
  const text = Buffer.from(output.buffer, output.byteOffset, output.byteLength).toString('latin1');
  const parts = text.split('\0');
  // What follows the last NUL is nothing.
  if (parts.at(-1) === '') parts.pop();
  return parts as RawPath[];
}

/** The bytes of a `-z` list for standard input. */
export function joinRaw(paths: readonly RawPath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}

const isPlainText = /^[ -~]*$/;

export function encodePath(path: string): RawPath {
  // Text that is the same either way: it is not copied.
  if (isPlainText.test(path)) return path as RawPath;
  return Buffer.from(path, 'utf8').toString('latin1') as RawPath;
}

export function decodePath(raw: RawPath): string {
  if (isPlainText.test(raw)) return raw;
  return Buffer.from(raw, 'latin1').toString('utf8');
}

/** What `fs` needs to reach a raw path below a directory. */
export function fsPath(root: string, raw: RawPath): Buffer {
  return raw === '' ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), Buffer.from(raw, 'latin1')]);
}

export function childPath(parent: RawPath, name: Uint8Array): RawPath {
  const text = Buffer.from(name.buffer, name.byteOffset, name.byteLength).toString('latin1');
  return (parent === '' ? text : `${parent}/${text}`) as RawPath;
}

/** `a/b/c` → `a`, `a/b`. */
export function parentsOf(raw: RawPath): RawPath[] {
  const parents: RawPath[] = [];
  for (let at = raw.indexOf('/'); at !== -1; at = raw.indexOf('/', at + 1)) parents.push(raw.slice(0, at) as RawPath);
  return parents;
}

/** Git refuses any spelling of `.git` as a path component. */
export function isGitMetadata(raw: RawPath): boolean {
  return raw.split('/').some((part) => part.toLowerCase() === '.git');
}
