/** Whose name is on a commit: Forge's, or the user's where they want that; Forge is the committer either way. */
import { describe, expect, it } from 'vitest';
import { messageText, writeCommit } from '../../src/git/commit.ts';
import { parseSettings } from '../../src/policy/settings.ts';
import { makeRepo } from './support.ts';

const ada = { name: 'Ada', email: 'ada@example.org' };

describe('the author of a commit', () => {
  it('is Forge unless the user wants to be it', async () => {
    const repo = makeRepo();
    const parent = repo.git('rev-parse', 'HEAD');
    const opened = await repo.open();
    const request = {
      tree: repo.git('rev-parse', `${parent}^{tree}`),
      parent,
      message: 'm',
      run: 'r',
      authors: [],
      date: new Date(5000),
    };
    const signed = async (author?: typeof ada): Promise<string> =>
      repo.git('log', '-1', '--format=%an <%ae> %at, %cn <%ce> %ct', await writeCommit(opened, { ...request, author }));
    expect(await signed()).toBe('Forge <forge@localhost> 5, Forge <forge@localhost> 5');
    expect(await signed(ada)).toBe('Ada <ada@example.org> 5, Forge <forge@localhost> 5');
    const odd = { name: ' .Ada <x>\nL"', email: '<a@b>\n' };
    expect(await signed(odd)).toBe('Ada xL <a@b> 5, Forge <forge@localhost> 5');
    repo.git('fsck', '--strict');
  });

  it('is not credited a second time', () => {
    const request = { message: 'm', run: 'r', authors: [ada, { name: 'Bo', email: 'bo@example.org' }] };
    expect(messageText(request)).toContain('Co-authored-by: Ada');
    const own = messageText({ ...request, author: { ...ada, email: 'ADA@example.org' } });
    expect(own).not.toContain('Co-authored-by: Ada');
    expect(own).toContain('Co-authored-by: Bo');
  });

  it('is chosen by git, never by a repository', () => {
    expect(parseSettings('commits: { author: user }', 'c').commits).toEqual({ author: 'user' });
    expect(() => parseSettings('commits: { author: user, as: { name: X, email: y@z } }', 'c')).toThrow(
      'c, commits.as: It is not for a file',
    );
  });
});
