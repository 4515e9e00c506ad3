/**
 * Where Forge keeps what is not the user's: workspaces, caches and its own git directories. Outside every
 * repository's tree, because an agent's workspace inside it would show up in the user's checkout.
 */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ForgeError } from '../errors.ts';
import { refComponent } from './ref-name.ts';

export function defaultDataDir(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const xdg = env['XDG_DATA_HOME'];
  // The XDG specification wants relative values ignored.
  const base = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'share');
  return join(base, 'forge');
}

/** The data directory with links resolved, or a refusal when it lies inside the checkout. */
export async function resolveDataDir(dataDir: string, root: string): Promise<string> {
  return outsideOf(dataDir, root, {
    what: 'data',
    hint: 'Choose a data directory outside the repository (XDG_DATA_HOME or the setting).',
  });
}

/** A directory of Forge's own with links resolved: never inside the checkout. */
export async function outsideOf(
  directory: string,
  root: string,
  { what, hint }: { readonly what: string; readonly hint: string },
): Promise<string> {
  const real = await realPathOfFuture(resolve(directory));
  if (!isInside(real, root)) return real;
  throw new ForgeError('bad-config', `the ${what} directory ${real} lies inside the repository ${root}`, { hint });
}

export interface WorkspacePaths {
  readonly root: string;
  readonly tree: string;
  readonly home: string;
  readonly tmp: string;
  readonly engineDir: string;
}

/** The same task of the same run always has the same path. */
export function workspacePaths(repo: { dataDir: string; id: string }, run: string, name: string): WorkspacePaths {
  return pathsBelow(join(repo.dataDir, 'workspaces', repo.id, refComponent(run), refComponent(name)));
}

export function pathsBelow(root: string): WorkspacePaths {
  return {
    root,
    tree: join(root, 'tree'),
    home: join(root, 'home'),
    tmp: join(root, 'tmp'),
    engineDir: join(root, 'engine'),
  };
}

export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

async function realPathOfFuture(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    return join(await realPathOfFuture(parent), basename(path));
  }
}
