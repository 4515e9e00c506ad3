/**
 * Carries a task's commit onto the integration head: one squashed commit, so that history stays linear, unless all that
 * was captured is to stay visible. Nothing becomes
 * visible until the caller moves the ref. Merging happens on objects alone, with our configuration: no checkout, no
 * merge driver, no attribute of anybody. A conflict is an outcome that names the files.
 */
import { diffTrees, listChanges, treeOf } from './changes.ts';
import { type Author, creditsBetween, writeBareCommit, writeCommit } from './commit.ts';
import { objectCall } from './engine-dir.ts';
import type { MergeCandidate, Repository } from './git.ts';
import { decodePath, splitRaw } from './raw-path.ts';
import { git } from './run-git.ts';
import { writeEditedTree } from './write-trees.ts';

export interface MergeRequest {
  readonly run: string;
  readonly task: string;
  /** What the task's commit was developed on. */
  readonly base: string;
  readonly commit: string;
  /** The integration head as the caller saw it. */
  readonly head: string;
  readonly message: string;
  /** The commits it was made of stay part of history; otherwise they become one. */
  readonly keep?: boolean;
  /** A part of the change that becomes a commit of its own, on top of the rest: its tests, for example. */
  readonly apart?: { readonly message: string; readonly isPart: (path: string) => boolean } | undefined;
  readonly authors: readonly Author[];
  readonly author?: Author | undefined;
  readonly date: Date;
}

export async function prepareMerge(repo: Repository, request: MergeRequest): Promise<MergeCandidate> {
  const before = request.head;
  const [base, theirs, ours] = await Promise.all(
    [request.base, request.commit, request.head].map((commit) => treeOf(repo, commit)),
  );
  if (base === undefined || theirs === undefined || ours === undefined) throw new Error('three trees were asked for');
  const merged = await mergeTrees(repo, { base, ours, theirs });
  if (merged.status === 'conflict') return { status: 'conflict', before, files: merged.files };
  if (merged.tree === ours) return { status: 'empty', before };
  const authors = [...request.authors, ...(await creditsBetween(repo, request.base, request.commit))];
  const alsoParent = request.keep === true ? request.commit : undefined;
  const written = { ...request, authors, tree: merged.tree, parent: before, alsoParent };
  const split = await splitChange(repo, request, { ours, tree: merged.tree });
  if (split === undefined) {
    const commit = await writeCommit(repo, written);
    return { status: 'ready', commit, before, changes: await listChanges(repo, before, commit) };
  }
  const below = split.tree === ours ? before : await writeCommit(repo, { ...written, tree: split.tree });
  const commit = await writeCommit(repo, { ...written, message: split.message, parent: below });
  const changes = await listChanges(repo, before, commit);
  return { status: 'ready', commit, before, changes, ...(below === before ? {} : { below }) };
}

/** The tree without the part that is kept apart; undefined where there is no such part. */
async function splitChange(
  repo: Repository,
  { apart }: MergeRequest,
  { ours, tree }: { readonly ours: string; readonly tree: string },
): Promise<{ readonly tree: string; readonly message: string } | undefined> {
  if (apart === undefined) return undefined;
  const part = (await diffTrees(repo, ours, tree)).filter(({ raw }) => apart.isPart(decodePath(raw)));
  if (part.length === 0) return undefined;
  const edits = part.map(({ raw, before }) => ({ raw, entry: before }));
  return { tree: await writeEditedTree(repo, tree, edits), message: apart.message };
}

interface Trees {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

type Merged =
  | { readonly status: 'clean'; readonly tree: string }
  /** The tree holds both sides, with markers. */
  | { readonly status: 'conflict'; readonly tree: string; readonly files: readonly string[] };

export async function mergeTrees(repo: Repository, trees: Trees): Promise<Merged> {
  if (trees.base === trees.ours) return { status: 'clean', tree: trees.theirs };
  if (trees.base === trees.theirs || trees.ours === trees.theirs) return { status: 'clean', tree: trees.ours };
  // Three commits of our own name the base exactly, whatever the real history looks like (git before 2.40 can
  // not be told the base).
  const base = await writeBareCommit(repo, trees.base, []);
  const [ours, theirs] = await Promise.all(
    [trees.ours, trees.theirs].map((tree) => writeBareCommit(repo, tree, [base])),
  );
  if (ours === undefined || theirs === undefined) throw new Error('two commits were asked for');
  const args = ['-c', 'merge.directoryRenames=conflict', '-c', 'merge.renames=true'];
  const { code, stdout } = await git(
    [...args, 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs],
    {
      ...objectCall(repo),
      answers: [0, 1],
    },
  );
  const [tree = '', ...files] = splitRaw(stdout);
  if (code === 0) return { status: 'clean', tree };
  return {
    status: 'conflict',
    tree,
    files: [...new Set(files.filter((file) => file !== ''))].map((file) => decodePath(file)),
  };
}
