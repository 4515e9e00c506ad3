/**
 * Finds the runs of the repository around a directory without starting git: by the repository's id, for commands that
 * only look. Only where there is nothing to decide: the id is there, its record names this very repository, and the git
 * directory belongs to this user. In any other case the answer is undefined, and whoever asked opens the repository as a
 * whole, which decides and explains.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defaultStateDir, listRecordIds, readId, readRecord, repositoryFolder, resolveStateDir } from './state-dir.ts';

export interface LocatedRuns {
  /** Top of the checkout. */
  readonly root: string;
  readonly stateFolder: string;
  /** Other repositories have runs on this machine: some may be clones of this one. */
  readonly hasOthers: boolean;
}

export async function locateRuns(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LocatedRuns | undefined> {
  // Whoever sets these has git look elsewhere.
  if (Object.keys(env).some((name) => name.startsWith('GIT_') && env[name] !== undefined && affectsPlace(name)))
    return undefined;
  const found = findCheckout(resolve(cwd));
  if (found === undefined || !isOwn(found.gitDir) || !isOwn(found.root)) return undefined;
  const { root, gitDir } = found;
  const id = readId(gitDir);
  if (id === undefined) return undefined;
  const stateDir = await resolveStateDir(defaultStateDir(env), root);
  const record = readRecord(stateDir, id);
  if (record !== undefined && record.gitDir !== gitDir) return undefined;
  const hasOthers = listRecordIds(stateDir).some((other) => other !== id);
  return { root, stateFolder: repositoryFolder(stateDir, id), hasOthers };
}

function affectsPlace(name: string): boolean {
  return ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_CEILING_DIRECTORIES'].includes(name);
}

function findCheckout(from: string): { readonly root: string; readonly gitDir: string } | undefined {
  try {
    for (let at = realpathSync(from); ; at = dirname(at)) {
      const entry = statSync(join(at, '.git'), { throwIfNoEntry: false });
      if (entry !== undefined) return { root: at, gitDir: commonDir(join(at, '.git'), entry.isFile()) };
      if (dirname(at) === at) return undefined;
    }
  } catch {
    return undefined;
  }
}

/** Of a linked checkout: the git directory that all checkouts share. */
function commonDir(entry: string, isFile: boolean): string {
  const gitDir = isFile ? resolve(dirname(entry), lineIn(entry).replace(/^gitdir: /, '')) : entry;
  const common = join(gitDir, 'commondir');
  const isLinked = statSync(common, { throwIfNoEntry: false })?.isFile() === true;
  return realpathSync(isLinked ? resolve(gitDir, lineIn(common)) : gitDir);
}

function lineIn(file: string): string {
  return readFileSync(file, 'utf8').replace(/\n+$/, '');
}

/** Git refuses a repository of somebody else, unless the person has agreed to it. */
function isOwn(path: string): boolean {
  return statSync(path).uid === (process.getuid?.() ?? 0);
}
