/**
 * What git keeps of a delivery that is given up: its branches, worktrees of them, and its plan directory. Removes only what it
 * is told to, with the user's own settings; a branch that is checked out elsewhere stays. Needs no state of Forge.
 */
import { ForgeError } from '../errors.ts';
import { git, type GitCall } from './run-git.ts';
import { uncommittedPaths } from './uncommitted-paths.ts';
import { userIdentity } from './user-identity.ts';

export interface DeliveryRemains {
  readonly branches: readonly string[];
  /** Of these branches, apart from the user's own checkout. */
  readonly worktrees: readonly { readonly path: string; readonly branch: string }[];
  /** Branches that stay, because somebody works on them. */
  readonly checkedOut: readonly string[];
}

/** `isOurs` names the branches that belong to the delivery. */
export async function findRemains(root: string, isOurs: (branch: string) => boolean): Promise<DeliveryRemains> {
  const call = callAt(root);
  const names = await lines(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/'], call);
  const { stdout } = await git(['worktree', 'list', '--porcelain', '-z'], call);
  const listed = stdout
    .toString('utf8')
    .split('\0\0')
    .map((record) => {
      const field = (name: string): string =>
        record
          .split('\0')
          .find((row) => row.startsWith(`${name} `))
          ?.slice(name.length + 1) ?? '';
      return { path: field('worktree'), branch: field('branch').replace(/^refs\/heads\//, '') };
    })
    .filter(({ path }) => path !== '');
  const [main, ...others] = listed;
  const checkedOut = main !== undefined && isOurs(main.branch) ? [main.branch] : [];
  return {
    branches: names.filter((name) => isOurs(name) && !checkedOut.includes(name)),
    worktrees: others.filter(({ branch }) => branch !== '' && isOurs(branch)),
    checkedOut,
  };
}

export async function removeRemains(root: string, { branches, worktrees }: DeliveryRemains): Promise<void> {
  for (const { path } of worktrees) await git(['worktree', 'remove', '--force', path], callAt(root));
  for (const branch of branches) await git(['branch', '-D', '--quiet', '--', branch], callAt(root));
}

/** Names of tags with this beginning whose commit holds the directory. */
export async function tagsHolding(root: string, prefix: string, dir: string): Promise<readonly string[]> {
  const names = await lines(['for-each-ref', '--format=%(refname:lstrip=2)', `refs/tags/${prefix}*`], callAt(root));
  const found: string[] = [];
  for (const name of names) {
    const { code } = await git(['cat-file', '-e', `refs/tags/${name}:${dir}`], {
      ...callAt(root),
      answers: [0, 1, 128],
    });
    if (code === 0) found.push(name);
  }
  return found;
}

/** A commit on the current branch without the directory. Other changes of the checkout stay as they are. */
export async function removeCommitted(
  root: string,
  { dir, message, env }: { readonly dir: string; readonly message: string; readonly env: Environment },
): Promise<void> {
  const author = await userIdentity({ root }, env);
  if (author === undefined)
    throw new ForgeError('cleanup-refused', 'git does not know who you are, so nothing can be committed', {
      hint: 'Nothing was removed. Tell git first: git config user.name "…" and git config user.email "…".',
    });
  if ((await uncommittedPaths(callAt(root), ['--', dir])).length > 0)
    throw new ForgeError('cleanup-refused', `${dir} has changes that are not committed`, {
      hint: `Nothing was removed. Commit them, or discard them: git restore --source=HEAD --staged --worktree ${dir}`,
    });
  await git(['rm', '-r', '--quiet', '--', dir], callAt(root));
  const { name, email } = author;
  await git(['commit', '--quiet', '-m', message, '--', dir], {
    ...callAt(root),
    env: { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

function callAt(root: string): GitCall {
  return { cwd: root, config: 'user', timeMs: 60_000 };
}

async function lines(args: readonly string[], call: GitCall): Promise<readonly string[]> {
  const { stdout } = await git(args, call);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
