/**
 * Compares a workspace's tree with the engine's index: what to take in, what is gone, and what will be left behind and
 * why. Reads the tree through the engine's git directory only; nothing in the tree can make it run a program or look
 * elsewhere. Changes nothing but permissions that would hide content (and see walk-tree.ts).
 */
import type { Buffer } from 'node:buffer';
import { access, chmod, constants, lstat, mkdir, open, readdir, readlink, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeftBehind } from '../policy/receipt.ts';
import { treeCall } from './engine-dir.ts';
import type { Repository, Workspace } from './git.ts';
import { dependencyDirectories, isCacheDirectory } from './ignore-rules.ts';
import { type IgnoreRules, ignoredFiles, isRuleFile } from './ignored.ts';
import { decodePath, encodePath, fsPath, parentsOf, type RawPath, splitRaw } from './raw-path.ts';
import { type GitCall, git } from './run-git.ts';
import type { TreeFile } from './tree-edit.ts';
import { submoduleMode } from './tree-objects.ts';
import { filesNotAsSealed } from './tree-seal.ts';
import { measureBytes, type WalkedEntry, walkTree } from './walk-tree.ts';
import { objectId } from './write-objects.ts';

export interface CaptureLimits {
  /** A larger file is left behind. Default 20 MiB. */
  readonly fileBytes: number;
  /** What one snapshot takes in at most. Default 200 MiB; a file counts as at least 1 KiB. */
  readonly totalBytes: number;
}

export const defaultLimits: CaptureLimits = { fileBytes: 20 * 1024 * 1024, totalBytes: 200 * 1024 * 1024 };

export interface Scan {
  readonly add: readonly RawPath[];
  readonly remove: readonly RawPath[];
  readonly leftBehind: readonly LeftBehind[];
  readonly notes: readonly string[];
}

export interface ScanOptions {
  readonly limits: CaptureLimits;
  /** The commit whose ignore files count. */
  readonly rulesFrom: string;
  /** A scratch copy of the engine's index: what is known about the files may be brought up to date in it. */
  readonly indexFile: string;
}

export async function scanTree(repo: Repository, workspace: Workspace, options: ScanOptions): Promise<Scan> {
  const notes = await requireTree(workspace);
  const call: GitCall = { ...treeCall(repo, workspace), indexFile: options.indexFile };
  const index = await readIndex(call);
  const walked = await walkTree(workspace.tree, skipper(workspace, index));
  const untracked = walked.files.filter((path) => !index.has(path) && !insideSubmodule(path, index));
  const changed = await changedFiles(repo, call, workspace, index);
  const isRule = (path: RawPath): boolean => isRuleFile.test(path);
  const rules = {
    from: options.rulesFrom,
    areTouched: changed.some(isRule) || untracked.some(isRule),
    tracked: [...index].filter(([path]) => isRule(path)).map(([path, { id }]) => `${id} ${path}`),
  };
  const ignored = await ignoredFiles(repo, workspace, untracked, rules);

  const provided = new Set(workspace.provided.map(encodePath));
  const remove: RawPath[] = [];
  const wanted: RawPath[] = [];
  for (const path of changed) {
    const kind = await kindOf(workspace.tree, path);
    if (kind === 'file') wanted.push(path);
    else if (kind !== 'directory' || index.get(path)?.mode !== submoduleMode) remove.push(path);
  }
  // What is hidden comes last, so that it cannot use up the room of what is not.
  const fresh = untracked.filter((path) => !ignored.paths.has(path) && !provided.has(path)).sort();
  const shown = fresh.filter((path) => !ignored.hidden.has(path));
  const { add, left } = await weigh(
    workspace.tree,
    [...wanted, ...shown, ...fresh.filter((path) => ignored.hidden.has(path))],
    options.limits,
  );
  const kept = [...index.keys(), ...add];
  const unruled = await unruledDirectories(
    repo,
    workspace,
    walked.skipped.filter((path) => !provided.has(path) && !index.has(path)),
    rules,
  );
  const ruled = walked.skipped.filter((path) => !unruled.has(path));
  const leftBehind = [
    ...left,
    ...(await collapsed(workspace.tree, [...ignored.paths, ...provided, ...ruled], kept, index)),
    ...(await others(workspace.tree, { ...walked, skipped: ruled }, index)),
    ...(await dependencies(workspace.tree, unruled)),
  ];
  return { add: add.sort(), remove, leftBehind: sorted(leftBehind), notes: [...notes, ...ignored.notes] };
}

type Index = ReadonlyMap<RawPath, TreeFile>;

/** What the engine's index holds. */
export async function readIndex(call: GitCall): Promise<Index> {
  const { stdout } = await git(['ls-files', '-s', '-z'], call);
  return new Map(
    splitRaw(stdout).map((line) => {
      const tab = line.indexOf('\t');
      // `<mode> <id> <stage>`
      return [line.slice(tab + 1) as RawPath, { mode: line.slice(0, 6), id: line.slice(7, tab - 2) }];
    }),
  );
}

/** An agent without a jail may have put anything in the place of the tree; what counts is a directory. */
async function requireTree(workspace: Workspace): Promise<string[]> {
  const found = await lstat(workspace.tree).catch(() => undefined);
  if (found?.isDirectory() === true) return [];
  if (found !== undefined) await rename(workspace.tree, join(workspace.engineDir, `replaced-tree-${Date.now()}`));
  await mkdir(workspace.tree);
  return ['The whole tree was removed or replaced by something else; everything in it counts as deleted.'];
}

function skipper(workspace: Workspace, index: Index) {
  const provided = new Set(workspace.provided.map(encodePath));
  const tracked = new Set<string>();
  for (const path of index.keys()) for (const part of path.split('/').slice(0, -1)) tracked.add(part);
  const names = new Set(dependencyDirectories.filter((name) => !tracked.has(name)));
  return (path: RawPath, name: string): boolean =>
    provided.has(path) || names.has(name) || index.get(path)?.mode === submoduleMode;
}

function insideSubmodule(path: RawPath, index: Index): boolean {
  return parentsOf(path).some((parent) => index.get(parent)?.mode === submoduleMode);
}

/** Tracked files that do not hold what the index says. A file that was only touched is not a change. */
async function changedFiles(
  repo: Repository,
  call: GitCall,
  workspace: Workspace,
  index: Index,
): Promise<readonly RawPath[]> {
  const found = (await suspectsBySeal(workspace, index)) ?? (await diffFiles(call));
  if (found.length > mostCompared) {
    await git(['update-index', '-q', '--really-refresh'], { ...call, answers: [0, 1] });
    return diffFiles(call);
  }
  const changed: RawPath[] = [];
  for (const path of found) {
    const isFile = (await kindOf(workspace.tree, path)) === 'file';
    if (!isFile || !(await holdsSame(repo, fsPath(workspace.tree, path), index.get(path)))) changed.push(path);
  }
  return changed;
}

/** What was written since the tree was sealed, and what came into the index since; undefined where git has to look. */
async function suspectsBySeal(workspace: Workspace, index: Index): Promise<readonly RawPath[] | undefined> {
  // What a submodule holds is for git to say.
  const seal = [...index.values()].some(({ mode }) => mode === submoduleMode)
    ? undefined
    : await filesNotAsSealed(workspace);
  if (seal === undefined) return undefined;
  const { changed, isSealed } = seal;
  return [...changed.filter((path) => index.has(path)), ...[...index.keys()].filter((path) => !isSealed(path))].sort();
}

async function diffFiles(call: GitCall): Promise<readonly RawPath[]> {
  // Not `ls-files -m -d`, which follows a directory that was replaced by a link.
  const args = ['diff-files', '-z', '--name-only', '--no-renames', '--no-ext-diff'];
  return [...new Set(splitRaw((await git(args, call)).stdout))];
}

/** Beyond that git is quicker. */
const mostCompared = 500;
const mostComparedBytes = 8 * 1024 * 1024;

async function holdsSame(repo: Repository, path: Buffer, entry: TreeFile | undefined): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (entry === undefined || found === undefined || found.size > mostComparedBytes) return false;
  const mode = found.isSymbolicLink() ? '120000' : (found.mode & 0o100) === 0 ? '100644' : '100755';
  if (mode !== entry.mode) return false;
  const content = await (found.isSymbolicLink() ? readlink(path, 'buffer') : readPlain(path)).catch(() => undefined);
  return content !== undefined && objectId(repo, { type: 'blob', content }) === entry.id;
}

/** Whatever has taken the file's place since is not waited for. */
async function readPlain(path: Buffer): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function kindOf(root: string, path: RawPath): Promise<'file' | 'directory' | 'other' | 'gone'> {
  for (const parent of parentsOf(path)) {
    const above = await lstat(fsPath(root, parent)).catch(() => undefined);
    if (above?.isDirectory() !== true) return 'gone';
  }
  const found = await lstat(fsPath(root, path)).catch(() => undefined);
  if (found === undefined) return 'gone';
  if (found.isDirectory()) return 'directory';
  return found.isFile() || found.isSymbolicLink() ? 'file' : 'other';
}

/** Applies the limits, and makes sure that what is taken in can be read. */
async function weigh(root: string, wanted: readonly RawPath[], limits: CaptureLimits) {
  const add: RawPath[] = [];
  const left: LeftBehind[] = [];
  let total = 0;
  for (const path of wanted) {
    const found = await lstat(fsPath(root, path)).catch(() => undefined);
    if (found === undefined || !(await readable(root, path, found.mode))) {
      left.push({ path: decodePath(path), reason: 'unreadable' });
      continue;
    }
    const cost = Math.max(found.size, 1024);
    if (found.size > limits.fileBytes || total + cost > limits.totalBytes) {
      left.push({ path: decodePath(path), reason: 'too-large', bytes: found.size });
      continue;
    }
    total += cost;
    add.push(path);
  }
  return { add, left };
}

async function readable(root: string, path: RawPath, mode: number): Promise<boolean> {
  const isLink = (mode & constants.S_IFMT) === constants.S_IFLNK;
  if (isLink) return true;
  const file = fsPath(root, path);
  const canRead = (): Promise<boolean> => access(file, constants.R_OK).then(yes, no);
  return (await canRead()) || (await chmod(file, (mode & 0o7777) | 0o400).then(canRead, no));
}

const yes = (): boolean => true;
const no = (): boolean => false;

/** Ignored paths, gathered at the highest directory that holds nothing else. */
async function collapsed(
  root: string,
  paths: readonly RawPath[],
  kept: readonly RawPath[],
  index: Index,
): Promise<LeftBehind[]> {
  const live = new Set(kept.flatMap(parentsOf));
  const tops = new Set<RawPath>();
  for (const path of paths) {
    if (index.has(path)) continue;
    tops.add(parentsOf(path).find((parent) => !live.has(parent)) ?? path);
  }
  const budget = { entries: measuredEntries };
  const found: LeftBehind[] = [];
  for (const path of [...tops].sort()) {
    const bytes = await measureBytes(root, path, budget);
    found.push({ path: decodePath(path), reason: 'ignored', ...(bytes === undefined ? {} : { bytes }) });
  }
  return found;
}

const measuredEntries = 20_000;

async function others(root: string, walked: WalkedEntry, index: Index): Promise<LeftBehind[]> {
  const budget = { entries: measuredEntries };
  const found: LeftBehind[] = [];
  const push = async (path: RawPath, reason: LeftBehind['reason'], measured: boolean): Promise<void> => {
    const bytes = measured ? await measureBytes(root, path, budget) : undefined;
    found.push({ path: decodePath(path), reason, ...(bytes === undefined ? {} : { bytes }) });
  };
  for (const path of walked.special) await push(path, 'special-file', false);
  for (const path of walked.unreadable) await push(path, 'unreadable', false);
  for (const path of walked.metadata) await push(path, 'git-metadata', true);
  for (const path of walked.skipped) {
    const isSubmodule = index.get(path)?.mode === submoduleMode;
    if (isSubmodule && (await readdir(fsPath(root, path))).length > 0) await push(path, 'submodule', true);
  }
  return found;
}

/** Dependency directories that are passed over by their name alone. */
async function unruledDirectories(
  repo: Repository,
  workspace: Workspace,
  skipped: readonly RawPath[],
  rules: IgnoreRules,
): Promise<ReadonlySet<RawPath>> {
  const asDirectory = (path: RawPath): RawPath => `${path}/` as RawPath;
  const { paths } = await ignoredFiles(repo, workspace, skipped.map(asDirectory), rules);
  return new Set(
    skipped.filter((path) => !paths.has(asDirectory(path)) && !isCacheDirectory(path.slice(path.lastIndexOf('/') + 1))),
  );
}

async function dependencies(root: string, paths: ReadonlySet<RawPath>): Promise<LeftBehind[]> {
  const budget = { entries: measuredEntries };
  const found: LeftBehind[] = [];
  for (const path of paths) {
    const bytes = await measureBytes(root, path, budget);
    found.push({ path: decodePath(path), reason: 'dependencies', ...(bytes === undefined ? {} : { bytes }) });
  }
  return found;
}

function sorted(entries: readonly LeftBehind[]): LeftBehind[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}
