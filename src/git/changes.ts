/**
 * What differs between two commits, and what a commit holds. Renames are not guessed: a moved file is a deletion and
 * an addition, because that is what has to be judged. Ids only; nothing here looks at a checkout.
 */
import { Buffer } from 'node:buffer';
import type { Change } from '../policy/receipt.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { decodePath, encodePath } from './raw-path.ts';
import { answerAbout, keepAnswer } from './object-answers.ts';
import { isObjectName, readObjectInfo, readObjects } from './object-reader.ts';
import { git } from './run-git.ts';
import { compareTrees, findInTree, type LeafChange, listTree, submoduleMode, treeMode } from './tree-objects.ts';

/** What differs between two commits or trees, entry by entry. */
export async function diffTrees(repo: Repository, from: string, to: string): Promise<readonly LeafChange[]> {
  const [before, after] = await Promise.all([treeOf(repo, from), treeOf(repo, to)]);
  return compareTrees(repo, before, after);
}

export async function listChanges(repo: Repository, from: string, to: string): Promise<readonly Change[]> {
  const changes = await diffTrees(repo, from, to);
  return changes.map((change) => ({ path: decodePath(change.raw), status: statusOf(change) }));
}

/** The tree of a commit (or of a tree). */
export async function treeOf(repo: Repository, commit: string): Promise<string> {
  const name = `${commit}^{tree}`;
  const args = ['rev-parse', '--verify', '--end-of-options'];
  if (!isObjectName(name)) return (await answerAbout(repo, args, [name])).toString('utf8').trimEnd();
  const answer = await keepAnswer(repo, ['tree', commit], async () => {
    const [info] = await readObjectInfo(repo, [name]);
    if (info !== undefined) return Buffer.from(info.id, 'latin1');
    // It is not there: git says so in its own words.
    return Buffer.from((await git([...args, name], objectCall(repo))).stdout.toString('latin1').trimEnd(), 'latin1');
  });
  return answer.toString('latin1');
}

/** Whether two trees hold the same files, whatever their ids: old tools wrote modes in another way. */
export async function holdSameFiles(repo: Repository, one: string, other: string): Promise<boolean> {
  const { code, stdout } = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', one, other], {
    ...objectCall(repo),
    // A tree that is not here cannot be compared.
    answers: [0, 128],
  });
  return code === 0 && stdout.length === 0;
}

export interface TreeEntry {
  /** `100644`, `100755`, `120000` (symlink) or `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** Every file of a commit. */
export async function listFiles(repo: Repository, commit: string): Promise<readonly TreeEntry[]> {
  const tree = await treeOf(repo, commit);
  const key = `${tree} ${repo.objectsDir}`;
  const known = listings.get(key);
  if (known !== undefined) return known;
  const leaves = await listTree(repo, tree);
  const files = leaves.map(({ mode, id, raw }) => ({ mode, id, path: decodePath(raw) }));
  // The same few trees are listed again and again while a task is checked.
  listings.set(key, files);
  const [oldest] = listings.keys();
  if (listings.size > keptListings && oldest !== undefined) listings.delete(oldest);
  return files;
}

const listings = new Map<string, readonly TreeEntry[]>();
const keptListings = 3;

/** The content of a file (for a symlink: its target) in a commit; undefined when there is none. */
export async function readFileAt(repo: Repository, commit: string, path: string): Promise<Buffer | undefined> {
  const found = await findInTree(repo, await treeOf(repo, commit), encodePath(path));
  if (found === undefined || found.mode === treeMode || found.mode === submoduleMode) return undefined;
  return (await readObjects(repo, [found.id])).get(found.id);
}

function statusOf({ before, after }: LeafChange): Change['status'] {
  if (before === undefined) return 'added';
  if (after === undefined) return 'deleted';
  const kindOf = ({ mode }: { readonly mode: string }): string => mode.slice(0, 3);
  return kindOf(before) === kindOf(after) ? 'modified' : 'type-changed';
}
