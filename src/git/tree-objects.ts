/**
 * Trees as objects: read through the object reader, listed, compared and edited without a process per question. A tree
 * never changes, so what was read is kept, up to a bound on bytes; a second look costs only the directories that differ.
 * Modes are given as git gives them. A tree that cannot be read, is nested too deeply or holds too much is a failure
 * with a sentence, never a process that grows without end.
 */
import type { Buffer } from 'node:buffer';
import { ForgeError } from '../errors.ts';
import type { Repository } from './git.ts';
import { readObjects } from './object-reader.ts';
import type { RawPath } from './raw-path.ts';

/** One line of one directory. The name has one character per byte. */
export interface TreeItem {
  readonly mode: string;
  readonly id: string;
  readonly name: string;
}

/** One file, link or submodule of a whole tree. */
export interface TreeLeaf {
  readonly mode: string;
  readonly id: string;
  readonly raw: RawPath;
}

export interface LeafChange {
  readonly raw: RawPath;
  readonly before: TreeLeaf | undefined;
  readonly after: TreeLeaf | undefined;
}

export const treeMode = '040000';
export const submoduleMode = '160000';

/** For a tree that was made to fill the memory of whoever lists it. */
const mostLeaves = 4_000_000;
const deepestTree = 2048;

/** Every file, link and submodule below a tree, in the order of git's index. */
export async function listTree(repo: Repository, tree: string): Promise<readonly TreeLeaf[]> {
  const leaves: TreeLeaf[] = [];
  let level: readonly { readonly at: string; readonly id: string }[] = [{ at: '', id: tree }];
  for (let depth = 0; level.length > 0; depth += 1) {
    requireDepth(depth);
    const trees = await readTrees(
      repo,
      level.map(({ id }) => id),
    );
    const next: { at: string; id: string }[] = [];
    for (const { at, id } of level) {
      for (const { mode, id: itemId, name } of itemsOf(trees, id)) {
        if (mode === treeMode) next.push({ at: `${at}${name}/`, id: itemId });
        else leaves.push({ mode, id: itemId, raw: `${at}${name}` as RawPath });
      }
      requireCount(leaves.length + next.length);
    }
    level = next;
  }
  return leaves.sort(byPath);
}

/** What differs between two trees, in the order of git's index. Only directories that differ are read. */
export async function compareTrees(repo: Repository, from: string, to: string): Promise<readonly LeafChange[]> {
  const changes: LeafChange[] = [];
  type Pair = { readonly at: string; readonly before: string | undefined; readonly after: string | undefined };
  let level: readonly Pair[] = from === to ? [] : [{ at: '', before: from, after: to }];
  for (let depth = 0; level.length > 0; depth += 1) {
    requireDepth(depth);
    const ids = level.flatMap(({ before, after }) => [before, after]).filter((id) => id !== undefined);
    const trees = await readTrees(repo, ids);
    const next: Pair[] = [];
    for (const { at, before, after } of level) {
      const old = byName(before === undefined ? [] : itemsOf(trees, before));
      const now = byName(after === undefined ? [] : itemsOf(trees, after));
      for (const name of new Set([...old.keys(), ...now.keys()])) {
        const [one, other] = [old.get(name), now.get(name)];
        if (one?.id === other?.id && one?.mode === other?.mode) continue;
        const [oldTree, newTree] = [
          one?.mode === treeMode ? one.id : undefined,
          other?.mode === treeMode ? other.id : undefined,
        ];
        if (oldTree !== undefined || newTree !== undefined) {
          next.push({ at: `${at}${name}/`, before: oldTree, after: newTree });
        }
        const raw = `${at}${name}` as RawPath;
        const leaf = (item: TreeItem | undefined): TreeLeaf | undefined =>
          item === undefined || item.mode === treeMode ? undefined : { mode: item.mode, id: item.id, raw };
        const change = { raw, before: leaf(one), after: leaf(other) };
        if (change.before !== undefined || change.after !== undefined) changes.push(change);
      }
      requireCount(changes.length + next.length);
    }
    level = next;
  }
  return changes.sort(byPath);
}

/** The entry at a path; undefined when there is none. */
export async function findInTree(repo: Repository, tree: string, path: RawPath): Promise<TreeItem | undefined> {
  let found: TreeItem | undefined = { mode: treeMode, id: tree, name: '' };
  for (const part of path.split('/')) {
    if (found?.mode !== treeMode) return undefined;
    found = itemsOf(await readTrees(repo, [found.id]), found.id).find(({ name }) => name === part);
  }
  return found;
}

/** The lines of some directories, by the id of their tree. */
export async function readTrees(
  repo: Repository,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly TreeItem[]>> {
  const contents = new Map<string, Buffer>();
  const missing: string[] = [];
  for (const id of new Set(ids)) {
    const known = recall(keyOf(repo, id));
    if (known === undefined) missing.push(id);
    else contents.set(id, known);
  }
  for (const [id, content] of await readObjects(repo, missing)) {
    remember(keyOf(repo, id), content);
    contents.set(id, content);
  }
  const idBytes = repo.objectFormat === 'sha256' ? 32 : 20;
  return new Map([...contents].map(([id, content]) => [id, parseTree(id, content, idBytes)]));
}

function itemsOf(trees: ReadonlyMap<string, readonly TreeItem[]>, id: string): readonly TreeItem[] {
  const items = trees.get(id);
  if (items === undefined) throw new ForgeError('git-failed', `the tree ${id} is not in the repository`);
  return items;
}

/** `<mode> <name>\0<id>`, one after the other. */
export function parseTree(id: string, content: Buffer, idBytes: number): readonly TreeItem[] {
  const items: TreeItem[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    const next = end + 1 + idBytes;
    const name = content.toString('latin1', space + 1, end);
    // Such names would lead out of their directory; git refuses to check them out.
    if (space === -1 || end === -1 || next > content.length || /^\.{0,2}$|\//.test(name)) {
      throw new ForgeError('git-failed', `the tree ${id} is damaged: git fsck tells more`);
    }
    items.push({
      mode: canonicalMode(content.toString('latin1', at, space)),
      name,
      id: content.toString('hex', end + 1, next),
    });
    at = next;
  }
  return items;
}

/** Old tools wrote modes that git no longer makes; git itself reads them like this. */
function canonicalMode(text: string): string {
  const mode = Number.parseInt(text, 8);
  const kind = mode & 0o170000;
  if (kind === 0o100000) return (mode & 0o100) === 0 ? '100644' : '100755';
  if (kind === 0o120000) return '120000';
  return kind === 0o040000 ? treeMode : submoduleMode;
}

function byName(items: readonly TreeItem[]): Map<string, TreeItem> {
  return new Map(items.map((item) => [item.name, item]));
}

function byPath(one: { readonly raw: RawPath }, other: { readonly raw: RawPath }): number {
  return one.raw < other.raw ? -1 : one.raw > other.raw ? 1 : 0;
}

function requireDepth(depth: number): void {
  if (depth > deepestTree)
    throw new ForgeError('git-failed', `a tree is nested more than ${deepestTree} directories deep`);
}

function requireCount(count: number): void {
  if (count > mostLeaves) throw new ForgeError('git-failed', `a tree holds more than ${mostLeaves} entries`);
}

/** Contents of trees by object store and id. Not by id alone: nobody checked what another store holds under that id. */
const kept = new Map<string, Buffer>();
const mostBytes = 24 * 1024 * 1024;
let keptBytes = 0;

function keyOf({ objectsDir }: Repository, id: string): string {
  return `${id} ${objectsDir}`;
}

function recall(key: string): Buffer | undefined {
  const content = kept.get(key);
  if (content === undefined) return undefined;
  // The one that was used last is dropped last.
  kept.delete(key);
  kept.set(key, content);
  return content;
}

function remember(key: string, content: Buffer): void {
  if (content.length > mostBytes / 4 || kept.has(key)) return;
  kept.set(key, content);
  keptBytes += content.length + entryCost;
  for (const [oldest, { length }] of kept) {
    if (keptBytes <= mostBytes) return;
    kept.delete(oldest);
    keptBytes -= length + entryCost;
  }
}

/** What an entry takes besides its bytes. */
const entryCost = 200;
