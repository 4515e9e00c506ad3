/**
 * What a place of work holds right now, as a commit that no ref names: tracked files as they are, and new ones that are
 * not ignored. Reads only; index and refs of whoever works there stay as they are. So a check sees one state, however
 * long it takes, and whatever it writes goes elsewhere.
 */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { readRecord } from './capture-record.ts';
import { treeOf } from './changes.ts';
import { writeCommit } from './commit.ts';
import { copyIndex } from './copy-index.ts';
import { treeCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { decodePath, fsPath, joinRaw, type RawPath, splitRaw } from './raw-path.ts';
import { withoutRepositoryFilters } from './repository-filters.ts';
import { git, type GitCall, gitLine } from './run-git.ts';
import { defaultLimits, scanTree } from './scan-tree.ts';
import { updateIndex } from './snapshot.ts';
import type { WorkPlace } from './work-place.ts';

export interface CapturedDirectory {
  readonly commit: string;
  /** The commit that was last checked out or captured there: nobody who works there wrote what it says since. */
  readonly base: string;
  /** Paths that are there and are not part of the commit, but for ignored ones. */
  readonly leftOut: readonly string[];
}

export type OccupiedPlace = Extract<WorkPlace, { status: 'checkout' | 'workspace' }>;

const mostFiles = 20_000;

export async function captureDirectory(repo: Repository, place: OccupiedPlace): Promise<CapturedDirectory> {
  const scratch = join(repo.dataDir, 'checks');
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const indexFile = join(scratch, `index-${randomUUID()}`);
  try {
    const { base, tree, leftOut } =
      place.status === 'checkout'
        ? await fromCheckout(repo, place, indexFile)
        : await fromWorkspace(repo, place, indexFile);
    if (tree === (await treeOf(repo, base))) return { commit: base, base, leftOut };
    const message = 'A directory as it was found';
    // The same content gives the same commit, whenever it is looked at.
    const commit = await writeCommit(repo, {
      tree,
      parent: base,
      message,
      run: 'mcp',
      authors: [],
      date: new Date(0),
    });
    return { commit, base, leftOut };
  } finally {
    await rm(indexFile, { force: true });
  }
}

interface Gathered {
  readonly base: string;
  readonly tree: string;
  readonly leftOut: readonly string[];
}

async function fromCheckout(
  repo: Repository,
  { repo: own, root }: Extract<OccupiedPlace, { status: 'checkout' }>,
  indexFile: string,
): Promise<Gathered> {
  const changed = await changedPaths(own);
  // A repository inside the repository ends in a slash.
  const paths = changed.filter((path) => !path.endsWith('/'));
  await requireSize(root, paths);
  const call: GitCall = { ...treeCall(repo, { engineDir: repo.engineDir, tree: root }), indexFile };
  await git(['read-tree', own.head], call);
  if (paths.length > 0) {
    await git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], { ...call, stdin: joinRaw(paths) });
  }
  const leftOut = changed.filter((path) => path.endsWith('/')).map(decodePath);
  return { base: own.head, tree: await gitLine(['write-tree'], call), leftOut };
}

/** Compared by the user's own settings: else a line ending that git converts would look like a change. */
async function changedPaths({ root, checkoutGitDir }: Repository): Promise<readonly RawPath[]> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];
  const call: GitCall = { cwd: root, gitDir: checkoutGitDir, workTree: root, config: 'user' };
  const { stdout } = await git(args, await withoutRepositoryFilters(call));
  const paths = splitRaw(stdout).map((line) => line.slice(3) as RawPath);
  return [...new Set(paths)].filter((path) => !path.startsWith('.forge/'));
}

async function requireSize(root: string, paths: readonly RawPath[]): Promise<void> {
  let total = 0;
  for (const path of paths) {
    const found = await lstat(fsPath(root, path)).catch(() => undefined);
    total += found?.size ?? 0;
    if ((found?.size ?? 0) > defaultLimits.fileBytes) throw tooLarge(`${decodePath(path)} is larger than 20 MiB`);
  }
  if (paths.length > mostFiles) throw tooLarge(`${paths.length} files are not committed`);
  if (total > defaultLimits.totalBytes) throw tooLarge('more than 200 MiB are not committed');
}

function tooLarge(what: string): ForgeError {
  return new ForgeError('bad-input', `The directory cannot be looked at as a whole: ${what}`, {
    hint: 'Commit what belongs to the project, and ignore what does not.',
  });
}

async function fromWorkspace(
  repo: Repository,
  { workspace }: Extract<OccupiedPlace, { status: 'workspace' }>,
  indexFile: string,
): Promise<Gathered> {
  const base = (await readRecord(workspace))?.commit ?? workspace.base;
  await copyIndex(join(workspace.engineDir, 'index'), indexFile);
  const scan = await scanTree(repo, workspace, { limits: defaultLimits, rulesFrom: workspace.base, indexFile });
  const call: GitCall = { ...treeCall(repo, workspace), indexFile };
  const refused = await updateIndex(call, scan, repo);
  const left = [...scan.leftBehind, ...refused].filter(({ reason }) => reason !== 'ignored');
  return { base, tree: await gitLine(['write-tree'], call), leftOut: left.map(({ path }) => path) };
}
