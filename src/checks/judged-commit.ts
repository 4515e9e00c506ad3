/**
 * The commit as the judge lets it be seen: its own code, with the judge's runner configuration, package scripts and
 * shell scripts of checks in place of its own. Made as a tree in git's object store, so it is checked out like any
 * commit, no symlink can lead a write astray, and its id says whether two checks look at the same thing.
 */
import { posix } from 'node:path';
import { dependencyChanges } from '../evidence/judge/dependencies.ts';
import { isInstalledRunner } from '../evidence/judge/package-json.ts';
import type { RunnerShadow } from '../evidence/judge/runner-modules.ts';
import { isJudgeFile, judgeChanges, judgeOverlay } from '../evidence/judge-files.ts';
import { listFiles } from '../git/changes.ts';
import { writeCommit } from '../git/commit.ts';
import type { Repository } from '../git/git.ts';
import {
  diffEntries,
  type EntryChange,
  editTree,
  isPlainFile,
  readBlobs,
  type TreeFile,
  writeBlob,
} from '../git/tree-edit.ts';
import type { TreeEdit } from '../git/write-trees.ts';
import type { CheckReport } from '../policy/check-report.ts';
import type { CheckDeps } from './check.ts';
import type { StartedFile } from './started-files.ts';

export interface JudgedCommit {
  /** A commit with that tree: the commit itself where the judge changes nothing. */
  readonly commit: string;
  readonly tree: string;
  readonly checkChanged: CheckReport['checkChanged'];
}

export interface JudgeRequest {
  readonly run: string;
  readonly commit: string;
  readonly judge: string;
  /** Programs of the repository that the commands start. */
  readonly started: readonly StartedFile[];
  /** Files that would take the place of a runner's own modules; see runner-modules.ts. */
  readonly shadows?: RunnerShadow | undefined;
  /** Further entries to have in the tree, whoever judges. */
  readonly edits?: readonly TreeEdit[];
}

export async function judgedCommit(deps: CheckDeps, request: JudgeRequest): Promise<JudgedCommit> {
  const { repo } = deps;
  const changes = await diffEntries(repo, request.judge, request.commit);
  const decides = (path: string): boolean => deps.setup?.decides(path) === true;
  const texts = await readTexts(
    repo,
    changes.filter(({ path }) => isJudgeFile(path) || decides(path)),
  );
  const started = new Map(request.started.map((file) => [file.path, file]));
  const installed = await findInstalled(deps, request.judge, changes);
  const edits: TreeEdit[] = [];
  const checkChanged: CheckReport['checkChanged'] = [];
  for (const change of changes) {
    const { path, raw, before } = change;
    const file = started.get(path);
    const shadowed = before === undefined ? request.shadows?.(path) : undefined;
    if (decides(path)) {
      const what = dependencyChanges(path, texts(before), texts(change.after));
      checkChanged.push(...what.map((each) => ({ path, what: each, kind: 'dependencies' as const })));
    }
    if (installed(path)) edits.push({ raw, entry: before });
    else if (isJudgeFile(path)) {
      edits.push(...(await overlay(repo, change, texts)));
      checkChanged.push(
        ...judgeChanges([{ path, before: texts(before), after: texts(change.after), ...linked(change) }]),
      );
    } else if (shadowed !== undefined) {
      edits.push({ raw, entry: undefined });
      checkChanged.push({ path, what: `would take the place of the module ${shadowed}, which checks may run` });
    } else if (file !== undefined) {
      // A script that the judge does not have takes nobody's place: the plan that names it expects the task to bring it.
      if (file.installed === (before === undefined)) edits.push({ raw, entry: before });
      const { label, via } = file;
      const how = via === undefined ? `is started by the check "${label}"` : `is used by the check "${label}" (${via})`;
      checkChanged.push({ path, what: `${how} and is ${verb(change)}` });
    }
  }
  checkChanged.push(...installedChanges(changes, installed));
  const all = [...edits, ...(request.edits ?? [])];
  const tree = await editTree(repo, request.commit, all);
  if (all.length === 0) return { commit: request.commit, tree, checkChanged };
  const commit = await writeCommit(repo, {
    tree,
    parent: request.commit,
    message: 'A commit as the judge lets it be seen',
    run: request.run,
    authors: [],
    // The same tree and parent give the same commit, whenever it is made.
    date: new Date(0),
  });
  return { commit, tree, checkChanged };
}

type Texts = (entry: TreeFile | undefined) => string | undefined;

const limits = { eachBytes: 4 * 1024 * 1024, allBytes: 64 * 1024 * 1024 };

async function readTexts(repo: Repository, changes: readonly EntryChange[]): Promise<Texts> {
  const entries = changes.flatMap(({ before, after }) => [before, after]).filter((entry) => entry !== undefined);
  const blobs = await readBlobs(
    repo,
    entries.filter((entry) => entry.mode !== '160000').map((entry) => entry.id),
    limits,
  );
  return (entry) => (entry === undefined ? undefined : blobs.get(entry.id)?.toString('utf8'));
}

async function overlay(repo: Repository, change: EntryChange, texts: Texts): Promise<readonly TreeEdit[]> {
  const { path, raw, before, after } = change;
  const base = texts(before);
  // What cannot be read cannot be merged: the judge's entry as it is.
  if (before !== undefined && base === undefined) return [{ raw, entry: before }];
  const commit = texts(after);
  const { content } = judgeOverlay({ path, base, commit, ...linked(change) });
  if (content === base) return [{ raw, entry: before }];
  if (content === undefined) return [{ raw, entry: undefined }];
  if (content === commit && isPlainFile(after)) return [];
  const id = await writeBlob(repo, content);
  return [{ raw, entry: { mode: isPlainFile(after) ? after.mode : '100644', id } }];
}

function linked({ after }: EntryChange): { readonly symlink?: boolean } {
  return after !== undefined && !isPlainFile(after) ? { symlink: true } : {};
}

function verb({ before, after }: EntryChange): string {
  return before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed';
}

/**
 * Installed packages hold the runners. A commit that brings some which the judge does not have would bring its own
 * judge; a repository that keeps them under version control changes them as it changes any dependency, but for the
 * runners themselves.
 */
async function findInstalled(
  deps: CheckDeps,
  judge: string,
  changes: readonly EntryChange[],
): Promise<(path: string) => boolean> {
  const outputs = (deps.setup?.outputs ?? []).map((output) => posix.normalize(output).replace(/\/$/, ''));
  const touched = new Set(changes.flatMap(({ path }) => packagesIn(path) ?? []));
  const kept =
    touched.size === 0 ? [] : (await listFiles(deps.repo, judge)).flatMap(({ path }) => packagesIn(path) ?? []);
  const known = new Set(kept);
  return (path) => {
    if (outputs.some((output) => path === output || path.startsWith(`${output}/`))) return true;
    const directory = packagesIn(path);
    return directory !== undefined && (!known.has(directory) || isInstalledRunner(path));
  };
}

const packages =
  /^(?!(?:.*\/)?(?:fixtures|__fixtures__|testdata)\/)((?:.*?\/)?(?:node_modules|\.venv|venv|site-packages|__pypackages__))(?:\/|$)/;

/** The outermost directory of installed packages that the path lies in. One that is nearer to a test would win over it. */
function packagesIn(path: string): string | undefined {
  return packages.exec(path)?.[1];
}

/** One line for each directory: there may be thousands of files. */
function installedChanges(
  changes: readonly EntryChange[],
  installed: (path: string) => boolean,
): CheckReport['checkChanged'] {
  const counts = new Map<string, number>();
  for (const { path } of changes) {
    if (!installed(path)) continue;
    const directory =
      /^(.*?(?:node_modules|\.venv|venv|site-packages|__pypackages__))(?:\/|$)/.exec(path)?.[1] ??
      path.split('/')[0] ??
      path;
    counts.set(directory, (counts.get(directory) ?? 0) + 1);
  }
  return [...counts].map(([path, count]) => ({ path, what: `${count} installed files are part of the commit` }));
}
