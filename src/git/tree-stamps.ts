/**
 * What the file system says of every file and directory of a tree: owner, mode, links, inode, size and both times. A
 * program in the jail can write what it likes and set a file's mtime, but every such write moves the ctime, and nothing
 * in the jail can move that back. So an entry with the same stamp was not written since, and an entry with another one
 * is taken for changed, whatever it holds. Reading works in short slices: others of this process get their turn.
 */
import type { Buffer } from 'node:buffer';
import { type BigIntStats, chmodSync, type Dirent, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { childPath, fsPath, type RawPath } from './raw-path.ts';

export interface DirectoryStamps {
  stamp: string;
  /** By name, one character per byte. */
  readonly files: Map<string, string>;
}

/** By path of the directory; the top is the empty path. */
export type TreeStamps = Map<RawPath, DirectoryStamps>;

const entriesPerTurn = 1_000;

/** Stamps everything in a tree. With an owner, what belongs to somebody else is handed over first. */
export async function stampTree(root: string, owner: number | undefined): Promise<TreeStamps> {
  const stamps: TreeStamps = new Map();
  const pace = paceMaker();
  const waiting: RawPath[] = ['' as RawPath];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const files = new Map<string, string>();
    for (const entry of entriesOf(root, directory)) {
      const path = childPath(directory, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else files.set(nameOf(path), readStamp(root, path, owner) ?? '');
      await pace();
    }
    stamps.set(directory, { stamp: readStamp(root, directory, owner) ?? '', files });
  }
  return stamps;
}

/** The stamps of some files; none where a file is gone. With an owner, they are handed over first. */
export async function stampFiles(
  root: string,
  paths: readonly RawPath[],
  owner?: number,
): Promise<ReadonlyMap<RawPath, string>> {
  const pace = paceMaker();
  const stamps = new Map<RawPath, string>();
  for (const path of paths) {
    stamps.set(path, readStamp(root, path, owner) ?? '');
    await pace();
  }
  return stamps;
}

/** Brings the stamps of some paths up to date, and those of every directory above them. */
export function stampAgain(
  root: string,
  stamps: TreeStamps,
  paths: Iterable<RawPath>,
  owner: number | undefined,
): void {
  const above = new Set<RawPath>(['' as RawPath]);
  for (const path of paths) {
    const parent = parentOf(path);
    for (let each = parent; each !== ''; each = parentOf(each)) above.add(each);
    const found = statOf(root, path);
    if (found?.isDirectory() === true) above.add(path);
    else if (found === undefined) stamps.get(parent)?.files.delete(nameOf(path));
    else directoryAt(stamps, parent).files.set(nameOf(path), readStamp(root, path, owner) ?? '');
  }
  for (const directory of above) {
    const stamp = statOf(root, directory)?.isDirectory() === true ? readStamp(root, directory, owner) : undefined;
    if (stamp === undefined) stamps.delete(directory);
    else directoryAt(stamps, directory).stamp = stamp;
  }
}

export interface TreeDifference {
  /** Files that are not as stamped, but for those in directories that are gone. */
  readonly files: readonly RawPath[];
  /** Directories that are not as stamped: something may have been added to them, removed from them or said of them. */
  readonly directories: readonly RawPath[];
  /** Directories that are gone, or are something else now. */
  readonly gone: readonly RawPath[];
}

/**
 * What is not as stamped. An entry whose ctime is not older than the moment the stamps were written down counts as
 * changed: a second write within one tick of the clock would not show.
 */
export async function compareTree(root: string, stamps: TreeStamps, writtenNs: bigint): Promise<TreeDifference> {
  const files: RawPath[] = [];
  const directories: RawPath[] = [];
  const pace = paceMaker();
  const isSame = (stamp: string, found: BigIntStats): boolean => stampOf(found) === stamp && found.ctimeNs < writtenNs;
  const lost = new Set<RawPath>();
  for (const [directory, known] of parentsFirst(stamps)) {
    // Below a link in place of a directory lies somebody else's.
    const found = directory !== '' && lost.has(parentOf(directory)) ? undefined : statOf(root, directory);
    if (found?.isDirectory() !== true) {
      lost.add(directory);
      continue;
    }
    // A directory that was closed has another ctime; what is below it is looked at all the same.
    if ((found.mode & 0o700n) !== 0o700n) chmodSync(fsPath(root, directory), 0o700);
    if (!isSame(known.stamp, found) || hasOther(root, directory, known, stamps)) directories.push(directory);
    for (const [name, stamp] of known.files) {
      const path = pathBelow(directory, name);
      const file = statOf(root, path);
      if (file === undefined || !isSame(stamp, file)) files.push(path);
      await pace();
    }
    await pace();
  }
  return { files, directories, gone: [...lost] };
}

function parentsFirst(stamps: TreeStamps): readonly [RawPath, DirectoryStamps][] {
  return [...stamps].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The text of stamps on disk, one character per byte. */
export function formatStamps(stamps: TreeStamps): string {
  const lines: string[] = [];
  for (const [path, { stamp, files }] of stamps) {
    lines.push(`D${stamp}\t${path}`);
    for (const [name, each] of files) lines.push(`F${each}\t${name}`);
  }
  return lines.join('\0');
}

export function parseStamps(text: string): TreeStamps {
  const stamps: TreeStamps = new Map();
  let files = new Map<string, string>();
  for (const line of text.split('\0')) {
    const tab = line.indexOf('\t');
    if (tab === -1) throw new Error('a line of the stamps cannot be read');
    const [stamp, path] = [line.slice(1, tab), line.slice(tab + 1)];
    if (line.startsWith('D')) {
      files = new Map();
      stamps.set(path as RawPath, { stamp, files });
    } else files.set(path, stamp);
  }
  return stamps;
}

/** The latest ctime of all stamps, in nanoseconds. */
export function newestChange(stamps: TreeStamps): bigint {
  let newest = '0';
  // They are numbers of the same length: comparing text is enough.
  const look = (stamp: string): void => {
    const changed = stamp.slice(stamp.lastIndexOf(' ') + 1);
    if (changed > newest) newest = changed;
  };
  for (const { stamp, files } of stamps.values()) {
    look(stamp);
    for (const each of files.values()) look(each);
  }
  return BigInt(newest);
}

/** Bytes of all stamped files. */
export function stampedBytes(stamps: TreeStamps): number {
  let bytes = 0;
  for (const { files } of stamps.values()) for (const stamp of files.values()) bytes += Number(stamp.split(' ', 1)[0]);
  return bytes;
}

export function pathBelow(directory: RawPath, name: string): RawPath {
  return (directory === '' ? name : `${directory}/${name}`) as RawPath;
}

export function fileCount(stamps: TreeStamps): number {
  let count = 0;
  for (const { files } of stamps.values()) count += files.size;
  return count;
}

export function isStampedFile(stamps: TreeStamps, path: RawPath): boolean {
  return stamps.get(parentOf(path))?.files.has(nameOf(path)) === true;
}

export function parentOf(path: RawPath): RawPath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))) as RawPath;
}

function nameOf(path: RawPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The ctime of a directory says so already; names are compared because they cost next to nothing. */
function hasOther(root: string, directory: RawPath, { files }: DirectoryStamps, stamps: TreeStamps): boolean {
  // One character per byte, as in paths of stamps.
  const names = readdirSync(placeOf(root, directory), 'latin1');
  return names.some((name) => !files.has(name) && !stamps.has(pathBelow(directory, name)));
}

function readStamp(root: string, path: RawPath, owner: number | undefined): string | undefined {
  const found = statOf(root, path);
  if (found === undefined) return undefined;
  if (owner === undefined || found.uid === BigInt(owner)) return stampOf(found);
  lchownSync(fsPath(root, path), owner, owner);
  const handed = statOf(root, path);
  return handed === undefined ? undefined : stampOf(handed);
}

function stampOf({ size, mode, uid, gid, nlink, dev, ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size} ${mode} ${uid} ${gid} ${nlink} ${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
}

function statOf(root: string, path: RawPath): BigIntStats | undefined {
  return lstatSync(placeOf(root, path), { bigint: true, throwIfNoEntry: false });
}

function entriesOf(root: string, directory: RawPath): Dirent<Buffer>[] {
  return readdirSync(placeOf(root, directory), { withFileTypes: true, encoding: 'buffer' });
}

/** Text where that gives the same bytes: it is several times cheaper. */
function placeOf(root: string, path: RawPath): string | Buffer {
  return isPlainText.test(path) ? (path === '' ? root : `${root}/${path}`) : fsPath(root, path);
}

const isPlainText = /^[ -~]*$/;

function directoryAt(stamps: TreeStamps, path: RawPath): DirectoryStamps {
  const known = stamps.get(path);
  if (known !== undefined) return known;
  const made: DirectoryStamps = { stamp: '', files: new Map() };
  stamps.set(path, made);
  return made;
}

function paceMaker(): () => Promise<void> | undefined {
  let seen = 0;
  return () => {
    seen += 1;
    return seen % entriesPerTurn === 0 ? turn() : undefined;
  };
}
