/**
 * Makes the trees that an edit of a tree needs, and only those: the directories on the way to what changes. Ids are
 * computed here, the objects are written by one git, and git must come to the same ids.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { ForgeError } from '../errors.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import type { RawPath } from './raw-path.ts';
import { git } from './run-git.ts';
import { readTrees, submoduleMode, type TreeItem, treeMode } from './tree-objects.ts';

/** An entry to have at a path, or none. */
export interface TreeEdit {
  readonly raw: RawPath;
  readonly entry: { readonly mode: string; readonly id: string } | undefined;
}

/**
 * The tree with the edits made. Removals come first, so that a file may take a directory's place, and a directory a
 * file's. A directory that is left empty goes.
 */
export async function writeEditedTree(repo: Repository, tree: string, edits: readonly TreeEdit[]): Promise<string> {
  const made: MadeTree[] = [];
  const edited = await editDirectory(repo, tree, nestEdits(edits), made);
  const root = edited ?? makeTree(repo, [], made);
  await writeTrees(repo, made);
  return root;
}

/** The edits of one directory: of its own lines, and of what is below it. */
interface DirectoryEdits {
  readonly own: Map<string, TreeEdit['entry']>;
  readonly below: Map<string, DirectoryEdits>;
}

function nestEdits(edits: readonly TreeEdit[]): DirectoryEdits {
  const root: DirectoryEdits = { own: new Map(), below: new Map() };
  for (const { raw, entry } of edits) {
    const parts = raw.split('/');
    const name = parts.pop() ?? '';
    let place = root;
    for (const part of parts) {
      const next = place.below.get(part) ?? { own: new Map(), below: new Map() };
      place.below.set(part, next);
      place = next;
    }
    place.own.set(name, entry);
  }
  return root;
}

interface MadeTree {
  readonly id: string;
  readonly items: readonly TreeItem[];
}

/** Answers the id of the edited directory; undefined when nothing is left in it. Children are made before parents. */
async function editDirectory(
  repo: Repository,
  tree: string | undefined,
  edits: DirectoryEdits,
  made: MadeTree[],
): Promise<string | undefined> {
  const items = new Map<string, TreeItem>();
  if (tree !== undefined) {
    const before = (await readTrees(repo, [tree])).get(tree);
    if (before === undefined) throw new ForgeError('git-failed', `the tree ${tree} is not in the repository`);
    for (const item of before) items.set(item.name, item);
  }
  for (const [name, entry] of edits.own) {
    if (entry !== undefined) items.set(name, { ...entry, name });
    else if (items.get(name)?.mode !== treeMode) items.delete(name);
  }
  for (const [name, below] of edits.below) {
    const there = items.get(name);
    const isTree = there?.mode === treeMode;
    if (!isTree && !putsSomething(below)) continue;
    const id = await editDirectory(repo, isTree ? there.id : undefined, below, made);
    if (id === undefined) items.delete(name);
    else items.set(name, { mode: treeMode, id, name });
  }
  return items.size === 0 ? undefined : makeTree(repo, [...items.values()], made);
}

function putsSomething({ own, below }: DirectoryEdits): boolean {
  return [...own.values()].some((entry) => entry !== undefined) || [...below.values()].some(putsSomething);
}

function makeTree(repo: Repository, items: readonly TreeItem[], made: MadeTree[]): string {
  const sorted = [...items].sort((one, other) => (sortName(one) < sortName(other) ? -1 : 1));
  const content = Buffer.concat(
    sorted.flatMap(({ mode, name, id }) => [
      Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]),
  );
  const id = createHash(repo.objectFormat).update(`tree ${content.length}\0`).update(content).digest('hex');
  made.push({ id, items: sorted });
  return id;
}

/** Git sorts directories as if their names ended in a slash. */
function sortName({ mode, name }: TreeItem): string {
  return mode === treeMode ? `${name}/` : name;
}

async function writeTrees(repo: Repository, made: readonly MadeTree[]): Promise<void> {
  if (made.length === 0) return;
  const text = made.map(({ items }) => `${items.map((item) => `${lineOf(item)}\0`).join('')}\0`).join('');
  const stdin = Buffer.from(text, 'latin1');
  const { stdout } = await git(['mktree', '-z', '--batch'], { ...objectCall(repo), stdin });
  const ids = stdout.toString('latin1').trimEnd().split('\n');
  if (made.length !== ids.length || made.some(({ id }, at) => id !== ids[at])) {
    throw new Error('git made other trees than were asked for');
  }
}

function lineOf({ mode, id, name }: TreeItem): string {
  const type = mode === treeMode ? 'tree' : mode === submoduleMode ? 'commit' : 'blob';
  return `${mode} ${type} ${id}\t${name}`;
}
