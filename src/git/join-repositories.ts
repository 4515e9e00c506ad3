/**
 * Several repositories as one tree, so that one run can work on all of them: the others lie as directories in the tree
 * that the run starts from, and afterwards each gets its own part back. Nothing is written to a checkout, and no branch
 * moves here. The same repositories at the same commits give the same commit.
 */
import { Buffer } from 'node:buffer';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { ForgeError } from '../errors.ts';
import { readFileAt, treeOf } from './changes.ts';
import { engineIdentity } from './commit.ts';
import { writeCommitObject } from './commit-object.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { escapePattern } from './ignore-rules.ts';
import { checkIgnore, writeBaseRules } from './ignored.ts';
import { encodePath, type RawPath } from './raw-path.ts';
import { git } from './run-git.ts';
import { findInTree, listTree, submoduleMode, treeMode } from './tree-objects.ts';
import { writeBlob } from './tree-edit.ts';
import { writeObject } from './write-objects.ts';
import { type TreeEdit, writeEditedTree } from './write-trees.ts';

export interface JoinedRepository {
  /** The directory it lies in, in the tree of the run. */
  readonly path: string;
  readonly repo: Repository;
  /** The commit it starts from. */
  readonly base: string;
}

/** The commit that a run over all of them starts from: `base`, with the others in it. */
export async function joinRepositories(
  repo: Repository,
  { base, others }: { readonly base: string; readonly others: readonly JoinedRepository[] },
): Promise<string> {
  const tree = await treeOf(repo, base);
  const edits: TreeEdit[] = [];
  for (const other of others) {
    await requireFree(repo, tree, other);
    const id = await treeOf(other.repo, other.base);
    await copyObjects({ from: other.repo, to: repo, want: id });
    edits.push({ raw: encodePath(other.path), entry: { mode: treeMode, id } });
  }
  const paths = others.map(({ path }) => path);
  const rules = await ignoredPaths(repo, base, paths);
  if (rules.length > 0) edits.push(await withRules(repo, base, rules));
  return writeCommitObject(repo, {
    tree: await writeEditedTree(repo, tree, edits),
    parents: [base],
    author: engineIdentity,
    committer: engineIdentity,
    seconds: 0,
    message: `Repositories of a run: ${paths.join(', ')}\n`,
  });
}

/** What of a result belongs to the repository that the run was started in. */
export async function ownPart(
  repo: Repository,
  about: { readonly commit: string; readonly base: string; readonly paths: readonly string[] },
): Promise<string> {
  const { commit, base, paths } = about;
  const [before, after] = [await treeOf(repo, base), await treeOf(repo, commit)];
  const edits: TreeEdit[] = [];
  for (const path of paths) {
    const raw = encodePath(path);
    const entry = await findInTree(repo, before, raw);
    if (entry === undefined) edits.push(...(await removalOf(repo, after, raw)));
    else edits.push({ raw, entry: { mode: entry.mode, id: entry.id } });
  }
  const rules = await withoutRules(repo, { commit, base, paths });
  return writeEditedTree(repo, after, rules === undefined ? edits : [...edits, rules]);
}

/** Of whatever an agent left at the path: a directory goes with all that it holds. */
async function removalOf(repo: Repository, tree: string, raw: RawPath): Promise<readonly TreeEdit[]> {
  const found = await findInTree(repo, tree, raw);
  if (found?.mode !== treeMode) return [{ raw, entry: undefined }];
  const leaves = await listTree(repo, found.id);
  return leaves.map((leaf) => ({ raw: `${raw}/${leaf.raw}` as RawPath, entry: undefined }));
}

/** What of a result belongs to another repository, as a tree that is there. */
export async function otherPart(repo: Repository, commit: string, other: JoinedRepository): Promise<string> {
  const found = await findInTree(repo, await treeOf(repo, commit), encodePath(other.path));
  if (found === undefined) return writeObject(other.repo, { type: 'tree', content: Buffer.alloc(0) });
  if (found.mode !== treeMode) {
    throw new ForgeError('git-failed', `${other.path} is a file now, so ${other.repo.root} cannot get its part`);
  }
  const have = await treeOf(other.repo, other.base);
  if (found.id !== have) await copyObjects({ from: repo, to: other.repo, want: found.id, have });
  return found.id;
}

/** A submodule may be replaced by its repository. */
async function requireFree(repo: Repository, tree: string, { path, repo: other }: JoinedRepository): Promise<void> {
  if (other.objectFormat !== repo.objectFormat) {
    throw refused(other, `it uses ${other.objectFormat} and this repository uses ${repo.objectFormat}`);
  }
  const parts = path.split('/');
  for (const [at] of parts.entries()) {
    const found = await findInTree(repo, tree, encodePath(parts.slice(0, at + 1).join('/')));
    if (found === undefined) return;
    const isLast = at === parts.length - 1;
    if (isLast ? found.mode !== submoduleMode : found.mode !== treeMode) {
      throw refused(other, `this repository has ${parts.slice(0, at + 1).join('/')} already`);
    }
  }
}

function refused(other: Repository, why: string): ForgeError {
  return new ForgeError('bad-input', `${other.root} cannot take part in the run: ${why}`, {
    hint: 'Nothing was started. Leave this repository out, or rename the directory that is in the way.',
  });
}

/** Everything below a tree, but for what is there with another one. */
async function copyObjects(about: {
  readonly from: Repository;
  readonly to: Repository;
  readonly want: string;
  readonly have?: string;
}): Promise<void> {
  const { from, to, want, have } = about;
  const packs = join(to.objectsDir, 'pack');
  await mkdir(packs, { recursive: true });
  const call = objectCall(to);
  const source = `"${from.objectsDir.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  await git(['pack-objects', '--revs', '--non-empty', '-q', join(packs, 'pack')], {
    ...call,
    env: { ...call.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: source },
    stdin: have === undefined ? `${want}\n` : `${want}\n^${have}\n`,
  });
}

/** A repository inside another one's directory is usually ignored there. */
async function ignoredPaths(repo: Repository, base: string, paths: readonly string[]): Promise<readonly string[]> {
  const place = await mkdtemp(join(tmpdir(), 'forge-rules-'));
  try {
    await writeBaseRules(repo, base, place);
    const files = paths.map((path) => encodePath(posix.join(path, 'file')));
    const found = new Set(await checkIgnore({ cwd: place, gitDir: repo.engineDir, workTree: place }, files));
    return paths.filter((_, at) => found.has(files[at] ?? encodePath('')));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

const rulesFile = encodePath('.gitignore');

function ruleLines(paths: readonly string[]): readonly string[] {
  return [
    '# Forge: the other repositories of this run.',
    ...paths.flatMap((path) => [`!/${escapePattern(path)}/`, `!/${escapePattern(path)}/**`]),
  ];
}

async function withRules(repo: Repository, base: string, paths: readonly string[]): Promise<TreeEdit> {
  const text = (await readFileAt(repo, base, '.gitignore'))?.toString('utf8') ?? '';
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const id = await writeBlob(repo, `${before}${ruleLines(paths).join('\n')}\n`);
  return { raw: rulesFile, entry: { mode: '100644', id } };
}

/** The lines above are nobody's; what an agent wrote beside them stays. */
async function withoutRules(
  repo: Repository,
  { commit, base, paths }: { readonly commit: string; readonly base: string; readonly paths: readonly string[] },
): Promise<TreeEdit | undefined> {
  const text = (await readFileAt(repo, commit, '.gitignore'))?.toString('utf8');
  const own = new Set(ruleLines(paths));
  const lines = text?.split('\n') ?? [];
  if (text === undefined || !lines.some((line) => own.has(line))) return undefined;
  const kept = lines.filter((line) => !own.has(line)).join('\n');
  const before = (await readFileAt(repo, base, '.gitignore'))?.toString('utf8');
  if (kept.trim() === '' && before === undefined) return { raw: rulesFile, entry: undefined };
  // Whether the last line had its end is the file's own business.
  const content = before !== undefined && kept === `${before}\n` ? before : kept;
  return { raw: rulesFile, entry: { mode: '100644', id: await writeBlob(repo, content) } };
}
