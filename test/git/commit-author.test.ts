/** Whose name is on a commit: Forge's, or the user's where they want that; Forge is the committer either way. */
import { describe, expect, it } from 'vitest';
import { identityAt, messageText } from '../../src/git/commit.ts';
import { parseSettings } from '../../src/policy/settings.ts';

const ada = { name: 'Ada', email: 'ada@example.org' };

describe('the author of a commit', () => {
  it('is Forge unless the user wants to be it', () => {
    expect(identityAt(5)).toMatchObject({ GIT_AUTHOR_NAME: 'Forge', GIT_COMMITTER_NAME: 'Forge' });
    expect(identityAt(5, ada)).toMatchObject({
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Forge',
      GIT_COMMITTER_EMAIL: 'forge@localhost',
    });
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
