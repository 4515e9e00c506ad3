/**
 * Removing what a run no longer needs, and only that: a workspace goes when everything in it is captured, refs go when
 * their commits stay reachable without them. `force` is the user saying that loss is meant.
 */
import { rename } from 'node:fs/promises';
import { ForgeError } from '../errors.ts';
import type { LeftBehind } from '../policy/receipt.ts';
import type { Jail } from '../process/jail.ts';
import { readRecord } from './capture-record.ts';
import { removeTree } from './confined.ts';
import { refCall } from './engine-dir.ts';
import type { Repository, Workspace } from './git.ts';
import { moveBranches } from './move-branches.ts';
import { isAgentRef, isKeptRef, runPrefix } from './ref-name.ts';
import { listRefs, type Ref } from './refs.ts';
import { git } from './run-git.ts';
import { findUncaptured } from './uncaptured.ts';
import { giveTree } from './workspace-pool.ts';

export type Removal = { readonly status: 'removed' } | { readonly status: 'kept'; readonly reason: string };

/** What of a workspace exists nowhere else; undefined when nothing would be lost with it. */
export async function heldByWorkspace(repo: Repository, workspace: Workspace): Promise<string | undefined> {
  return (await findUncaptured(repo, workspace)) ?? uncapturable(workspace);
}

export async function removeWorkspace(
  repo: Repository,
  workspace: Workspace,
  options: {
    readonly force?: boolean /** Where programs ran in it: its tree may then serve again. */;
    readonly jail?: Jail;
  } = {},
): Promise<Removal> {
  if (options.force !== true) {
    const reason = await heldByWorkspace(repo, workspace);
    if (reason !== undefined) return { status: 'kept', reason };
  }
  if (options.jail !== undefined && (await giveTree(repo, workspace, options.jail))) return { status: 'removed' };
  // Out of its place first: a kill in the middle must not leave half a workspace that looks like a whole one.
  const aside = `${workspace.root}.removed`;
  await removeTree(aside);
  await rename(workspace.root, aside);
  await removeTree(aside);
  return { status: 'removed' };
}

/**
 * Every ref of a run, unless a commit would be lost with them: then it is refused. Changes nothing. `merged` are the captured commits whose content was merged: they became
 * other commits, so that reachability alone would call them lost.
 */
export async function droppableRefs(
  repo: Repository,
  run: string,
  options: { readonly force?: boolean; readonly merged?: readonly string[] } = {},
): Promise<readonly Ref[]> {
  const refs = await listRefs(repo, runPrefix(run));
  if (refs.length === 0) return [];
  const lost = options.force === true ? [] : await unreachableWithout(repo, refs, options.merged ?? []);
  if (lost[0] !== undefined) {
    const commits = lost.length === 1 ? '1 captured commit' : `${lost.length} captured commits`;
    throw new ForgeError(
      'cleanup-refused',
      `${commits} of ${run} would be lost: not merged, and on no branch or tag (${lost[0].ref})`,
      { hint: 'Nothing of it was removed. Put a branch on what you need, or remove everything with --force.' },
    );
  }
  return refs;
}

/** Removes refs of a run. They are on disk as meant first: what is cut off is finished by the next cleanup. */
export async function dropRunRefs(repo: Repository, run: string, refs: readonly Ref[]): Promise<void> {
  if (refs.length === 0) return;
  const moves = refs.map(({ ref, commit }) => ({ ref, before: commit, after: undefined }));
  await moveBranches(repo, {
    kind: 'cleanup',
    run,
    moves,
    reason: 'forge: cleanup',
    refuse: (message) =>
      new ForgeError('cleanup-refused', message, { hint: 'Check whether the run is still running: forge list' }),
  });
}

/** Whether a branch, tag or remote of the user's holds it. */
export async function isHeldByUser(repo: Repository, commit: string): Promise<boolean> {
  const { code, stdout } = await git(['rev-list', '-1', commit, '--not', '--branches', '--tags', '--remotes'], {
    ...refCall(repo),
    // A commit that is gone is held by nobody.
    answers: [0, 128],
  });
  return code === 0 && stdout.length === 0;
}

/** Reasons for which content stays in the workspace alone. Ignored files are meant to be lost. */
const precious: readonly LeftBehind['reason'][] = ['too-large', 'submodule', 'unreadable', 'dependencies'];

async function uncapturable(workspace: Workspace): Promise<string | undefined> {
  const record = await readRecord(workspace);
  if (record?.unsavedCommits === true)
    return "commits that its agent made could not be saved: they are in the workspace's .git";
  const left = (record?.leftBehind ?? []).filter((entry) => precious.includes(entry.reason));
  if (left[0] === undefined) return undefined;
  return `${left.length} of its paths could not be captured (${left[0].path}: ${left[0].reason})`;
}

async function unreachableWithout(
  repo: Repository,
  refs: readonly Ref[],
  merged: readonly string[],
): Promise<readonly Ref[]> {
  const kept = [...merged, ...(await committedBefore(repo, refs, merged))];
  const { stdout } = await git(['rev-list', '--stdin', '--not', '--branches', '--tags', '--remotes'], {
    ...refCall(repo),
    stdin: [...refs.map((ref) => ref.commit), ...kept.map((commit) => `^${commit}`), ''].join('\n'),
  });
  const unreachable = new Set(stdout.toString('latin1').split('\n'));
  // What is kept only because a fact names it can be made again from what was captured.
  return refs.filter(({ ref, commit }) => !isKeptRef(ref) && unreachable.has(commit));
}

/**
 * Commits that agents made themselves, with the very tree of what was then captured and merged. Only those: the result
 * of a run may have such a tree too, and must stay while no branch of the user's holds it.
 */
async function committedBefore(
  repo: Repository,
  refs: readonly Ref[],
  merged: readonly string[],
): Promise<readonly string[]> {
  const own = refs.filter(({ ref }) => isAgentRef(ref));
  if (merged.length === 0 || own.length === 0) return [];
  const { stdout } = await git(['log', '--no-walk=unsorted', '--format=%H %T', '--stdin'], {
    ...refCall(repo),
    stdin: [...merged, ...own.map((ref) => ref.commit), ''].join('\n'),
  });
  const lines = stdout.toString('latin1').trimEnd().split('\n');
  const trees = new Map(lines.map((line) => line.split(' ', 2) as [commit: string, tree: string]));
  const known = new Set(merged.map((commit) => trees.get(commit)));
  return own.map((ref) => ref.commit).filter((commit) => known.has(trees.get(commit)));
}
