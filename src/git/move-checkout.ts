/**
 * Moves the files of a user's checkout from one commit to another while holding its index, so that no other git changes
 * it meanwhile. The lock carries the operation's name and the new index is made beside the old one: after a kill, what
 * is Forge's own can be told from anything else. Files that were half-written are recognised by their content; a file
 * that a person has changed since is never touched.
 */
import { link, lstat, readFile, readlink, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { copyIndex } from './copy-index.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import type { OperationRecord } from './operation-file.ts';
import { decodePath, fsPath, joinRaw, type RawPath, splitRaw } from './raw-path.ts';
import { git, type GitCall, gitLine } from './run-git.ts';

export type CheckoutMove = OperationRecord['checkouts'][number];

/** False when another git holds the index. */
export async function lockIndex({ gitDir }: CheckoutMove, id: string): Promise<boolean> {
  // A link, so that the lock never exists without its text.
  const aside = join(gitDir, `forge-${id}.lock`);
  await writeFile(aside, lockText(id));
  try {
    await link(aside, lockOf(gitDir));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** Lets go of the index, if it is this operation that holds it. */
export async function unlockIndex({ gitDir }: CheckoutMove, id: string): Promise<void> {
  const own = privateIndex(gitDir, id);
  for (const file of [own, `${own}.lock`, join(gitDir, `forge-${id}.lock`)]) await rm(file, { force: true });
  const held = await readFile(lockOf(gitDir), 'utf8').catch(() => undefined);
  if (held === lockText(id)) await rm(lockOf(gitDir), { force: true });
}

/** The files, and an index for them beside the old one. */
export async function moveFiles(checkout: CheckoutMove, id: string): Promise<void> {
  const { from, to } = checkout;
  const indexFile = await copyOwnIndex(checkout, id);
  await git(['read-tree', '-m', '-u', from, to], { ...checkoutCall(checkout, id), indexFile });
}

/** A copy of the index that only this operation uses. */
export async function copyOwnIndex({ gitDir }: CheckoutMove, id: string): Promise<string> {
  const indexFile = privateIndex(gitDir, id);
  await rm(`${indexFile}.lock`, { force: true });
  await copyIndex(join(gitDir, 'index'), indexFile);
  return indexFile;
}

/** The index that was made becomes the checkout's. */
export async function installIndex({ gitDir }: CheckoutMove, id: string): Promise<void> {
  await rename(privateIndex(gitDir, id), join(gitDir, 'index'));
}

/**
 * Brings a checkout that was left between two commits to one of them. Nothing is written if a file is neither as one of
 * the commits has it nor the beginning of it.
 */
export async function restoreCheckout(
  repo: Repository,
  checkout: CheckoutMove,
  { id, target }: { readonly id: string; readonly target: 'from' | 'to' },
): Promise<void> {
  const entries = await changedEntries(repo, checkout);
  const wrong: Entry[] = [];
  const foreign: string[] = [];
  for (const entry of entries) {
    const state = await look(checkout, entry, target);
    if (state === 'other') wrong.push(entry);
    if (state === 'foreign') foreign.push(decodePath(entry.path));
  }
  if (foreign.length > 0) throw changedSince(checkout, foreign);
  for (const { path } of wrong.filter((entry) => entry[target] === undefined)) await removeFile(checkout.root, path);
  await writeIndex(checkout, {
    id,
    target,
    paths: wrong.filter((entry) => entry[target] !== undefined).map(({ path }) => path),
  });
}

async function writeIndex(
  checkout: CheckoutMove,
  { id, target, paths }: { id: string; target: 'from' | 'to'; paths: readonly RawPath[] },
): Promise<void> {
  const indexFile = await copyOwnIndex(checkout, id);
  const call = { ...checkoutCall(checkout, id), indexFile };
  const there = await git(['diff-index', '--quiet', '--cached', checkout[target]], { ...call, answers: [0, 1] });
  const other = checkout[target === 'from' ? 'to' : 'from'];
  if (there.code !== 0) await git(['read-tree', '-i', '-m', other, checkout[target]], call);
  if (paths.length > 0) {
    for (const path of paths) await rmdir(fsPath(checkout.root, path)).catch(() => {});
    await git(['checkout-index', '-f', '-u', '-q', '-z', '--stdin'], { ...call, stdin: joinRaw(paths) });
  }
  await git(['update-index', '-q', '--refresh'], { ...call, answers: [0, 1] });
  await installIndex(checkout, id);
}

interface Side {
  readonly mode: string;
  readonly id: string;
}

interface Entry {
  readonly path: RawPath;
  readonly from: Side | undefined;
  readonly to: Side | undefined;
}

/** Submodules have directories of their own, which a move never touches. */
async function changedEntries(repo: Repository, { from, to }: CheckoutMove): Promise<readonly Entry[]> {
  const { stdout } = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to], objectCall(repo));
  const fields = splitRaw(stdout);
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (fields[at] ?? '').slice(1).split(' ');
    const side = (mode: string, id: string): Side | undefined => (/^1[02]0/.test(mode) ? { mode, id } : undefined);
    const entry = { path: fields[at + 1] as RawPath, from: side(oldMode, oldId), to: side(newMode, newId) };
    if (entry.from !== undefined || entry.to !== undefined) entries.push(entry);
  }
  return entries;
}

/** `there`: as the target has it. `other`: as the other commit has it, or half of either. `foreign`: a person's. */
async function look(
  checkout: CheckoutMove,
  entry: Entry,
  target: 'from' | 'to',
): Promise<'there' | 'other' | 'foreign'> {
  const wanted = entry[target];
  const file = fsPath(checkout.root, entry.path);
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return wanted === undefined ? 'there' : 'other';
  if (!found.isFile() && !found.isSymbolicLink()) return 'foreign';
  const mode = found.isSymbolicLink() ? '120000' : (found.mode & 0o100) === 0 ? '100644' : '100755';
  const isAs = async (side: Side | undefined): Promise<boolean> =>
    side !== undefined &&
    (side.mode === '120000') === (mode === '120000') &&
    (await hashOf(checkout, entry.path, mode)) === side.id;
  if (await isAs(wanted)) return wanted?.mode === mode ? 'there' : 'other';
  const sides = [entry.from, entry.to].filter((side) => side !== undefined);
  for (const side of sides) {
    if ((await isAs(side)) || (await isBeginningOf(checkout, { entry, side, mode }))) return 'other';
  }
  return 'foreign';
}

async function hashOf(checkout: CheckoutMove, path: RawPath, mode: string): Promise<string> {
  const file = fsPath(checkout.root, path);
  if (mode !== '120000') return gitLine(['hash-object', '--', decodePath(path)], checkoutCall(checkout));
  return gitLine(['hash-object', '--no-filters', '--stdin'], {
    ...checkoutCall(checkout),
    stdin: await readlink(file, 'buffer'),
  });
}

/** Git writes a file from its start: one that was cut off is a part of what it should have become. */
async function isBeginningOf(
  checkout: CheckoutMove,
  { entry, side, mode }: { entry: Entry; side: Side; mode: string },
): Promise<boolean> {
  if (mode === '120000' || side.mode === '120000') return false;
  const bytes = await readFile(fsPath(checkout.root, entry.path));
  const { stdout } = await git(['cat-file', '--filters', `--path=${decodePath(entry.path)}`, side.id], {
    ...checkoutCall(checkout),
  });
  return bytes.length <= stdout.length && stdout.subarray(0, bytes.length).equals(bytes);
}

/** With the directories that are empty then. */
async function removeFile(root: string, path: RawPath): Promise<void> {
  await rm(fsPath(root, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const removed = await rmdir(fsPath(root, parent as RawPath)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

function changedSince({ root }: CheckoutMove, paths: readonly string[]): ForgeError {
  const shown = paths.slice(0, 5).join(', ');
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  return new ForgeError(
    'checkout-changed',
    `Forge was interrupted while it moved the files of ${root}, and some were changed since: ${shown}${more}`,
    { hint: 'Copy these files to another place and remove them here. Then run the same command again.' },
  );
}

/** Git of an operation is found by its environment, should it outlive the process that started it. */
export const operationVariable = 'FORGE_OPERATION';

export function checkoutCall(checkout: Pick<CheckoutMove, 'root' | 'gitDir'>, id?: string): GitCall {
  return {
    cwd: checkout.root,
    gitDir: checkout.gitDir,
    workTree: checkout.root,
    config: 'user',
    ...(id === undefined ? {} : { env: { [operationVariable]: id } }),
  };
}

function lockOf(gitDir: string): string {
  return join(gitDir, 'index.lock');
}

function lockText(id: string): string {
  return `forge ${id}\n`;
}

function privateIndex(gitDir: string, id: string): string {
  return join(gitDir, `forge-${id}.index`);
}
