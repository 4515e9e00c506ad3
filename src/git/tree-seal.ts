/**
 * The seal of a tree: stamps of everything in it, taken when the engine had just filled it and before anybody else
 * could write there, with the index of that moment. Both lie in the engine's directory, outside every jail. A sealed
 * tree can be made to hold another commit by touching only what differs. Any doubt is an error: the caller then makes
 * a tree anew.
 */
import { Buffer } from 'node:buffer';
import { link, lstat, mkdir, open, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ownIdentity } from '../process/identity.ts';
import type { Jail } from '../process/jail.ts';
import { diffTrees, treeOf } from './changes.ts';
import { removeTree } from './confined.ts';
import type { WorkspacePaths } from './data-dir.ts';
import { treeCall, writeEngineDir } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { decodePath, fsPath, joinRaw, type RawPath } from './raw-path.ts';
import { git } from './run-git.ts';
import {
  compareTree,
  fileCount,
  formatStamps,
  isStampedFile,
  newestChange,
  parentOf,
  parseStamps,
  pathBelow,
  stampAgain,
  stampedBytes,
  stampFiles,
  stampTree,
  type TreeDifference,
  type TreeStamps,
} from './tree-stamps.ts';

const headSchema = z.strictObject({
  version: z.literal(1),
  /** What the index held. */
  tree: z.string(),
  /** Whom the files belong to, when jailed programs run as another user. */
  user: z.number().nullable(),
  /** A machine that was started anew may have lost what was written last. */
  boot: z.string(),
  bytes: z.number(),
});

export type SealHead = z.infer<typeof headSchema>;

/** Seals a tree that the engine has just filled from a commit. Answers its directories. */
export async function sealTree(
  repo: Repository,
  paths: WorkspacePaths,
  commit: string,
  jail: Jail,
): Promise<readonly RawPath[]> {
  const stamps = await stampTree(paths.tree, jail.user);
  await writeSeal(paths, await treeOf(repo, commit), jail, stamps);
  return [...stamps.keys()];
}

/**
 * Removes the sealed files that were written since, so that git puts them back. Git itself compares times by the second
 * and can be deceived by whoever writes within one. Without a seal nothing is removed.
 */
export async function removeChangedFiles(paths: Pick<WorkspacePaths, 'engineDir' | 'tree'>): Promise<void> {
  const seal = await readSeal(paths).catch(() => undefined);
  if (seal === undefined) return;
  const { files } = await compareTree(paths.tree, seal.stamps, seal.writtenNs);
  for (const path of files) await rm(fsPath(paths.tree, path), { recursive: true, force: true });
}

/**
 * Watches the sealed files from now on: the answer names those that were written since, also those that hold the same
 * again. Undefined without a seal: then nobody can tell. What lies in the tree's own git directory is not looked at.
 */
export async function watchFiles(
  paths: Pick<WorkspacePaths, 'engineDir' | 'tree'>,
  /** Has nobody written there since the tree was sealed? Then the seal says how the files are. */
  isFresh = false,
): Promise<() => Promise<readonly string[] | undefined>> {
  const seal = await readSeal(paths).catch(() => undefined);
  if (seal === undefined) return async () => undefined;
  const sealed = new Map<RawPath, string>();
  for (const [directory, known] of seal.stamps) {
    if (directory === '.git' || directory.startsWith('.git/')) continue;
    for (const [name, stamp] of known.files) sealed.set(pathBelow(directory, name), stamp);
  }
  const files = [...sealed.keys()];
  // What git has just put back is handed over first: that moves the ctime as well.
  const before = isFresh ? sealed : await stampFiles(paths.tree, files, seal.head.user ?? undefined);
  return async () => {
    const after = await stampFiles(paths.tree, files);
    return files.filter((path) => after.get(path) !== before.get(path)).map(decodePath);
  };
}

/**
 * The sealed files that are not as they were sealed; the caller compares their content. Undefined where nobody can tell:
 * without a seal, after another start of the machine, or on a file system whose ctime cannot be relied on.
 */
export async function filesNotAsSealed(
  paths: Pick<WorkspacePaths, 'engineDir' | 'tree'>,
): Promise<{ readonly changed: readonly RawPath[]; readonly isSealed: (path: RawPath) => boolean } | undefined> {
  const seal = await readSeal(paths).catch(() => undefined);
  if (seal === undefined || !isOfThisBoot(seal.head) || !(await hasReliableTimes(paths.tree))) return undefined;
  const { stamps } = seal;
  const { files, gone } = await compareTree(paths.tree, stamps, seal.writtenNs);
  const lost = gone.flatMap((directory) =>
    [...(stamps.get(directory)?.files.keys() ?? [])].map((name) => pathBelow(directory, name)),
  );
  return { changed: [...files, ...lost], isSealed: (path) => isStampedFile(stamps, path) };
}

/**
 * ext2/3/4, xfs, btrfs. On tmpfs a file can be written through a mapping without its ctime moving, and what an overlay
 * lies on is not known.
 */
const reliable: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e]);

export async function hasReliableTimes(directory: string): Promise<boolean> {
  return reliable.has((await statfs(directory)).type);
}

/** From now on nobody vouches for what is in the tree. */
export async function breakSeal(paths: Pick<WorkspacePaths, 'engineDir'>): Promise<void> {
  await rm(sealFile(paths), { force: true });
}

/** Undefined when there is no seal that can be read. */
export async function readSealHead(paths: Pick<WorkspacePaths, 'engineDir'>): Promise<SealHead | undefined> {
  const file = await open(sealFile(paths)).catch(() => undefined);
  try {
    const start = (await file?.read(Buffer.alloc(headBytes), 0, headBytes, 0))?.buffer.toString('latin1');
    return start === undefined ? undefined : headSchema.parse(JSON.parse(start.slice(0, start.indexOf('\n'))));
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

const headBytes = 1024;

/** Is the tree as it was left, as far as the machine goes? */
export function isOfThisBoot({ boot }: SealHead): boolean {
  return boot === bootName();
}

/** Whom the files of a tree belong to where programs run in this jail. */
export function sealUser({ user }: Jail): SealHead['user'] {
  return user ?? null;
}

/** Something is mounted in the tree: it can be neither used nor removed. */
export class MountedTree extends Error {}

/**
 * Brings a sealed tree to a commit and seals it again. Whatever is not as it was sealed is taken out first, and so is
 * everything that was added; directories that were changed are replaced, because attributes of a directory would
 * outlive its content. What is left is proven to be the engine's own work. Answers the directories of the tree.
 */
export async function renewTree(
  repo: Repository,
  paths: WorkspacePaths,
  commit: string,
  jail: Jail,
): Promise<readonly RawPath[]> {
  if (await hasMounts(paths.tree)) throw new MountedTree(`something is mounted below ${paths.tree}`);
  const { head, stamps, writtenNs } = await readSeal(paths);
  const difference = await compareTree(paths.tree, stamps, writtenNs);
  const { gone } = difference;
  if (gone.includes('' as RawPath)) throw new Error('the tree is gone');
  await keepIndexOnly(paths);
  await writeEngineDir(paths.engineDir, { objectFormat: repo.objectFormat, bare: false, exclude: '' });
  const touched = await takeOut(paths, stamps, difference);
  const removed = [...touched].filter((path) => isStampedFile(stamps, path));
  const tree = await treeOf(repo, commit);
  const changed = new Set((await diffTrees(repo, head.tree, tree)).map(({ raw }) => raw));
  // The stamps have said more than git's own look at the files could: size and mtime are enough for it here.
  const lenient = (...args: readonly string[]) => [
    '-c',
    'core.checkStat=minimal',
    '-c',
    'core.trustctime=false',
    ...args,
  ];
  const call = treeCall(repo, paths);
  if (gone.length > 0 || fileCount(stamps) < manyFiles) await git(lenient('read-tree', '--reset', '-u', tree), call);
  else {
    // Git looks only at what differs, and is told what was taken out: with many files that is worth another process.
    await git(lenient('read-tree', '-m', '-u', head.tree, tree), call);
    const missing = removed.filter((path) => !changed.has(path));
    if (missing.length > 0)
      await git(lenient('checkout-index', '-u', '-q', '-z', '--stdin'), { ...call, stdin: joinRaw(missing) });
  }
  for (const path of changed) touched.add(path);
  stampAgain(paths.tree, stamps, touched, jail.user);
  await writeSeal(paths, tree, jail, stamps);
  return [...stamps.keys()];
}

const manyFiles = 2_000;

/** A mount made in a jail goes with it; this is about somebody else's. */
async function hasMounts(tree: string): Promise<boolean> {
  const text = await readFile('/proc/self/mountinfo', 'latin1').catch(() => '');
  const octal = (path: string): string =>
    path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  const place = Buffer.from(tree).toString('latin1');
  return text.split('\n').some((line) => `${octal(line.split(' ')[4] ?? '')}/`.startsWith(`${place}/`));
}

/** Of what lies in the engine's directory only the index of the seal is used again. */
async function keepIndexOnly({ root, engineDir }: WorkspacePaths): Promise<void> {
  const old = join(root, 'old-engine');
  await rename(engineDir, old);
  await mkdir(engineDir);
  await rename(join(old, 'sealed.index'), join(engineDir, 'index'));
  await removeTree(old);
}

/** Answers every path that has to be stamped again. */
async function takeOut(
  { root, tree }: WorkspacePaths,
  stamps: TreeStamps,
  { files, directories, gone }: TreeDifference,
): Promise<Set<RawPath>> {
  const touched = new Set<RawPath>([...files, ...directories, ...gone]);
  const subdirectories = new Map<RawPath, RawPath[]>();
  const lost = new Set(gone);
  for (const path of stamps.keys()) {
    if (path === '' || lost.has(path)) continue;
    const parent = parentOf(path);
    subdirectories.set(parent, [...(subdirectories.get(parent) ?? []), path]);
  }
  const trash = join(root, 'taken-out');
  await mkdir(trash);
  // Deepest first: what is moved along has been dealt with.
  for (const [at, directory] of [...directories].sort((a, b) => (a < b ? 1 : -1)).entries()) {
    const kept = subdirectories.get(directory) ?? [];
    await replaceDirectory(tree, directory, { kept, trash: join(trash, String(at)) });
    for (const path of kept) touched.add(path);
  }
  for (const directory of [...directories, ...gone]) {
    for (const name of stamps.get(directory)?.files.keys() ?? []) touched.add(pathBelow(directory, name));
  }
  for (const path of files) await rm(fsPath(tree, path), { force: true, recursive: true });
  await removeTree(trash);
  return touched;
}

/** A new directory with only the subdirectories that are kept; the old one, with the rest, goes to the trash. */
async function replaceDirectory(
  tree: string,
  directory: RawPath,
  { kept, trash }: { readonly kept: readonly RawPath[]; readonly trash: string },
): Promise<void> {
  const place = fsPath(tree, directory);
  const clean = `${trash}.new`;
  // Not made in its place: a directory hands some of its attributes on to what is made in it.
  await mkdir(clean);
  await rename(place, trash);
  for (const path of kept) {
    const name = path.slice(directory === '' ? 0 : directory.length + 1) as RawPath;
    await rename(fsPath(trash, name), fsPath(clean, name));
  }
  await rename(clean, place);
}

interface Seal {
  readonly head: SealHead;
  readonly stamps: TreeStamps;
  readonly writtenNs: bigint;
}

/** The first line says whose it is, the rest are stamps. */
async function readSeal(paths: Pick<WorkspacePaths, 'engineDir'>): Promise<Seal> {
  const text = await readFile(sealFile(paths), 'latin1');
  const line = text.indexOf('\n');
  const { mtimeNs } = await lstat(sealFile(paths), { bigint: true });
  return {
    head: headSchema.parse(JSON.parse(text.slice(0, line))),
    stamps: parseStamps(text.slice(line + 1)),
    writtenNs: mtimeNs,
  };
}

async function writeSeal(paths: WorkspacePaths, tree: string, jail: Jail, stamps: TreeStamps): Promise<void> {
  const head: SealHead = {
    version: 1,
    tree,
    user: sealUser(jail),
    boot: bootName(),
    bytes: stampedBytes(stamps),
  };
  // Git replaces an index, it never writes into one: the link keeps this one.
  await rm(join(paths.engineDir, 'sealed.index'), { force: true });
  await link(join(paths.engineDir, 'index'), join(paths.engineDir, 'sealed.index'));
  const part = `${sealFile(paths)}.part`;
  await writeFile(part, `${JSON.stringify(head)}\n${formatStamps(stamps)}`, 'latin1');
  await outlastTick(part, newestChange(stamps));
  await rename(part, sealFile(paths));
}

/**
 * A file that was written within the tick of the clock in which its stamp was taken counts as changed, because a second
 * write would not show. So a tick passes before the seal counts: then none of them does.
 */
async function outlastTick(file: string, newestNs: bigint): Promise<void> {
  for (let turns = 0; turns < mostTurns && (await lstat(file, { bigint: true })).mtimeNs <= newestNs; turns += 1) {
    await sleep(tickMs);
    // The clock of the file system is what counts.
    const handle = await open(file, 'r+');
    try {
      await handle.write('{', 0, 'latin1');
    } finally {
      await handle.close();
    }
  }
}

const tickMs = 2;
const mostTurns = 10;

function sealFile({ engineDir }: Pick<WorkspacePaths, 'engineDir'>): string {
  return join(engineDir, 'seal');
}

function bootName(): string {
  const { host, bootId } = ownIdentity();
  return `${host} ${bootId}`;
}
