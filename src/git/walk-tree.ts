/**
 * Sees a tree an agent has left: every file and link in it, what git would stumble over, and nothing behind a
 * link. Directories that were closed are opened again, because what is in them counts. Ignore and attribute files
 * that would block or flood git (a fifo, gigabytes) are moved out of its way before any git looks at the tree.
 */
import type { Buffer } from 'node:buffer';
import type { Dirent, Stats } from 'node:fs';
import { chmod, lstat, readdir, rename } from 'node:fs/promises';
import { childPath, fsPath, type RawPath } from './raw-path.ts';

export interface WalkedEntry {
  /** Regular files and symlinks, in no order. */
  readonly files: readonly RawPath[];
  /** Fifos, sockets, devices. */
  readonly special: readonly RawPath[];
  /** Anything named `.git`, in any spelling, but for the one at the top. */
  readonly metadata: readonly RawPath[];
  readonly unreadable: readonly RawPath[];
  /** Directories that `skip` named. */
  readonly skipped: readonly RawPath[];
}

export async function walkTree(
  root: string,
  skip: (directory: RawPath, name: string) => boolean,
): Promise<WalkedEntry> {
  const seen = { files: [], special: [], metadata: [], unreadable: [], skipped: [] } as Collected;
  await visit(root, '' as RawPath, skip, seen);
  return seen;
}

/** Bytes below a path, links not followed; undefined once the budget of entries is used up. */
export async function measureBytes(
  root: string,
  path: RawPath,
  budget: { entries: number },
): Promise<number | undefined> {
  budget.entries -= 1;
  if (budget.entries < 0) return undefined;
  const found = await lstat(fsPath(root, path)).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for (const name of await readdir(fsPath(root, path), { encoding: 'buffer' }).catch(() => [])) {
    const part = await measureBytes(root, childPath(path, name), budget);
    if (part === undefined) return undefined;
    bytes += part;
  }
  return bytes;
}

type Collected = { -readonly [K in keyof WalkedEntry]: RawPath[] };

async function visit(
  root: string,
  directory: RawPath,
  skip: (directory: RawPath, name: string) => boolean,
  seen: Collected,
): Promise<void> {
  const entries = await open(root, directory);
  if (entries === undefined) {
    seen.unreadable.push(directory);
    return;
  }
  const below: RawPath[] = [];
  for (const entry of entries) {
    const path = childPath(directory, entry.name);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name.toLowerCase() === '.git') {
      if (path !== '.git') seen.metadata.push(path);
      continue;
    }
    const kind = await kindOf(root, path, entry);
    if (kind === 'directory' && skip(path, name)) seen.skipped.push(path);
    else if (kind === 'directory') below.push(path);
    else if (kind === 'file') seen.files.push(await disarm(root, path, name));
    else if (kind === 'special') seen.special.push(await disarm(root, path, name));
    else seen.unreadable.push(path);
  }
  for (const path of below) await visit(root, path, skip, seen);
}

async function open(root: string, directory: RawPath): Promise<Dirent<Buffer>[] | undefined> {
  const path = fsPath(root, directory);
  try {
    const { mode } = await lstat(path);
    if ((mode & 0o700) !== 0o700) await chmod(path, (mode & 0o7777) | 0o700);
    return await readdir(path, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return undefined;
  }
}

type Kind = 'file' | 'directory' | 'special' | 'unknown';

async function kindOf(root: string, path: RawPath, entry: Dirent<Buffer>): Promise<Kind> {
  const known = kindFrom(entry);
  if (known !== 'unknown') return known;
  // Some file systems do not tell.
  const found = await lstat(fsPath(root, path)).catch(() => undefined);
  return found === undefined ? 'unknown' : kindFrom(found);
}

function kindFrom(entry: Dirent<Buffer> | Stats): Kind {
  if (entry.isDirectory()) return 'directory';
  if (entry.isFile() || entry.isSymbolicLink()) return 'file';
  return entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice()
    ? 'special'
    : 'unknown';
}

/** Git reads these wherever they are: opening a fifo would never return. */
const readByGit = new Set(['.gitignore', '.gitattributes', '.gitmodules']);
const largestRules = 16 * 1024 * 1024;

async function disarm(root: string, path: RawPath, name: string): Promise<RawPath> {
  if (!readByGit.has(name)) return path;
  const found = await lstat(fsPath(root, path));
  if (found.isSymbolicLink() || (found.isFile() && found.size <= largestRules)) return path;
  const aside = `${path}.moved-by-forge` as RawPath;
  await rename(fsPath(root, path), fsPath(root, aside));
  return aside;
}
