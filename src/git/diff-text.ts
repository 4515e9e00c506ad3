/** The difference between two commits as people read it. No program of the repository's choosing takes part. */
import { treeOf } from './changes.ts';
import type { Repository } from './git.ts';
import { answerAbout } from './object-answers.ts';

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
  // By their trees: the same change on another commit is asked about once.
  const trees = await Promise.all([treeOf(repo, from), treeOf(repo, to)]);
  const text = await answerAbout(repo, ['diff-tree', '-p', '-r', ...(binary ? ['--text'] : []), ...plain], trees);
  return text.toString('utf8');
}
