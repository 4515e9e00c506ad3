/**
 * A repository of its own that shares the objects of another one, with one commit checked out: for work whose refs must
 * not appear in the user's repository. Hooks, filters and configuration of the user's repository have no part in it.
 */
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from './git.ts';
import { git, gitLine } from './run-git.ts';
import { objectCall } from './engine-dir.ts';

export async function cloneScratch(repo: Repository, root: string, commit: string): Promise<void> {
  const objects = await gitLine(['rev-parse', '--path-format=absolute', '--git-path', 'objects'], objectCall(repo));
  await mkdir(root, { recursive: true });
  await git(['init', '-q', '-b', 'main', '--template='], { cwd: root });
  await appendFile(join(root, '.git/objects/info/alternates'), `${objects}\n`);
  await git(['checkout', '-q', '--detach', commit], { cwd: root });
}
