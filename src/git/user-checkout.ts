/**
 * The user's checkouts of a branch, and what keeps one from moving to another commit: tracked files that are changed, or
 * a file git does not know that is in the way, ignored or not. Only reads; their own settings apply.
 */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listChanges, listFiles } from './changes.ts';
import { refCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { checkoutCall } from './move-checkout.ts';
import { type GitCall, git, gitLine, lastLines } from './run-git.ts';
import { uncommittedPaths } from './uncommitted-paths.ts';

export interface UserCheckout {
  readonly root: string;
  readonly gitDir: string;
}

export type FoundCheckout =
  | { readonly status: 'ready'; readonly checkouts: readonly UserCheckout[] }
  | { readonly status: 'blocked'; readonly reason: string };

/** Where a branch is checked out, or why it must not be moved now. */
export async function checkoutsOf(repo: Repository, ref: string): Promise<FoundCheckout> {
  const checkouts: UserCheckout[] = [];
  for (const entry of await listWorktrees(repo)) {
    const checkout = await locate(repo, entry);
    if (checkout !== undefined && (await isRebasing(checkout, ref))) {
      return { status: 'blocked', reason: `it is being rebased in ${entry.root}` };
    }
    if (entry.branch !== ref) continue;
    if (checkout === undefined) return { status: 'blocked', reason: `its checkout ${entry.root} is not there` };
    checkouts.push(checkout);
  }
  return { status: 'ready', checkouts };
}

interface CheckoutStep {
  readonly from: string;
  readonly to: string;
}

/** Why a checkout cannot move; undefined when it can. `indexFile`: a copy of its index, which is locked. */
export async function findObstacle(
  repo: Repository,
  checkout: UserCheckout,
  { indexFile, ...step }: CheckoutStep & { readonly indexFile: string },
): Promise<string | undefined> {
  if (await isCheckoutAt(checkout, step.to)) return undefined;
  const changed = await changedFiles(checkout);
  if (changed[0] !== undefined) return `${checkout.root} has changes that are not committed (${some(changed)})`;
  const inTheWay = await untrackedInTheWay(repo, checkout, step);
  if (inTheWay[0] !== undefined) return `files in ${checkout.root} would be overwritten (${some(inTheWay)})`;
  const dry = await git(['read-tree', '--dry-run', '-m', '-u', step.from, step.to], {
    ...checkoutCall(checkout),
    indexFile,
    answers: [0, 1, 128],
  });
  return dry.code === 0 ? undefined : `git would refuse: ${lastLines(dry.stderr, 600)}`;
}

/** Why a branch cannot be moved now, whatever it is moved to: somebody rebases it, or has changes that are not committed. */
export async function whyBranchIsBusy(repo: Repository, ref: string): Promise<string | undefined> {
  const found = await checkoutsOf(repo, ref);
  if (found.status === 'blocked') return found.reason;
  for (const checkout of found.checkouts) {
    const changed = await changedFiles(checkout);
    if (changed[0] !== undefined) return `${checkout.root} has changes that are not committed (${some(changed)})`;
  }
  return undefined;
}

function changedFiles(checkout: UserCheckout): Promise<readonly string[]> {
  return uncommittedPaths(checkoutCall(checkout), ['--untracked-files=no']);
}

/** Files and index are as a commit has them, wherever HEAD is. */
export async function isCheckoutAt(checkout: UserCheckout, commit: string): Promise<boolean> {
  const call = { ...checkoutCall(checkout), answers: [0, 1] };
  const index = await git(['diff-index', '--quiet', '--cached', commit], call);
  // Not by stat data: those are only brought up to date under a lock.
  return index.code === 0 && (await git(['diff', '--quiet', '--no-ext-diff'], call)).code === 0;
}

interface Worktree {
  readonly root: string;
  readonly branch: string | undefined;
  readonly isMain: boolean;
}

async function listWorktrees(repo: Repository): Promise<readonly Worktree[]> {
  const { stdout } = await git(['worktree', 'list', '--porcelain', '-z'], refCall(repo));
  const records = stdout.toString('utf8').split('\0\0').filter(Boolean);
  return records.map((record, at) => {
    const fields = new Map(
      record.split('\0').map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]),
    );
    return { root: fields.get('worktree') ?? '', branch: fields.get('branch'), isMain: at === 0 };
  });
}

async function locate(repo: Repository, entry: Worktree): Promise<UserCheckout | undefined> {
  // For a submodule git names the wrong directory here; ours was asked for in the checkout itself.
  if (entry.isMain && repo.checkoutGitDir === repo.gitDir) return { root: repo.root, gitDir: repo.gitDir };
  const found = await lstat(entry.root).catch(() => undefined);
  if (found?.isDirectory() !== true) return undefined;
  const call: GitCall = { cwd: entry.root, config: 'user' };
  const bare = await gitLine(['rev-parse', '--is-bare-repository'], call);
  if (bare === 'true') return undefined;
  return { root: entry.root, gitDir: await gitLine(['rev-parse', '--absolute-git-dir'], call) };
}

async function isRebasing(checkout: UserCheckout, ref: string): Promise<boolean> {
  for (const directory of ['rebase-merge', 'rebase-apply']) {
    const name = await readFile(join(checkout.gitDir, directory, 'head-name'), 'utf8').catch(() => '');
    if (name.trim() === ref) return true;
  }
  return false;
}

/** git itself overwrites ignored files when it adds a file of that name; here they are someone's. */
async function untrackedInTheWay(repo: Repository, checkout: UserCheckout, step: CheckoutStep): Promise<string[]> {
  const changes = await listChanges(repo, step.from, step.to);
  const added = changes.filter((change) => change.status === 'added');
  if (added.length === 0) return [];
  const tracked = new Set((await listFiles(repo, step.from)).map((file) => file.path));
  const found = new Set<string>();
  for (const { path } of added) {
    const parts = path.split('/');
    for (let length = 1; length <= parts.length; length += 1) {
      const part = parts.slice(0, length).join('/');
      if (tracked.has(part)) break;
      const there = await lstat(join(checkout.root, part)).catch(() => undefined);
      if (there === undefined) break;
      if (!there.isDirectory()) found.add(part);
      // A directory where a file should be: one that only held tracked files goes by itself.
      else if (length === parts.length && (await holdsUntracked(checkout.root, part, tracked))) found.add(part);
    }
  }
  return [...found].sort();
}

async function holdsUntracked(root: string, directory: string, tracked: ReadonlySet<string>): Promise<boolean> {
  for (const entry of await readdir(join(root, directory), { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory() ? await holdsUntracked(root, path, tracked) : !tracked.has(path)) return true;
  }
  return false;
}

function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
