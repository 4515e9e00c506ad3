/**
 * What a commit does to the tests, from its diff alone: nothing is run. Only files that could hold tests are read, up
 * to a limit; symlinks and submodules are not tests, and neither is binary content, unless its name says that it is
 * one (a NUL in a comment must not hide a test). A test too large to be read is a finding of its own.
 */
import { isTestFile } from '../evidence/test-files.ts';
import type { TestComparison, TestFileChange } from '../evidence/weakened.ts';
import { listFiles } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { diffEntries, type EntryChange, isPlainFile, readBlobs, type TreeFile } from '../git/tree-edit.ts';
import type { Finding } from '../policy/finding.ts';
import { computeInWorker } from './compute-in-worker.ts';

export interface MeasuredTests extends Omit<TestComparison, 'findings'> {
  readonly findings: readonly Finding[];
}

/** What a commit does to the tests, compared beside the main thread. What takes too much work is a finding. */
export async function measureTests(repo: Repository, base: string, commit: string): Promise<MeasuredTests> {
  const { files, unread } = await readTests(repo, base, commit);
  const large = unread.map((path) => notRead(path, 'is too large to be compared'));
  const compared = await computeInWorker('compareTests', files);
  const reads = await findReads(repo, base, files);
  if (compared.status === 'done')
    return { ...compared.value, findings: [...compared.value.findings, ...reads, ...large] };
  const paths = files.map(({ path }) => path).filter(isTestFile);
  const unable = (paths.length === 0 ? ['.'] : paths.slice(0, 20)).map((path) =>
    notRead(path, `could not be compared: ${compared.reason}`),
  );
  return { findings: [...unable, ...reads, ...large], changed: [], bodies: [] };
}

async function findReads(
  repo: Repository,
  base: string,
  files: readonly TestFileChange[],
): Promise<readonly Finding[]> {
  const paths = (await listFiles(repo, base)).map(({ path }) => path);
  const changed = files.map(({ path, before = '', after = '' }) => ({ path, before, after }));
  const found = await computeInWorker('readsOfTests', { files: changed, paths });
  if (found.status !== 'done') return [notRead('.', `could not be looked for in the product: ${found.reason}`)];
  return found.value.map(({ path, named }) => {
    const claim = `Product code names ${named}, which belongs to its tests: it may know the answers.`;
    return { path, line: 0, kind: 'test-aware', claim };
  });
}

/** How many tests of the base the commit deletes or skips; Infinity where that cannot be counted. */
export async function countRemoved(repo: Repository, base: string, commit: string): Promise<number> {
  const { files, unread } = await readTests(repo, base, commit);
  if (unread.length > 0) return Infinity;
  const counted = await computeInWorker('testsRemoved', files);
  // Nothing explains a drop that could not be counted.
  return counted.status === 'done' ? counted.value : 0;
}

interface ReadTests {
  readonly files: readonly TestFileChange[];
  /** Test files that are too large. */
  readonly unread: readonly string[];
}

async function readTests(repo: Repository, base: string, commit: string): Promise<ReadTests> {
  const changed = (await diffEntries(repo, base, commit)).filter(couldHoldTests);
  // Tests first, so that a flood of other files cannot use up what may be read.
  const changes = [
    ...changed.filter(({ path }) => isTestFile(path)),
    ...changed.filter(({ path }) => !isTestFile(path)),
  ];
  const entries = changes.flatMap(({ before, after }) => [before, after]).filter(isPlainFile);
  const ids = entries.map((entry) => entry.id);
  const blobs = await readBlobs(repo, ids, { eachBytes, allBytes });
  const isRead = (entry: TreeFile | undefined): boolean => !isPlainFile(entry) || blobs.has(entry.id);
  const textOf = (path: string, entry: TreeFile | undefined): string | undefined => {
    const content = isPlainFile(entry) ? blobs.get(entry.id) : undefined;
    return content === undefined || (content.includes(0) && !isTestFile(path)) ? undefined : content.toString('utf8');
  };
  const files = changes
    .filter(({ before, after }) => isRead(before) && isRead(after))
    .map(
      ({ path, before, after }): TestFileChange => ({ path, before: textOf(path, before), after: textOf(path, after) }),
    );
  const unread = changes.filter(({ path, before, after }) => isTestFile(path) && !(isRead(before) && isRead(after)));
  return { files, unread: unread.map(({ path }) => path) };
}

/** More than any test a person wrote. */
const eachBytes = 2 * 1024 * 1024;
const allBytes = 64 * 1024 * 1024;

/** By name, or by language: a Rust source file may hold its own tests. */
function couldHoldTests({ path, before, after }: EntryChange): boolean {
  if (!isPlainFile(before) && !isPlainFile(after)) return false;
  return isTestFile(path) || /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kts?|scala|groovy)$/.test(path);
}

function notRead(path: string, why: string): Finding {
  return { path, line: 0, kind: 'test-unread', claim: `The test file ${why}.` };
}
