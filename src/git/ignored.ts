/**
 * Which untracked files are left behind as ignored: those that the rules of the base commit ignore and that the rules
 * in the tree ignore too. What only an agent's edit of an ignore file hides is not among them, and neither is what
 * an agent's edit has brought back.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFiles } from './changes.ts';
import { treeCall } from './engine-dir.ts';
import type { Repository, Workspace } from './git.ts';
import { fsPath, joinRaw, type RawPath, splitRaw } from './raw-path.ts';
import { readObjects } from './object-reader.ts';
import { git, type GitCall } from './run-git.ts';

export interface Ignored {
  readonly paths: ReadonlySet<RawPath>;
  /** What the rules in the tree ignore and those of the base do not: taken in, after everything else. */
  readonly hidden: ReadonlySet<RawPath>;
  readonly notes: readonly string[];
}

export const isRuleFile = /(?:^|\/)\.gitignore$/;

/** Where the rules come from. */
export interface IgnoreRules {
  /** The commit whose ignore files count. */
  readonly from: string;
  /** Was an ignore file in the tree added, changed or removed? */
  readonly areTouched: boolean;
  /** The ignore files of the engine's index, as `<id> <path>`. */
  readonly tracked: readonly string[];
}

export async function ignoredFiles(
  repo: Repository,
  workspace: Workspace,
  files: readonly RawPath[],
  rules: IgnoreRules,
): Promise<Ignored> {
  if (files.length === 0) return { paths: new Set(), hidden: new Set(), notes: [] };
  const call = treeCall(repo, workspace);
  const place = join(workspace.engineDir, 'base-rules');
  const written = new Set(await writeBaseRules(repo, rules.from, place));
  const byBase = new Set(await checkIgnore({ ...call, cwd: place, workTree: place }, files));
  const areSame = written.size === rules.tracked.length && rules.tracked.every((file) => written.has(file));
  if (areSame && !rules.areTouched) return { paths: byBase, hidden: new Set(), notes: [] };
  try {
    const byTree = await checkIgnore(call, files);
    return {
      paths: new Set(byTree.filter((path) => byBase.has(path))),
      hidden: new Set(byTree.filter((path) => !byBase.has(path))),
      notes: [],
    };
  } catch (error) {
    // These rules are the agent's: if they choke git, those of the base alone decide.
    const reason = error instanceof Error ? error.message : String(error);
    return {
      paths: byBase,
      hidden: new Set(),
      notes: [`The ignore files in the tree could not be evaluated: ${reason}`],
    };
  }
}

/** A directory with the ignore files of a commit and nothing else, so that only they speak. Answers `<id> <path>` of each. */
export async function writeBaseRules(repo: Repository, commit: string, directory: string): Promise<readonly string[]> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const files = (await findFiles(repo, commit, isRuleFile)).filter(({ mode }) => mode.startsWith('100'));
  const contents = await readObjects(repo, [...new Set(files.map(({ id }) => id))]);
  for (const { raw, id } of files) {
    const path = fsPath(directory, raw);
    await mkdir(parentOf(path), { recursive: true });
    await writeFile(path, contents.get(id) ?? '');
  }
  return files.map(({ id, raw }) => `${id} ${raw}`);
}

function parentOf(path: Buffer): Buffer {
  return path.subarray(0, path.lastIndexOf('/'));
}

export async function checkIgnore(call: GitCall, files: readonly RawPath[]): Promise<readonly RawPath[]> {
  const { stdout } = await git(['check-ignore', '--no-index', '-z', '--stdin'], {
    ...call,
    // It insists on pathspecs; behind `./` a name like `:(top)x` is only a name.
    pathspecs: true,
    stdin: joinRaw(files.map((path) => `./${path}` as RawPath)),
    answers: [0, 1],
    // Patterns can be made to take forever.
    timeMs: 120_000,
  });
  return splitRaw(stdout).map((path) => path.slice(2) as RawPath);
}
