/**
 * A bounded walk of a directory: sorted, links not followed, without .git and node_modules unless asked for by name.
 * The bound counts what is looked at, not what matches, so that no tree is too big.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface WalkedFile {
  /** Relative to the start, with `/` at the end of directories. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

const passedOver = new Set(['.git', 'node_modules']);

/** Returns true when the walk saw everything. */
export function walkFiles(
  start: string,
  depth: number,
  visit: (entry: WalkedFile) => boolean,
  maxEntries = 100_000,
): boolean {
  let seen = 0;
  const into = (directory: string, level: number): boolean => {
    for (const entry of entriesOf(join(start, directory))) {
      if (++seen > maxEntries) return false;
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (!visit({ path: entry.isDirectory() ? `${path}/` : path, kind: kindOf(entry) })) return false;
      if (entry.isDirectory() && level < depth && !passedOver.has(entry.name) && !into(path, level + 1)) return false;
    }
    return true;
  };
  return into('', 1);
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Not readable, or gone in the meantime: there is nothing to see there.
    return [];
  }
}

function kindOf(entry: Dirent): WalkedFile['kind'] {
  if (entry.isDirectory()) return 'directory';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
