/** What becomes history with a commit: its files, its message, and the commits that come with it. */
import { expect, it } from 'vitest';
import { findAddedSecrets } from '../../src/effects/find-added-secrets.ts';
import { makeRepo } from '../git/support.ts';

const secret = 'correct-horse-9battery';

it('a secret that a later commit takes out again is found, and so is one in a message or a name', async () => {
  const user = makeRepo();
  const repo = await user.open();
  const before = repo.head;
  const leaked = user.commit('one', { 'a.txt': `password: ${secret}\n` });
  const commit = user.commit('two', { 'a.txt': 'password: none\n' });
  expect(await findAddedSecrets(repo, { before, commit }, [secret])).toEqual([
    { path: `a.txt in the commit ${leaked.slice(0, 12)}`, line: 1, kind: 'known' },
  ]);
  expect(await findAddedSecrets(repo, { before: leaked, commit }, [secret])).toEqual([]);

  const told = user.commit(`three\n\n${secret}`, { 'b.txt': 'b\n' });
  expect(await findAddedSecrets(repo, { before: commit, commit: told }, [secret])).toMatchObject([
    { path: `the message of the commit ${told.slice(0, 12)}`, kind: 'known' },
  ]);
  user.git('commit', '-q', '--allow-empty', '-m', 'four', `--author=${secret} <a@example.org>`);
  const signed = user.git('rev-parse', 'HEAD');
  expect(await findAddedSecrets(repo, { before: told, commit: signed }, [secret])).toMatchObject([{ kind: 'known' }]);
});
