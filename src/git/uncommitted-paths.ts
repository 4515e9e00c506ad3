/** Paths of a checkout that differ from its commit, as `git status` lists them. Only reads. */
import { decodePath, type RawPath, splitRaw } from './raw-path.ts';
import { type GitCall, git } from './run-git.ts';

/** `options` say what counts: untracked files, submodules, a path. */
export async function uncommittedPaths(call: GitCall, options: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await git(['status', '--porcelain=v1', '-z', '--no-renames', ...options], call);
  // A file taken out of the index but kept is reported twice.
  return [...new Set(splitRaw(stdout).map((line) => decodePath(line.slice(3) as RawPath)))];
}
