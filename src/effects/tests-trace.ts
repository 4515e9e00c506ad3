/** `tests.trace`: which tests of a commit name a requirement. Nothing is run; test files are read beside the main thread. */
import { computeInWorker } from '../checks/compute-in-worker.ts';
import type { Performer } from '../engine/performer.ts';
import { isTestFile } from '../evidence/test-files.ts';
import { listFiles, type TreeEntry } from '../git/changes.ts';
import { isPlainFile, readBlobs } from '../git/tree-edit.ts';
import { isPathCovered } from '../plan/coverage.ts';
import type { EffectDeps } from './deps.ts';

const limits = { eachBytes: 2_000_000, allBytes: 64_000_000 };
const mostFiles = 20_000;

export function testsTrace({ repo }: EffectDeps): Performer<'tests.trace'> {
  return {
    async perform({ commit, all }, { signal }) {
      const entries = (await listFiles(repo, commit)).filter((entry) => couldHoldTests(entry, all));
      const files = entries.slice(0, mostFiles);
      const blobs = await readBlobs(
        repo,
        files.map(({ id }) => id),
        limits,
      );
      signal.throwIfAborted();
      const texts = files.flatMap(({ path, id }) => {
        const bytes = blobs.get(id);
        return bytes === undefined || bytes.includes(0)
          ? []
          : [{ path, text: bytes.toString('utf8'), isWhole: isPathCovered(all, path) }];
      });
      const unread = entries.filter(({ id }) => !blobs.has(id)).map(({ path }) => path);
      const traced = await computeInWorker('tracedTests', texts);
      if (traced.status === 'done') return { tests: traced.value, unread };
      return { tests: [], unread: texts.map(({ path }) => path).slice(0, 200) };
    },
  };
}

/** By name, or where the caller says that tests live. */
function couldHoldTests(entry: TreeEntry, all: readonly string[]): boolean {
  if (!isPlainFile(entry) || /(?:^|\/)node_modules\//.test(entry.path)) return false;
  return isTestFile(entry.path) || isPathCovered(all, entry.path);
}
