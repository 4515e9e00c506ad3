/** Repositories for demos and scratch work, never a user's own: everything in a directory becomes a commit of one author. */
import { git } from './run-git.ts';

export async function initRepository(root: string, message: string): Promise<void> {
  await git(['init', '-q', '-b', 'main', '--template='], { cwd: root, env: identity });
  await commitEverything(root, message);
}

export async function commitEverything(root: string, message: string): Promise<void> {
  const call = { cwd: root, env: identity };
  await git(['add', '-A'], call);
  await git(['commit', '-q', '-m', message], call);
}

const identity = {
  GIT_AUTHOR_NAME: 'You',
  GIT_AUTHOR_EMAIL: 'you@localhost',
  GIT_COMMITTER_NAME: 'You',
  GIT_COMMITTER_EMAIL: 'you@localhost',
};
