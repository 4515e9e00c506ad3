/**
 * Which side each changed file is on, and which files nobody names: reads the files that mention them and has the rules
 * of the evidence room applied beside the main thread. Decides nothing itself.
 */
import { posix } from 'node:path';
import { aliasesIn, directoryWords, isCode, searchWords, type UsingFile } from '../evidence/file-users.ts';
import { isProse, type TestSides } from '../evidence/test-side.ts';
import { isJudgeFile } from '../evidence/judge-files.ts';
import { canBeUnnamed, directoryWord } from '../evidence/unnamed-files.ts';
import { listFiles } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { filesWithWords } from '../git/search.ts';
import { diffEntries, type EntryChange, isPlainFile, readBlobs, type TreeFile } from '../git/tree-edit.ts';
import { computeInWorker } from './compute-in-worker.ts';

export type ReadSides =
  | { readonly status: 'done'; readonly value: TestSides }
  | { readonly status: 'over'; readonly reason: string };

export const readLimits = { eachBytes: 512 * 1024, allBytes: 24 * 1024 * 1024 };

interface Stretch {
  readonly base: string;
  readonly commit: string;
}

export async function readSides(
  repo: Repository,
  { base, commit }: Stretch,
  { changes, checks }: { readonly changes: readonly EntryChange[]; readonly checks: readonly string[] },
): Promise<ReadSides> {
  const plain = (entry: TreeFile | undefined): readonly string[] => (isPlainFile(entry) ? [entry.id] : []);
  const ids = changes.flatMap(({ before, after }) => (before === undefined ? plain(after) : plain(before)));
  const blobs = await readBlobs(repo, ids, readLimits);
  const textOf = (entry: TreeFile | undefined): string | undefined =>
    entry === undefined ? undefined : blobs.get(entry.id)?.toString('utf8');
  const added = changes.filter(({ before }) => before === undefined).map(({ path }) => path);
  const kept = changes.filter(({ before }) => before !== undefined).map(({ path }) => path);
  const named = await readUsers(repo, base, [...wordsFor(kept), ...wordsFor(kept, directoryWords)]);
  const aliases = new Map(kept.map((path) => [path, named.flatMap((user) => namesOf(user, path))]));
  const known = new Set(named.map(({ path }) => path));
  const byAlias = await readUsers(repo, base, [...new Set([...aliases.values()].flat())].map(beforeStar));
  const usersAfter = await readUsers(repo, commit, wordsFor(added));
  return computeInWorker('testSide', {
    changes: changes.map(({ path, before, after }) => ({
      path,
      text: textOf(before ?? after),
      added: before === undefined,
      aliases: aliases.get(path),
    })),
    users: [...named, ...byAlias.filter(({ path }) => !known.has(path))],
    usersAfter,
    checks,
  });
}

/** Only manifests and configuration give a file another name. */
function namesOf(user: UsingFile, path: string): readonly string[] {
  return isCode(path) && isJudgeFile(user.path) ? aliasesIn(user, path) : [];
}

function beforeStar(alias: string): string {
  return alias.split('*', 1)[0] ?? alias;
}

export interface UnnamedRequest extends Stretch {
  /** The files that the checks lead to. */
  readonly checks: readonly string[];
  /** What the run's own documents changed. */
  readonly documents: readonly { readonly before: string; readonly commit: string }[];
}

/**
 * Added and deleted files that nothing names, since the base of the run: one task may add a file and a later one profit
 * from it. Where that takes too long to find out, all of them count.
 */
export async function readUnnamed(
  repo: Repository,
  { base, commit, checks, documents }: UnnamedRequest,
): Promise<readonly EntryChange[]> {
  const changes = (await diffEntries(repo, base, commit)).filter(
    ({ path, before, after }) =>
      (before === undefined || (after === undefined && !isProse(path))) && canBeUnnamed(path),
  );
  if (changes.length === 0) return [];
  const paths = changes.map(({ path }) => path);
  const written = await readWritten(repo, documents);
  const own = changes.filter(({ path, after }) => written.has(writtenAs(path, after))).map(({ path }) => path);
  const words = wordsFor(paths);
  const above = own.flatMap((path) => posix.dirname(path).split('/'));
  const directories = [...new Set([...paths.map(directoryWord), ...above])].filter((word) => word.length > 1);
  const found = await computeInWorker('unnamedFiles', {
    paths,
    usersBefore: await readUsers(repo, base, [...words, ...directories]),
    usersAfter: await readUsers(repo, commit, words),
    checks,
    own,
  });
  if (found.status === 'over') return changes;
  const unnamed = new Set(found.value);
  return changes.filter(({ path }) => unnamed.has(path));
}

/** Every version of a document that Forge put on the integration head. */
async function readWritten(repo: Repository, moves: UnnamedRequest['documents']): Promise<ReadonlySet<string>> {
  const changes = await Promise.all(moves.map(({ before, commit }) => diffEntries(repo, before, commit)));
  return new Set(changes.flat().map(({ path, after }) => writtenAs(path, after)));
}

function writtenAs(path: string, entry: TreeFile | undefined): string {
  return `${path}\n${entry?.mode ?? ''} ${entry?.id ?? ''}`;
}

function wordsFor(paths: readonly string[], wordsOf = searchWords): readonly string[] {
  return [...new Set(paths.flatMap((path) => wordsOf(path)))].slice(0, 2000);
}

async function readUsers(repo: Repository, commit: string, words: readonly string[]) {
  const paths = new Set(await filesWithWords(repo, commit, words));
  if (paths.size === 0) return [];
  const entries = (await listFiles(repo, commit)).filter((entry) => paths.has(entry.path) && isPlainFile(entry));
  const blobs = await readBlobs(
    repo,
    entries.map((entry) => entry.id),
    readLimits,
  );
  return entries.flatMap(({ path, id }) => {
    const text = blobs.get(id)?.toString('utf8');
    return text === undefined ? [] : [{ path, text }];
  });
}
