/** How large files of a commit are. What is not a regular file there (missing, a directory, a link) has no size. */
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { git } from './run-git.ts';

export async function fileSizesIn(
  repo: Repository,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = paths.filter((path) => path !== '' && !path.includes('\0'));
  if (wanted.length === 0) return new Map();
  const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '-l', '--full-tree', commit, '--', ...wanted];
  const { stdout } = await git(args, objectCall(repo));
  const lines = stdout.toString('utf8').split('\0');
  return new Map(
    lines.flatMap((line): readonly (readonly [string, number])[] => {
      const [, size = '', path = ''] = /^100\d{3} blob \S+ +(\d+)\t([^]*)$/.exec(line) ?? [];
      return wanted.includes(path) ? [[path, Number(size)]] : [];
    }),
  );
}
