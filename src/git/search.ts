/** Which files of a commit hold one of some words. Plain words only, text files only, and nothing is checked out. */
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { decodePath, type RawPath, splitRaw } from './raw-path.ts';
import { git } from './run-git.ts';

export async function filesWithWords(
  repo: Repository,
  commit: string,
  words: readonly string[],
): Promise<readonly string[]> {
  const wanted = words.filter((word) => word !== '' && !/[\n\0]/.test(word));
  if (wanted.length === 0) return [];
  const args = ['grep', '-z', '-l', '-I', '-F', '--no-color', '--full-name', '-f', '-', commit];
  const { stdout } = await git(args, { ...objectCall(repo), stdin: `${wanted.join('\n')}\n`, answers: [0, 1] });
  // Each line is `<commit>:<path>`.
  return splitRaw(stdout).map((line) => decodePath(line.slice(commit.length + 1) as RawPath));
}
