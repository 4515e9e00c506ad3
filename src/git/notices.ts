/**
 * What a person should know about their repository before agents start: what agents will not see, and what
 * behaves differently in a workspace. Reads only; takes no lock in the user's checkout.
 */
import { access, lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { objectCall, refCall } from './engine-dir.ts';
import type { Notice, Repository } from './git.ts';
import { decodePath, joinRaw, type RawPath, splitRaw } from './raw-path.ts';
import { readRef } from './refs.ts';
import { withoutRepositoryFilters } from './repository-filters.ts';
import { git } from './run-git.ts';
import { uncommittedPaths } from './uncommitted-paths.ts';

export async function findNotices(repo: Repository): Promise<readonly Notice[]> {
  const entries = await listEntries(repo);
  const found = await Promise.all([
    dirty(repo),
    operation(repo),
    detached(repo),
    submodules(entries),
    lfs(repo, entries),
    shallow(repo),
    linkedWorktree(repo),
    branchNamedForge(repo),
    foreignRuns(repo),
  ]);
  return found.filter((notice) => notice !== undefined);
}

/** Runs are made by this machine and kept in the state directory: what a checkout brings along is nobody's run. */
async function foreignRuns(repo: Repository): Promise<Notice | undefined> {
  const found = await lstat(join(repo.root, '.forge', 'runs')).catch(() => undefined);
  if (found === undefined) return undefined;
  const message = `.forge/runs in this checkout is ignored: runs live in ${repo.stateFolder}.`;
  return { code: 'foreign-runs', message, paths: [] };
}

/** Paths that the checkout has and the commit does not, but for those that Forge reads from the checkout itself. */
async function dirtyPaths(checkout: { gitDir: string; root: string }): Promise<readonly string[]> {
  const call = await withoutRepositoryFilters({
    cwd: checkout.root,
    gitDir: checkout.gitDir,
    workTree: checkout.root,
    // Line endings and filters are the user's: without their settings clean files would look changed.
    config: 'user',
    // A pipe in the place of an ignore file would have git wait forever.
    timeMs: statusTimeMs,
  });
  // A submodule's own configuration is not looked into, so neither are its files.
  const paths = await uncommittedPaths(call, ['--untracked-files=normal', '--ignore-submodules=dirty']);
  return paths.filter((path) => !/^\.(?:forge|gsd)(?:\/|$)/.test(path));
}

/** What is not committed is worth a notice, not a long wait. */
const statusTimeMs = 30_000;

async function dirty(repo: Repository): Promise<Notice | undefined> {
  let paths: readonly string[];
  try {
    paths = await dirtyPaths({ gitDir: repo.checkoutGitDir, root: repo.root });
  } catch (error) {
    // A filter of the user's that does not work (git-lfs not installed) keeps git from telling, not Forge from working.
    if (!(error instanceof ForgeError)) throw error;
    const message = `What is not committed in your checkout could not be listed; agents will not see it. ${error.message}`;
    return { code: 'dirty', message, paths: [] };
  }
  if (paths.length === 0) return undefined;
  const count = paths.length === 1 ? '1 path is' : `${paths.length} paths are`;
  return {
    code: 'dirty',
    message: `${count} changed or not committed in your checkout: agents start from ${repo.head.slice(0, 12)} and will not see them.`,
    paths,
  };
}

const operations: readonly (readonly [file: string, name: string])[] = [
  ['MERGE_HEAD', 'A merge'],
  ['rebase-merge', 'A rebase'],
  ['rebase-apply', 'A rebase'],
  ['CHERRY_PICK_HEAD', 'A cherry-pick'],
  ['REVERT_HEAD', 'A revert'],
  ['BISECT_LOG', 'A bisection'],
];

/** Not refused: the checkout is only read, and a run may be resumed meanwhile. */
async function operation(repo: Repository): Promise<Notice | undefined> {
  for (const [file, name] of operations) {
    if (!(await exists(join(repo.checkoutGitDir, file)))) continue;
    const message = `${name} is in progress in your checkout: agents start from ${repo.head.slice(0, 12)}, not from its outcome.`;
    return { code: 'operation-in-progress', message, paths: [] };
  }
  return undefined;
}

async function detached(repo: Repository): Promise<Notice | undefined> {
  if (repo.branch !== undefined) return undefined;
  const message = `HEAD is detached at ${repo.head.slice(0, 12)}: the result becomes a branch, and there is no branch of yours to land on.`;
  return { code: 'detached', message, paths: [] };
}

interface Entry {
  readonly mode: string;
  readonly id: string;
  readonly path: RawPath;
}

async function listEntries(repo: Repository): Promise<readonly Entry[]> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', repo.head], objectCall(repo));
  return splitRaw(stdout).map((line) => {
    const [mode = '', , id = ''] = line.slice(0, line.indexOf('\t')).split(' ');
    return { mode, id, path: line.slice(line.indexOf('\t') + 1) as RawPath };
  });
}

async function submodules(entries: readonly Entry[]): Promise<Notice | undefined> {
  const paths = entries.filter((entry) => entry.mode === '160000').map((entry) => decodePath(entry.path));
  if (paths.length === 0) return undefined;
  const message = 'Submodules are empty directories in workspaces; what agents write there is listed, not captured.';
  return { code: 'submodules', message, paths };
}

async function lfs(repo: Repository, entries: readonly Entry[]): Promise<Notice | undefined> {
  const files = entries.filter((entry) => entry.path === '.gitattributes' || entry.path.endsWith('/.gitattributes'));
  const texts = await Promise.all(files.map((file) => git(['cat-file', 'blob', file.id], objectCall(repo))));
  if (!texts.some((text) => text.stdout.includes('filter=lfs'))) return undefined;
  const paths = await lfsPaths(repo, entries);
  if (paths.length === 0) return undefined;
  const message =
    'Files kept in Git LFS stay pointers in workspaces; protect them, an agent cannot edit their content.';
  return { code: 'lfs', message, paths };
}

/** Asks git with an index of the commit, since the attributes in the checkout may be changed ones. */
async function lfsPaths(repo: Repository, entries: readonly Entry[]): Promise<readonly string[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'forge-attributes-'));
  try {
    const call = { ...refCall(repo), objectsDir: repo.objectsDir, indexFile: join(scratch, 'index') };
    await git(['read-tree', repo.head], call);
    const { stdout } = await git(['check-attr', '-z', '--cached', '--stdin', 'filter'], {
      ...call,
      stdin: joinRaw(entries.map((entry) => entry.path)),
    });
    const fields = splitRaw(stdout);
    return fields.filter((_, at) => at % 3 === 0 && fields[at + 2] === 'lfs').map(decodePath);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function shallow(repo: Repository): Promise<Notice | undefined> {
  if (!(await exists(join(repo.gitDir, 'shallow')))) return undefined;
  return { code: 'shallow', message: 'The clone is shallow: agents see no more history than is here.', paths: [] };
}

async function linkedWorktree(repo: Repository): Promise<Notice | undefined> {
  if (repo.checkoutGitDir === repo.gitDir) return undefined;
  const message = `This checkout is a linked worktree: refs go to the repository at ${repo.gitDir}.`;
  return { code: 'linked-worktree', message, paths: [] };
}

async function branchNamedForge(repo: Repository): Promise<Notice | undefined> {
  if ((await readRef(repo, 'refs/heads/forge')) === undefined) return undefined;
  const message = 'A branch named forge exists, so results are published as forge-<run> instead of forge/<run>.';
  return { code: 'branch-named-forge', message, paths: [] };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
