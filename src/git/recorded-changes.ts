/**
 * What leads from one commit to another, with content: for whoever writes it down so that it can be done again
 * elsewhere. Objects only; the diffs are git's own, without any program or attribute of the repository's choosing.
 */
import { ForgeError } from '../errors.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { decodePath, encodePath } from './raw-path.ts';
import { git } from './run-git.ts';
import { diffEntries, type EntryChange, readBlobs, type TreeFile } from './tree-edit.ts';

export interface ContentChange {
  readonly path: string;
  readonly before: TreeFile | undefined;
  readonly after: (TreeFile & { readonly content: Buffer }) | undefined;
}

/** A snapshot takes in no larger file, so neither can be done again. */
const limits = { eachBytes: 20 * 1024 * 1024, allBytes: 512 * 1024 * 1024 };

/** Throws for what no agent could do again: submodules, names that are not UTF-8, files that are too large. */
export async function readContentChanges(
  repo: Repository,
  from: string,
  to: string,
): Promise<readonly ContentChange[]> {
  const changes = await diffEntries(repo, from, to);
  const problem = changes.map(problemOf).find((one) => one !== undefined);
  if (problem !== undefined) throw unsupportedCommit(to, problem);
  const ids = changes.flatMap(({ after }) => (after === undefined ? [] : [after.id]));
  const blobs = await readBlobs(repo, ids, limits);
  return changes.map(({ path, before, after }) => {
    if (after === undefined) return { path, before, after };
    const content = blobs.get(after.id);
    if (content === undefined)
      throw unsupportedCommit(to, `${path} is larger than ${limits.eachBytes / 1024 ** 2} MiB`);
    return { path, before, after: { ...after, content } };
  });
}

/** The diff of each of these files by itself, in the given order. */
export async function readPatches(
  repo: Repository,
  range: { readonly from: string; readonly to: string },
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'];
  for (const path of paths) {
    const { stdout } = await git(
      ['diff-tree', '-p', '-r', ...plain, range.from, range.to, '--', path],
      objectCall(repo),
    );
    found.set(path, stdout.toString('utf8'));
  }
  return found;
}

function problemOf({ path, raw, before, after }: EntryChange): string | undefined {
  if (before?.mode === '160000' || after?.mode === '160000') return `${path} is a submodule`;
  if (encodePath(decodePath(raw)) !== raw) return `the name ${JSON.stringify(path)} is not UTF-8`;
  return undefined;
}

function unsupportedCommit(commit: string, problem: string): ForgeError {
  return new ForgeError(
    'repository-unsupported',
    `${commit.slice(0, 12)} cannot be done again by an agent: ${problem}`,
  );
}
