/**
 * What the rest of Forge knows of git: the user's repository, workspaces made from a commit, and what
 * comes back out of them as commits. The user's checkout is only read; a `.git` an agent could write is
 * never opened by the engine's own git.
 */
import type { Change, LeftBehind } from '../policy/receipt.ts';

/** The user's repository, as found when the run began. */
export interface Repository {
  /** Top of the user's checkout. */
  readonly root: string;
  /** The common git directory (differs from `root/.git` for a linked worktree). */
  readonly gitDir: string;
  readonly objectsDir: string;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly head: string;
  /** Undefined when HEAD is detached. */
  readonly branch: string | undefined;
  /** Things a person should know before agents start: dirty files, submodules, LFS, shallow, … */
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly code: 'dirty' | 'detached' | 'submodules' | 'lfs' | 'shallow' | 'linked-worktree' | 'branch-named-forge';
  readonly message: string;
  readonly paths: readonly string[];
}

/** An isolated checkout of a commit. Everything below `root` belongs to it. */
export interface Workspace {
  readonly run: string;
  /** Stable for its task, e.g. `T3` or `check-T3`. */
  readonly name: string;
  readonly root: string;
  /** The checkout with a `.git` of its own that an agent may do anything to. */
  readonly tree: string;
  readonly home: string;
  readonly tmp: string;
  /** The engine's git directory and index for `tree`; outside what the jail can write. */
  readonly engineDir: string;
  /** The commit it was made from. */
  readonly base: string;
  /** Paths the jail must let it read: the shared object store. */
  readonly readable: readonly string[];
  /** PATH, LANG, FORGE_*; HOME and TMPDIR come from the jail policy. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Snapshot {
  /** The captured commit, or the parent itself when nothing changed. */
  readonly commit: string;
  readonly tree: string;
  readonly parent: string;
  readonly changes: readonly Change[];
  readonly leftBehind: readonly LeftBehind[];
  /** Commits and stashes the agent made itself, saved as refs beside the snapshot. */
  readonly agentCommits: readonly string[];
}

/** A task's commit carried onto the integration head, not yet visible anywhere. */
export type MergeCandidate =
  | { readonly status: 'ready'; readonly commit: string; readonly before: string; readonly changes: readonly Change[] }
  | { readonly status: 'empty'; readonly before: string }
  | { readonly status: 'conflict'; readonly before: string; readonly files: readonly string[] };
