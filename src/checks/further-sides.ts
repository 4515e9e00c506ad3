/**
 * Two further places where a commit says what its tests compare with: the entry points of its manifests, through which
 * tests reach the code, and examples in documentation that a check runs. Reads both versions; decides nothing.
 */
import { isJudgeFile } from '../evidence/judge-files.ts';
import { isTestFile } from '../evidence/test-files.ts';
import { holdsExamples } from '../evidence/weakened/doc-examples.ts';
import type { ChangedTest } from '../evidence/weakened.ts';
import { listFiles } from '../git/changes.ts';
import { filesWithWords } from '../git/search.ts';
import { type TreeFile, type EntryChange, isPlainFile, readBlobs, writeBlob } from '../git/tree-edit.ts';
import type { TreeEdit } from '../git/write-trees.ts';
import { computeInWorker } from './compute-in-worker.ts';
import type { CheckDeps } from './check.ts';
import { readLimits } from './read-sides.ts';
import type { CheckEntries } from './select-commands.ts';

type Repo = CheckDeps['repo'];

/** Manifests with the entry points of the base, where their files still exist. */
export async function entryPointEdits(
  { repo }: CheckDeps,
  commit: string,
  manifests: readonly EntryChange[],
): Promise<readonly TreeEdit[]> {
  const texts = await bothTexts(repo, manifests);
  if (texts.length === 0) return [];
  const there = new Set((await listFiles(repo, commit)).map(({ path }) => path));
  const edits: TreeEdit[] = [];
  for (const { change, before, after } of texts) {
    const kept = await computeInWorker('keptEntryPoints', { path: change.path, before, after, there });
    // A manifest that cannot be read within limits is judged whole.
    const entry = kept.status === 'over' ? change.before : await blobOf(repo, change.after, kept.value);
    if (entry !== undefined) edits.push({ raw: change.raw, entry });
  }
  return edits;
}

async function blobOf(repo: Repo, like: TreeFile | undefined, text: string | undefined): Promise<TreeFile | undefined> {
  return like === undefined || text === undefined ? undefined : { mode: like.mode, id: await writeBlob(repo, text) };
}

/** Examples that say something else now. Python's count only where something in the repository runs them. */
export async function changedInExamples(
  { repo }: CheckDeps,
  { base, entries }: { readonly base: string; readonly entries: CheckEntries },
  changes: readonly EntryChange[],
): Promise<readonly ChangedTest[]> {
  const files = changes.filter(({ path }) => /\.(?:pyi?|rs|md|rst|txt)$/.test(path) && !isTestFile(path));
  const texts = (await bothTexts(repo, files)).filter(({ change, before }) => holdsExamples(change.path, before));
  if (texts.length === 0) return [];
  const isRun = await runsExamples(repo, base, JSON.stringify(entries));
  const told = texts.filter(({ change }) => isRun || change.path.endsWith('.rs'));
  const compared = await computeInWorker(
    'changedExamples',
    told.map(({ change: { path }, before, after }) => ({ path, before, after })),
  );
  if (compared.status === 'done') return compared.value;
  return told.map(({ change: { path } }) => ({
    path,
    test: '',
    before: [],
    after: [`they cannot be compared: ${compared.reason}`],
  }));
}

async function runsExamples(repo: Repo, base: string, commands: string): Promise<boolean> {
  if (commands.includes('doctest')) return true;
  return (await filesWithWords(repo, base, ['doctest'])).some((path) => isJudgeFile(path) || isTestFile(path));
}

async function bothTexts(repo: Repo, changes: readonly EntryChange[]) {
  const both = changes.filter(({ before, after }) => isPlainFile(before) && isPlainFile(after));
  const ids = both.flatMap(({ before, after }) => [before, after].filter(isPlainFile).map(({ id }) => id));
  const blobs = await readBlobs(repo, ids, readLimits);
  const textOf = (entry: EntryChange['after']): string =>
    isPlainFile(entry) ? (blobs.get(entry.id)?.toString('utf8') ?? '') : '';
  return both.map((change) => ({ change, before: textOf(change.before), after: textOf(change.after) }));
}
