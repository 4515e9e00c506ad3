/** The difference between two commits as people read it. No program of the repository's choosing takes part. */
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { git } from './run-git.ts';

export async function diffText(repo: Repository, from: string, to: string): Promise<string> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'];
  const { stdout } = await git(['diff-tree', '-p', '-r', ...plain, from, to], objectCall(repo));
  return stdout.toString('utf8');
}
