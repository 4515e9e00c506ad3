/**
 * Paths a model writes, confined to the workspace: what `..`, an absolute path or a symbolic link would lead out of it
 * is refused. The jail is the wall; this is the sign in front of it, so that a model gets a sentence and not EROFS.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolFailure } from './tool.ts';

/** The real absolute path; what does not exist yet is below the real path of its nearest existing parent. */
export function confinePath(root: string, path: string): string {
  if (path.includes('\0')) throw new ToolFailure('a path cannot contain a NUL character');
  const wanted = resolve(root, path);
  const real = realOrFuture(wanted, path);
  if (!isWithin(root, real)) {
    throw new ToolFailure(`${path} is outside the workspace. Use paths relative to the workspace ${root}.`);
  }
  return real;
}

/** As a person and a model should see it. */
export function relativePathText(root: string, path: string): string {
  const local = relative(root, path);
  return local === '' ? '.' : local;
}

export function isWithin(root: string, path: string): boolean {
  const local = relative(root, path);
  return local === '' || (!isAbsolute(local) && local !== '..' && !local.startsWith(`..${sep}`));
}

function realOrFuture(wanted: string, path: string): string {
  const missing: string[] = [];
  for (let at = wanted; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR') throw new ToolFailure(`${path}: a part of this path is a file, not a directory`);
      if (code !== 'ENOENT') throw new ToolFailure(`${path} cannot be used: ${code ?? 'unknown error'}`);
      // Writing through a link that leads nowhere would create its target, wherever that is.
      if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) {
        throw new ToolFailure(`${path} is a symbolic link that leads nowhere`);
      }
      missing.unshift(at.slice(dirname(at).length).replace(/^\//, ''));
    }
  }
}
