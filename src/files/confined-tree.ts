/**
 * A directory as a tree of files to read: no link followed, no path that leaves it, sizes bounded. A place that the system
 * refuses in an unexpected way is refused, not thrown, so that one odd file does not end a whole reading.
 */
import { messageOf } from '../errors.ts';
import { listConfined, readConfined, type ReadDirectory, type ReadFile } from './confined.ts';

export interface ConfinedTree {
  read(path: string): ReadFile;
  list(path: string): ReadDirectory;
}

export function openConfinedTree(root: string, maxBytes?: number): ConfinedTree {
  return {
    read: (path) => refusing(path, () => readConfined(root, path, maxBytes)),
    list: (path) => refusing(path, () => listConfined(root, path)),
  };
}

function refusing<T>(path: string, ask: () => T): T | { readonly status: 'refused'; readonly why: string } {
  if (path.split('/').includes('..') || path.includes('\0')) return { status: 'refused', why: 'leads outside' };
  try {
    return ask();
  } catch (error) {
    return { status: 'refused', why: `cannot be read (${messageOf(error)})` };
  }
}
