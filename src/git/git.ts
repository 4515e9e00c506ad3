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
  /** The git directory of this checkout: its HEAD and index. Equals `gitDir` but for a linked worktree. */
  readonly checkoutGitDir: string;
  readonly objectsDir: string;
  /** Object stores that `objectsDir` borrows from, at any depth. */
  readonly alternates: readonly string[];
  readonly objectFormat: 'sha1' | 'sha256';
  readonly head: string;
  /** Undefined when HEAD is detached. */
  readonly branch: string | undefined;
  /** Where workspaces, caches and the engine's git directories live; never inside `root`. */
  readonly dataDir: string;
  /** Names this repository below `dataDir` and the state directory, wherever it moves. */
  readonly id: string;
  /** The user's state directory, and this repository's folder in it: where its runs are. Never inside `root`. */
  readonly stateDir: string;
  readonly stateFolder: string;
  /** A git directory of ours with a configuration of ours, for work on objects alone. */
  readonly engineDir: string;
  /** Where git looks for this repository's hooks, when that is inside the checkout. */
  readonly hooksPath?: string;
  /** The directory of hooks that git itself would use here. */
  readonly hooksDir?: string;
  /** The user's `core.excludesFile` and `info/exclude`, in the order git weighs them. */
  readonly ignoreRules: string;
  /** Things a person should know before agents start: dirty files, submodules, LFS, shallow, … */
  readonly notices: readonly Notice[];
}

/** Another clone of this repository. Its runs are not acted on from here. */
export interface OtherClone {
  readonly id: string;
  /** Its checkout. */
  readonly root: string;
  /** What belongs to it on this machine: see `Repository.stateFolder`. */
  readonly stateFolder: string;
  /** False: that checkout is gone. */
  readonly isThere: boolean;
}

export interface Notice {
  readonly code:
    | 'dirty'
    | 'detached'
    | 'submodules'
    | 'lfs'
    | 'shallow'
    | 'linked-worktree'
    | 'branch-named-forge'
    | 'operation-in-progress'
    | 'foreign-runs';
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
  /** Files and directories that were put in beside the commit (copied, made by setup): never captured. */
  readonly provided: readonly string[];
}

/** A ref as it was and as it is; undefined where it did not, or does not, exist. */
export interface RefMove {
  readonly ref: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** A commit on top takes back everything Forge had put on the branch before. */
  readonly reverts?: boolean;
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
  /** What a person should know about the capture, one sentence each. */
  readonly notes: readonly string[];
}

/** A task's commit carried onto the integration head, not yet visible anywhere. */
export type MergeCandidate =
  | {
      readonly status: 'ready';
      readonly commit: string;
      readonly before: string;
      readonly changes: readonly Change[];
      /** The commit between, where a part of the change became a commit of its own. */
      readonly below?: string;
    }
  | { readonly status: 'empty'; readonly before: string }
  | { readonly status: 'conflict'; readonly before: string; readonly files: readonly string[] };
