/** The difference between two commits as people read it. No program of the repository's choosing takes part. */
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { git } from './run-git.ts';

export interface DiffOptions {
  /** Files that git takes for binary are shown as text too. */
  readonly binary?: boolean;
}

export async function diffText(
  repo: Repository,
  from: string,
  to: string,
  { binary = false }: DiffOptions = {},
): Promise<string> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'];
  const { stdout } = await git(
    ['diff-tree', '-p', '-r', ...(binary ? ['--text'] : []), ...plain, from, to],
    objectCall(repo),
  );
  return stdout.toString('utf8');
}
