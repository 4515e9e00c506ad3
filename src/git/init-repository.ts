/** A new repository with everything in a directory as its first commit: for demos and scratch work, never a user's own. */
import { git } from './run-git.ts';

export async function initRepository(root: string, message: string): Promise<void> {
  const identity = { name: 'You', email: 'you@localhost' };
  const env = {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  };
  const call = { cwd: root, env };
  await git(['init', '-q', '-b', 'main', '--template='], call);
  await git(['add', '-A'], call);
  await git(['commit', '-q', '-m', message], call);
}
