/**
 * Makes the trees that an edit of a tree needs, and only those: the directories on the way to what changes. What an edit
 * puts in has to be in the repository.
 */
import { Buffer } from 'node:buffer';
import { ForgeError } from '../errors.ts';
import type { Repository } from './git.ts';
import type { RawPath } from './raw-path.ts';
import { readTrees, submoduleMode, type TreeItem, treeMode } from './tree-objects.ts';
import { objectId, requireObjects, writeObject } from './write-objects.ts';

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
  await requireEntries(repo, edits);
  const made: Buffer[] = [];
  const edited = await editDirectory(repo, tree, nestEdits(edits), made);
  const root = edited ?? makeTree(repo, [], made);
  // Children first: a tree that is there is there with all that it holds.
  for (const content of made) await writeObject(repo, { type: 'tree', content });
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

/** Answers the id of the edited directory; undefined when nothing is left in it. Children are made before parents. */
async function editDirectory(
  repo: Repository,
  tree: string | undefined,
  edits: DirectoryEdits,
  made: Buffer[],
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

function makeTree(repo: Repository, items: readonly TreeItem[], made: Buffer[]): string {
  const sorted = [...items].sort((one, other) => (sortName(one) < sortName(other) ? -1 : 1));
  const content = Buffer.concat(
    sorted.flatMap(({ mode, name, id }) => [
      Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]),
  );
  made.push(content);
  return objectId(repo, { type: 'tree', content });
}

/** Git sorts directories as if their names ended in a slash. */
function sortName({ mode, name }: TreeItem): string {
  return mode === treeMode ? `${name}/` : name;
}

async function requireEntries(repo: Repository, edits: readonly TreeEdit[]): Promise<void> {
  const idsOf = (isType: (mode: string) => boolean): readonly string[] =>
    edits.flatMap(({ entry }) => (entry !== undefined && isType(entry.mode) ? [entry.id] : []));
  await requireObjects(
    repo,
    idsOf((mode) => mode !== treeMode && mode !== submoduleMode),
    'blob',
  );
  await requireObjects(
    repo,
    idsOf((mode) => mode === treeMode),
    'tree',
  );
}
