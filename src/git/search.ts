/**
 * Which files of a commit hold one of some words. Plain words only, text files only, and nothing is checked out. A
 * search reads what has not been read before; where the words are too short or too many for that, git searches.
 */
import { Buffer } from 'node:buffer';
import { listFiles, type TreeEntry } from './changes.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { isObjectName, readObjects } from './object-reader.ts';
import { decodePath, type RawPath, splitRaw } from './raw-path.ts';
import { git } from './run-git.ts';
import { blobsThatMayHold, shortestWord } from './word-index.ts';

const mostWords = 100;
const bytesAtOnce = 4 * 1024 * 1024;

export async function filesWithWords(
  repo: Repository,
  commit: string,
  words: readonly string[],
): Promise<readonly string[]> {
  const wanted = [...new Set(words.filter((word) => word !== '' && !/[\n\0]/.test(word)))];
  if (wanted.length === 0) return [];
  return (await searchIndex(repo, commit, wanted)) ?? searchWithGit(repo, commit, wanted);
}

async function searchIndex(
  repo: Repository,
  commit: string,
  words: readonly string[],
): Promise<readonly string[] | undefined> {
  const needles = words.map((word) => Buffer.from(word));
  const tooShort = needles.some(({ length }) => length < shortestWord);
  if (tooShort || needles.length > mostWords || !isObjectName(commit)) return undefined;
  const files = (await listFiles(repo, commit)).filter(({ mode }) => mode.startsWith('100'));
  const candidates = await blobsThatMayHold(repo, files, needles);
  if (candidates === undefined) return undefined;
  const found: string[] = [];
  for (const batch of inBatches(candidates)) {
    const contents = await readObjects(
      repo,
      batch.map(({ id }) => id),
    );
    for (const { path, id } of batch)
      if (needles.some((needle) => contents.get(id)?.includes(needle) === true)) found.push(path);
  }
  return found;
}

/** No more of them in memory at once than needed. */
function inBatches(
  candidates: readonly { readonly blob: TreeEntry; readonly bytes: number }[],
): readonly (readonly TreeEntry[])[] {
  const batches: TreeEntry[][] = [];
  let room = 0;
  for (const { blob, bytes } of candidates) {
    const last = batches.at(-1);
    if (last === undefined || bytes > room) {
      batches.push([blob]);
      room = bytesAtOnce - bytes;
    } else {
      last.push(blob);
      room -= bytes;
    }
  }
  return batches;
}

async function searchWithGit(repo: Repository, commit: string, words: readonly string[]): Promise<readonly string[]> {
  const args = ['grep', '-z', '-l', '-I', '-F', '--no-color', '--full-name', '-f', '-', commit];
  const { stdout } = await git(args, { ...objectCall(repo), stdin: `${words.join('\n')}\n`, answers: [0, 1] });
  // Each line is `<commit>:<path>`.
  return splitRaw(stdout).map((line) => decodePath(line.slice(commit.length + 1) as RawPath));
}
