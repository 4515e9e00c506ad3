/** Files that were read before, as a tree: of a commit, or of texts that a run keeps. Pure. */
import { Buffer } from 'node:buffer';
import type { SourceTree } from './source-tree.ts';

export function memoryTree(files: ReadonlyMap<string, Buffer | string>): SourceTree {
  const folders = new Map<string, Map<string, 'file' | 'directory'>>();
  for (const path of files.keys()) {
    const parts = path.split('/');
    for (const [depth, name] of parts.entries()) {
      const parent = parts.slice(0, depth).join('/');
      const known = folders.get(parent) ?? new Map<string, 'file' | 'directory'>();
      known.set(name, depth === parts.length - 1 ? 'file' : 'directory');
      folders.set(parent, known);
    }
  }
  return {
    read: (path) => {
      const content = files.get(path);
      if (content === undefined) return { status: 'absent' };
      return { status: 'read', bytes: typeof content === 'string' ? Buffer.from(content) : content, mode: 0o644 };
    },
    list: (path) => {
      const found = folders.get(path === '.' ? '' : path);
      if (found === undefined) return { status: 'absent' };
      return { status: 'read', entries: [...found].map(([name, kind]) => ({ name, kind })) };
    },
  };
}

/** The same tree, seen from one of its folders. */
export function subtreeOf(tree: SourceTree, folder: string): SourceTree {
  const inside = (path: string): string => (path === '.' || path === '' ? folder : `${folder}/${path}`);
  return { read: (path) => tree.read(inside(path)), list: (path) => tree.list(inside(path)) };
}
