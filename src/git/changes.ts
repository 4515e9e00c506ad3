/**
 * What differs between two commits, and what a commit holds. Renames are not guessed: a moved file is a deletion and
 * an addition, because that is what has to be judged. Ids only; nothing here looks at a checkout.
 */
import { Buffer } from 'node:buffer';
import type { Change } from '../policy/receipt.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { decodePath, encodePath, type RawPath, splitRaw } from './raw-path.ts';
import { answerAbout, keepAnswer } from './object-answers.ts';
import { isObjectName, readObjectInfo, readObjects } from './object-reader.ts';
import { git } from './run-git.ts';

/** One entry of a diff, as git gives it. A mode of zeros: there is none on that side. */
export interface RawChange {
  readonly raw: RawPath;
  readonly letter: string;
  readonly before: { readonly mode: string; readonly id: string };
  readonly after: { readonly mode: string; readonly id: string };
}

/** What differs between two commits or trees. Asked for once for each pair of trees, whoever wants to know. */
export async function diffTrees(repo: Repository, from: string, to: string): Promise<readonly RawChange[]> {
  const trees = await Promise.all([treeOf(repo, from), treeOf(repo, to)]);
  if (trees[0] === trees[1]) return [];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff', '--no-textconv', '--full-index'];
  const fields = splitRaw(await answerAbout(repo, args, trees));
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    // `:100644 100755 <id> <id> M`
    const [mode = '', newMode = '', id = '', newId = '', letter = ''] = (fields[at] ?? '').slice(1).split(' ');
    const raw = fields[at + 1] ?? ('' as RawPath);
    changes.push({ raw, letter, before: { mode, id }, after: { mode: newMode, id: newId } });
  }
  return changes;
}

export async function listChanges(repo: Repository, from: string, to: string): Promise<readonly Change[]> {
  const changes = await diffTrees(repo, from, to);
  return changes.map(({ raw, letter }) => ({ path: decodePath(raw), status: statusOf(letter) }));
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
  const { code, stdout } = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', one, other], {
    ...objectCall(repo),
    // A tree that is not here can not be compared.
    answers: [0, 128],
  });
  return code === 0 && stdout.length === 0;
}

export interface TreeEntry {
  /** `100644`, `100755`, `120000` (symlink) or `160000` (submodule). */
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** Every file of a commit. */
export async function listFiles(repo: Repository, commit: string): Promise<readonly TreeEntry[]> {
  return splitRaw(await answerAbout(repo, ['ls-tree', '-r', '-z', '--full-tree'], [commit])).map((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
    return { mode, id, path: decodePath(line.slice(tab + 1) as RawPath) };
  });
}

/** The content of a file (for a symlink: its target) in a commit; undefined when there is none. */
export async function readFileAt(repo: Repository, commit: string, path: string): Promise<Buffer | undefined> {
  const { stdout } = await git(['ls-tree', '-z', '--full-tree', commit, '--', path], objectCall(repo));
  const wanted = encodePath(path);
  const line = splitRaw(stdout).find((entry) => entry.slice(entry.indexOf('\t') + 1) === wanted);
  const [, type, id] = (line?.slice(0, line.indexOf('\t')) ?? '').split(' ');
  if (type !== 'blob' || id === undefined) return undefined;
  return (await readObjects(repo, [id])).get(id);
}

function statusOf(letter: string): Change['status'] {
  if (letter === 'A') return 'added';
  if (letter === 'D') return 'deleted';
  return letter === 'T' ? 'type-changed' : 'modified';
}
