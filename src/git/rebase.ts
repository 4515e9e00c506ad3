/**
 * A run's result on top of a branch that has moved: its commits one by one, so that history stays readable, or as one
 * where only the whole fits. On objects alone: no checkout is touched. A conflict comes back as a commit that holds both
 * sides with markers, for an agent or a person to settle.
 */
import { listChanges, readFileAt, treeOf } from './changes.ts';
import { creditsBetween, writeCommit } from './commit.ts';
import { objectCall, refCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { mergeTrees } from './merge.ts';
import { readObjects } from './object-reader.ts';
import { git } from './run-git.ts';
import { requireObjects, writeObject } from './write-objects.ts';

export interface RebaseRequest {
  readonly run: string;
  /** What the result was built on. */
  readonly base: string;
  readonly commit: string;
  readonly onto: string;
  readonly title: string;
  readonly date: Date;
}

export type Rebased =
  | { readonly status: 'ready'; readonly commit: string }
  | { readonly status: 'conflict'; readonly commit: string; readonly files: readonly string[] };

export async function rebaseResult(repo: Repository, request: RebaseRequest): Promise<Rebased> {
  const replayed = await replay(repo, request);
  if (replayed !== undefined) return { status: 'ready', commit: replayed };
  const { base, commit, onto } = request;
  const [from, ours, theirs] = await Promise.all([treeOf(repo, base), treeOf(repo, onto), treeOf(repo, commit)]);
  const merged = await mergeTrees(repo, { base: from, ours, theirs });
  const made = await commitOnTop(repo, request, merged.tree);
  return merged.status === 'clean'
    ? { status: 'ready', commit: made }
    : { status: 'conflict', commit: made, files: merged.files };
}

/** The tree of a commit on top of the branch, as the run's result. */
export async function commitOnTop(repo: Repository, request: RebaseRequest, tree: string): Promise<string> {
  const { run, base, commit, onto, title, date } = request;
  const authors = await creditsBetween(repo, base, commit);
  return writeCommit(repo, { tree, parent: onto, message: title, run, authors, date });
}

/** Files that still hold a line with a marker of a conflict that neither side has. */
export async function unresolvedFiles(
  repo: Repository,
  commit: string,
  { files, sides }: { readonly files: readonly string[]; readonly sides: readonly string[] },
): Promise<readonly string[]> {
  const open: string[] = [];
  for (const file of files) {
    const known = new Set((await Promise.all(sides.map((side) => markersIn(repo, side, file)))).flat());
    if ((await markersIn(repo, commit, file)).some((line) => !known.has(line))) open.push(file);
  }
  return open;
}

async function markersIn(repo: Repository, commit: string, file: string): Promise<readonly string[]> {
  const text = (await readFileAt(repo, commit, file))?.toString('latin1') ?? '';
  return text.match(/^(<{7}|>{7}) .*$/gm) ?? [];
}

/** A commit by its id or by the name of a branch; undefined where there is none. */
export async function findCommit(repo: Repository, name: string): Promise<string | undefined> {
  const wanted = /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name) ? name : `refs/heads/${name}`;
  const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${wanted}^{commit}`], {
    ...refCall(repo),
    answers: [0, 1, 128],
  });
  return code === 0 ? stdout.toString('latin1').trim() : undefined;
}

async function replay(repo: Repository, { base, commit, onto }: RebaseRequest): Promise<string | undefined> {
  const { stdout } = await git(['rev-list', '--reverse', '--first-parent', `${base}..${commit}`], objectCall(repo));
  const commits = stdout.toString('latin1').split('\n').filter(Boolean);
  let [head, parent] = [onto, base];
  for (const next of commits) {
    const [from, ours, theirs] = await Promise.all([treeOf(repo, parent), treeOf(repo, head), treeOf(repo, next)]);
    const merged = await mergeTrees(repo, { base: from, ours, theirs });
    if (merged.status === 'conflict') return undefined;
    parent = next;
    if (merged.tree !== ours) head = await copyCommit(repo, next, { tree: merged.tree, parent: head });
  }
  // A base that is not an ancestor gives commits that are not the run's: then only the whole counts.
  const same = await listChanges(repo, parent, commit);
  return same.length === 0 && head !== onto ? head : undefined;
}

/** The same message, author and dates on another parent: the same commit however often it is made. */
async function copyCommit(
  repo: Repository,
  commit: string,
  { tree, parent }: { readonly tree: string; readonly parent: string },
): Promise<string> {
  const text = (await readObjects(repo, [commit])).get(commit)?.toString('latin1') ?? '';
  const end = text.indexOf('\n\n');
  const kept = text
    .slice(0, end)
    .split('\n')
    .filter((line) => /^(author|committer|encoding) /.test(line));
  const made = [`tree ${tree}`, `parent ${parent}`, ...kept].join('\n');
  await requireObjects(repo, [tree], 'tree');
  await requireObjects(repo, [parent, commit], 'commit');
  return writeObject(repo, { type: 'commit', content: Buffer.from(`${made}${text.slice(end)}`, 'latin1') });
}
