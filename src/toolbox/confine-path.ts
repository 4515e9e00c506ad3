/** A path that somebody named, as long as it stays inside the project: `..`, absolute paths and links lead nowhere else. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { ForgeError } from '../errors.ts';

/** The real path of something that exists below the root, or undefined when it is not there. */
export async function existingPath(root: string, path: string, what: string): Promise<string | undefined> {
  const asked = resolve(root, path);
  const real = await realpath(asked).catch(() => undefined);
  if (!isBelow(asked, root) || (real !== undefined && !isBelow(real, await realpath(root)))) throw outside(path, what);
  return real;
}

/** A path inside a tree, relative to its root, from one relative to a directory of it. Looks at no file. */
export function pathInTree(cwd: string, path: string, what: string): string {
  const joined = posix.normalize(posix.join(cwd === '.' ? '' : cwd.split(sep).join('/'), path));
  if (path.includes('\0') || posix.isAbsolute(path) || joined === '..' || joined.startsWith('../')) {
    throw outside(path, what);
  }
  return joined;
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(path: string, what: string): ForgeError {
  return new ForgeError('bad-input', `${what} ${JSON.stringify(path.slice(0, 200))} lies outside the project`, {
    hint: 'Give a path inside it, relative to its root or to cwd.',
  });
}
