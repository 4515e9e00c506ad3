/**
 * What differs between two commits, and what a commit holds. Renames are not guessed: a moved file is a deletion and
 * an addition, because that is what has to be judged. Ids only; nothing here looks at a checkout.
 */
import { Buffer } from 'node:buffer';
import { ForgeError } from '../errors.ts';
import type { Change } from '../policy/receipt.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { decodePath, encodePath, type RawPath } from './raw-path.ts';
import { answerAbout, keepAnswer } from './object-answers.ts';
import { isObjectName, readObjectInfo, readObjects } from './object-reader.ts';
import { git } from './run-git.ts';
import {
  compareTrees,
  findInTree,
  type LeafChange,
  listTree,
  submoduleMode,
  type TreeLeaf,
  treeMode,
} from './tree-objects.ts';

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
  try {
    return (await compareTrees(repo, one, other)).length === 0;
  } catch (error) {
    // A tree that is not here cannot be compared.
    if (error instanceof ForgeError) return false;
    throw error;
  }
}

export interface TreeEntry {
  /** `100644`, `100755`, `120000` (symlink) or `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** Every file of a commit, in the order of git's index. */
export async function listFiles(repo: Repository, commit: string): Promise<readonly TreeEntry[]> {
  return (await listCommit(repo, commit)).files;
}

/** The files of a commit whose paths, one character per byte, match. */
export async function findFiles(repo: Repository, commit: string, pattern: RegExp): Promise<readonly TreeLeaf[]> {
  const { files, raws } = await listCommit(repo, commit);
  return raws.flatMap((raw, place) => {
    const file = pattern.test(raw) ? files[place] : undefined;
    return file === undefined ? [] : [{ mode: file.mode, id: file.id, raw }];
  });
}

async function listCommit(repo: Repository, commit: string): Promise<ListedFiles> {
  const tree = await treeOf(repo, commit);
  const known = listings.find((each) => each.tree === tree && each.objectsDir === repo.objectsDir);
  if (known !== undefined) return known;
  const like = listings.findLast((each) => each.objectsDir === repo.objectsDir);
  const made =
    (like === undefined ? undefined : await listLike(repo, like, tree)) ?? entriesOf(await listTree(repo, tree));
  // The same few trees are listed again and again while a task is checked.
  listings.push({ tree, objectsDir: repo.objectsDir, ...made });
  if (listings.length > keptListings) listings.shift();
  return made;
}

interface ListedFiles {
  readonly files: readonly TreeEntry[];
  /** Their paths as bytes. */
  readonly raws: readonly RawPath[];
}

interface Listing extends ListedFiles {
  readonly tree: string;
  readonly objectsDir: string;
}

const listings: Listing[] = [];
const keptListings = 3;
const mostListedChanges = 5000;

/** A listing that differs a little costs what differs. */
async function listLike(repo: Repository, like: Listing, tree: string): Promise<ListedFiles | undefined> {
  const changes = await compareTrees(repo, like.tree, tree);
  if (changes.length > mostListedChanges) return undefined;
  const files: TreeEntry[] = [];
  const raws: RawPath[] = [];
  let place = 0;
  const keepBefore = (end: RawPath | undefined): void => {
    for (; place < like.raws.length; place += 1) {
      const [raw, file] = [like.raws[place], like.files[place]];
      if (raw === undefined || file === undefined || (end !== undefined && raw >= end)) return;
      files.push(file);
      raws.push(raw);
    }
  };
  for (const { raw, before, after } of changes) {
    keepBefore(raw);
    if (before !== undefined) place += 1;
    if (after === undefined) continue;
    files.push({ mode: after.mode, id: after.id, path: decodePath(raw) });
    raws.push(raw);
  }
  keepBefore(undefined);
  return { files, raws };
}

function entriesOf(leaves: readonly TreeLeaf[]): ListedFiles {
  return {
    files: leaves.map(({ mode, id, raw }) => ({ mode, id, path: decodePath(raw) })),
    raws: leaves.map(({ raw }) => raw),
  };
}

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
