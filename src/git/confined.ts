/**
 * Paths below a directory that somebody else may have filled: a setting or a plan names them, a commit or an agent
 * may have put symlinks in their way. Nothing here follows a symlink out.
 */
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { ForgeError } from '../errors.ts';
import { runProcess } from '../process/spawn.ts';

/** A relative path in normal form, or a refusal that names the setting it came from. */
export function relativePath(path: string, what: string): string {
  const normal = posix.normalize(path).replace(/\/$/, '');
  const parts = normal.split('/');
  const bad = path === '' || path.includes('\0') || normal === '.' || posix.isAbsolute(normal) || parts.includes('..');
  if (bad || parts.some((part) => part.toLowerCase() === '.git')) {
    throw new ForgeError('bad-config', `${what} "${path}" must be a path inside the repository and outside .git`);
  }
  return normal;
}

/** Does every directory on the way to the path exist as a directory, none of them a symlink? */
export async function hasRealParents(root: string, path: string): Promise<boolean> {
  let current = root;
  for (const part of path.split('/').slice(0, -1)) {
    current = join(current, part);
    const found = await lstat(current).catch(() => undefined);
    if (found?.isDirectory() !== true) return false;
  }
  return true;
}

/** Makes the parents of a path, and answers false when something that is not a directory stands in the way. */
export async function makeParents(root: string, path: string, replace = false): Promise<boolean> {
  let current = root;
  for (const part of path.split('/').slice(0, -1)) {
    current = join(current, part);
    const found = await lstat(current).catch(() => undefined);
    if (found?.isDirectory() === true) continue;
    if (found !== undefined && !replace) return false;
    if (found !== undefined) await rm(current);
    await mkdir(current);
  }
  return true;
}

/**
 * Removes a directory for good, even where permissions were taken away inside it or paths are longer than a path can
 * be (the two programs work with relative names). Links are not followed.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await run('chmod', ['-R', 'u+rwX', '--', path]);
    const problem = await run('rm', ['-rf', '--', path]);
    if (problem !== '') throw new ForgeError('workspace-failed', `${path} could not be removed: ${problem}`);
  }
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
  const result = await runProcess({ program, args, cwd: '/', env });
  return result.end.status === 'exited' && result.end.code === 0
    ? ''
    : result.stderr.text.slice(-500) || result.end.status;
}
