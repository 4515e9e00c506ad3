/**
 * Programs that a repository's own git configuration names as filters (`filter.<name>.clean`, `.smudge`, `.process`).
 * Git starts them, on your machine and outside any jail, whenever it compares a file. A directory that came with its
 * `.git` brings such a configuration along, so nothing that only reads the checkout may start them. Filters of your
 * global or system configuration are yours and stay.
 */
import { splitRaw } from './raw-path.ts';
import { git, type GitCall } from './run-git.ts';

/** The same call with the repository's own filters switched off: files they would convert can look changed. */
export async function withoutRepositoryFilters(call: GitCall): Promise<GitCall> {
  const names = await repositoryFilters(call);
  if (names.length === 0) return call;
  const settings = names.flatMap((name) => [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ]);
  // By environment: a name may hold any character, and `-c` takes the first `=` for the end of it.
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [at, [key = '', value = '']] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return { ...call, env: { ...call.env, ...env } };
}

async function repositoryFilters(call: GitCall): Promise<readonly string[]> {
  const args = ['config', '--list', '--show-scope', '--name-only', '-z'];
  // Each entry is two fields: the scope and the name.
  const fields = splitRaw((await git(args, call)).stdout);
  const names = fields.flatMap((key, at) => {
    const isOwn = at % 2 === 1 && (fields[at - 1] === 'local' || fields[at - 1] === 'worktree');
    const name = isOwn ? /^filter\.(.+)\.(?:clean|smudge|process)$/s.exec(key)?.[1] : undefined;
    return name === undefined ? [] : [Buffer.from(name, 'latin1').toString('utf8')];
  });
  return [...new Set(names)];
}
