/** The paths of a commit, to ask what is there. Slashes only; nothing leads out of the repository. */

export interface Paths {
  has(path: string): boolean;
  /** Is it a directory? */
  hasBelow(path: string): boolean;
  /** The files right in a directory; `''` is the root. */
  in(directory: string): readonly string[];
}

export function pathsOf(all: readonly string[]): Paths {
  const files = new Set(all);
  const directories = new Map<string, string[]>();
  for (const path of all) {
    let parent = directoryOf(path);
    const known = directories.get(parent);
    if (known === undefined) directories.set(parent, [path]);
    else known.push(path);
    while (parent !== '') {
      parent = directoryOf(parent);
      if (directories.has(parent)) break;
      directories.set(parent, []);
    }
  }
  return {
    has: (path) => files.has(path),
    hasBelow: (path) => directories.has(path),
    in: (directory) => directories.get(directory) ?? [],
  };
}

export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A path relative to a file; undefined where it leaves the repository. */
export function joinPath(from: string, relative: string): string | undefined {
  const parts = directoryOf(from)
    .split('/')
    .filter((part) => part !== '');
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
