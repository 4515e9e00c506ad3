/**
 * Where a git hook of the repository is. One that is part of the repository is taken from the judge commit, never from the
 * commit it judges; one outside of it, or not tracked, is the person's own file. Husky keeps its hooks one directory above
 * the generated one that git is told about. Nothing is run here.
 */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { listFiles } from './changes.ts';
import type { Repository } from './git.ts';

export type FoundHook =
  | {
      readonly place: 'commit';
      /** Below the root of the repository. */
      readonly path: string;
      /** Everything here comes from the judge. */
      readonly directory: string;
      readonly runWith: readonly string[];
    }
  | { readonly place: 'person'; readonly path: string; readonly directory: string };

export async function findHook(repo: Repository, judge: string, name: string): Promise<FoundHook | undefined> {
  const { hooksPath, hooksDir } = repo;
  if (hooksPath !== undefined) {
    const isHusky = basename(hooksPath) === '_';
    const directory = isHusky ? posix.dirname(hooksPath) : hooksPath;
    const path = posix.join(directory, name);
    const tracked = (await listFiles(repo, judge)).find((file) => file.path === path);
    // Git passes over a hook that is not executable; Husky has a shell read it.
    if (isHusky && tracked !== undefined) return { place: 'commit', path, directory, runWith: ['sh', '-e'] };
    if (tracked !== undefined) {
      return tracked.mode === '100755' ? { place: 'commit', path, directory, runWith: [] } : undefined;
    }
  }
  if (hooksDir === undefined) return undefined;
  const path = join(hooksDir, name);
  return (await isExecutable(path)) ? { place: 'person', path, directory: hooksDir } : undefined;
}

/** Which of these hooks git would run for a commit of the person's own. */
export async function activeHooks<T extends string>(repo: Repository, names: readonly T[]): Promise<readonly T[]> {
  const { hooksDir } = repo;
  if (hooksDir === undefined) return [];
  const found = await Promise.all(names.map((name) => isExecutable(join(hooksDir, name))));
  return names.filter((_, at) => found[at] === true);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
