/**
 * Which place of work a directory belongs to: a checkout of the user's own (theirs, or a linked worktree of the same
 * repository), or a workspace that Forge made. Everything else is refused, wherever a link leads. No git is run in a
 * directory before it is known to be one of these.
 */
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isInside } from './data-dir.ts';
import type { Repository, Workspace } from './git.ts';
import { openRepository } from './repository.ts';
import { findWorkspace } from './workspace.ts';

export type WorkPlace =
  | { readonly status: 'checkout'; readonly repo: Repository; readonly root: string; readonly cwd: string }
  | { readonly status: 'workspace'; readonly workspace: Workspace; readonly root: string; readonly cwd: string }
  | { readonly status: 'absent'; readonly reason: string }
  | { readonly status: 'refused'; readonly reason: string };

/** `cwd` of the answer is relative to its root, `.` for the root itself. */
export async function findWorkPlace(repo: Repository, directory: string): Promise<WorkPlace> {
  const real = await realpath(directory).catch(() => undefined);
  const found = real === undefined ? undefined : await lstat(real);
  if (real === undefined || found?.isDirectory() !== true) {
    return { status: 'absent', reason: `Working directory does not exist: ${directory}` };
  }
  const area = join(repo.dataDir, 'workspaces', repo.id);
  if (isInside(real, area)) return inWorkspace(repo, real, area);
  const roots = (await checkoutRoots(repo)).filter((root) => isInside(real, root));
  const root = roots.sort((a, b) => b.length - a.length)[0];
  if (root === undefined) {
    return refusedPlace(`${directory} lies outside the project (${repo.root}) and its workspaces`);
  }
  const cwd = relative(root, real) || '.';
  if (cwd.split(sep).includes('.git')) return refusedPlace(`${directory} lies inside a git directory`);
  if (await hasOwnRepository(root, cwd)) return refusedPlace(`${directory} belongs to another repository`);
  const own = root === repo.root ? repo : await openRepository(root, repo);
  if (own.gitDir !== repo.gitDir) return refusedPlace(`${directory} belongs to another repository`);
  return { status: 'checkout', repo: own, root, cwd };
}

async function inWorkspace(repo: Repository, real: string, area: string): Promise<WorkPlace> {
  const [run = '', name = '', part, ...rest] = relative(area, real).split(sep);
  const workspace = part === 'tree' ? await findWorkspace(repo, { run, name }) : undefined;
  if (workspace?.tree !== join(area, run, name, 'tree')) return refusedPlace(`${real} is not the tree of a workspace`);
  // What an agent put there as a repository of its own is never read by our git; it is part of the tree like any other.
  if (rest.includes('.git')) return refusedPlace(`${real} lies inside a git directory`);
  return { status: 'workspace', workspace, root: workspace.tree, cwd: rest.join('/') || '.' };
}

/** This checkout, the main one, and the linked worktrees, as the repository itself names them. */
async function checkoutRoots(repo: Repository): Promise<readonly string[]> {
  const linked = await readdir(join(repo.gitDir, 'worktrees')).catch(() => []);
  const named = await Promise.all(
    linked.map(async (name) => {
      const text = await readFile(join(repo.gitDir, 'worktrees', name, 'gitdir'), 'utf8').catch(() => '');
      return text.trim() === '' ? undefined : realpath(dirname(text.trim())).catch(() => undefined);
    }),
  );
  const main = basename(repo.gitDir) === '.git' ? [dirname(repo.gitDir)] : [];
  return [...new Set([repo.root, ...main, ...named.filter((root) => root !== undefined)])];
}

async function hasOwnRepository(root: string, cwd: string): Promise<boolean> {
  let current = root;
  for (const part of cwd === '.' ? [] : cwd.split(sep)) {
    current = join(current, part);
    if ((await lstat(join(current, '.git')).catch(() => undefined)) !== undefined) return true;
  }
  return false;
}

function refusedPlace(reason: string): WorkPlace {
  return { status: 'refused', reason };
}
