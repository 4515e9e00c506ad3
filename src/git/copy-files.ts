/**
 * Puts chosen ignored files of the user's checkout (such as `.env`) into a workspace. Regular files only, confined
 * to the repository, never through a symlink that leaves it; what the commit itself holds is not replaced.
 */
import { constants } from 'node:fs';
import { copyFile, lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { makeParents, relativePath } from './confined.ts';
import { isInside } from './data-dir.ts';

/** Copies what exists, and says what that was. */
export async function copyFiles(root: string, tree: string, paths: readonly string[]): Promise<readonly string[]> {
  const copied: string[] = [];
  for (const given of paths) {
    const path = relativePath(given, 'the file to copy');
    const source = await sourceOf(root, path);
    if (source === undefined) continue;
    const target = join(tree, path);
    if ((await lstat(target).catch(() => undefined)) !== undefined) continue;
    if (!(await makeParents(tree, path))) {
      throw new ForgeError(
        'workspace-failed',
        `${path} cannot be copied: something else is in its place in the commit`,
      );
    }
    // A clone where the file system can; never a hard link, which would let an agent write the original.
    await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    copied.push(path);
  }
  return copied;
}

async function sourceOf(root: string, path: string): Promise<string | undefined> {
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (real === undefined) return undefined;
  if (!isInside(real, root)) {
    throw new ForgeError('bad-config', `the file to copy "${path}" leads out of the repository`, {
      hint: 'Name a regular file inside the repository.',
    });
  }
  if (!(await lstat(real)).isFile()) {
    throw new ForgeError('bad-config', `"${path}" is not a regular file: only files can be copied into a workspace`);
  }
  return real;
}
