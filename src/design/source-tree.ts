/**
 * The files a design is read from: a directory on disk or a commit, seen through the same two questions. Paths are relative
 * to the repository, with slashes. `resolveLink` turns a link in a document into such a path and refuses everything that
 * leads out of the repository. Pure; whoever opens the tree follows no link of the file system.
 */
import { posix } from 'node:path';
import type { ReadDirectory, ReadFile } from '../files/confined.ts';

export interface SourceTree {
  read(path: string): ReadFile;
  list(path: string): ReadDirectory;
}

export type ResolvedLink =
  | { readonly status: 'inside'; readonly path: string }
  /** A web page or a place in the same document. */
  | { readonly status: 'other' }
  | { readonly status: 'outside' };

/** `url` as written in the document `from`. */
export function resolveLink(from: string, url: string): ResolvedLink {
  const [target = ''] = url.split(/[?#]/, 1);
  if (target === '' || /^[a-z][a-z\d+.-]*:/i.test(target) || target.startsWith('//')) return { status: 'other' };
  const decoded = decode(target);
  if (decoded === undefined || decoded.includes('\0') || decoded.includes('\\')) return { status: 'outside' };
  const path = decoded.startsWith('/')
    ? posix.normalize(decoded.slice(1))
    : posix.normalize(posix.join(posix.dirname(from), decoded));
  if (path === '..' || path.startsWith('../') || posix.isAbsolute(path)) return { status: 'outside' };
  return { status: 'inside', path: path.replace(/\/+$/, '') || '.' };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing: the name is meant as written.
    return /%[0-9a-f]{2}/i.test(text) ? undefined : text;
  }
}
