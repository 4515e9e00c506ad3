/** Who the user is to git: as their environment says, or their configuration for this repository. Never guessed. */
import type { Author } from './commit.ts';
import type { Repository } from './git.ts';
import { gitLine } from './run-git.ts';

/** Undefined when git has not been told. */
export async function userIdentity(
  { root }: Pick<Repository, 'root'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Author | undefined> {
  const configured = (name: string): Promise<string> =>
    gitLine(['config', '--get', name], { cwd: root, config: 'user', answers: [0, 1] });
  const name = env['GIT_AUTHOR_NAME'] || (await configured('user.name'));
  const email = env['GIT_AUTHOR_EMAIL'] || (await configured('user.email'));
  return name.trim() === '' || email.trim() === '' ? undefined : { name: name.trim(), email: email.trim() };
}
