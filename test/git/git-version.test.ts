import { describe, expect, it } from 'vitest';
import { isNewEnough, parseGitVersion } from '../../src/git/git-version.ts';

describe('parseGitVersion', () => {
  it.each([
    ['git version 2.39.5', [2, 39, 5], true],
    ['git version 2.39.5 (Apple Git-154)\n', [2, 39, 5], true],
    ['git version 2.45.1.windows.1', [2, 45, 1], true],
    ['git version 2.38.0', [2, 38, 0], true],
    ['git version 2.38.0-rc1', [2, 38, 0], true],
    ['git version 2.38.GIT', [2, 38, 0], true],
    ['git version 2.37.7', [2, 37, 7], false],
    ['git version 1.99.9', [1, 99, 9], false],
    ['git version 3.0', [3, 0, 0], true],
    ['git version 2.49.0.391.g4bbb303af6', [2, 49, 0], true],
    ['git version 10.0.0', [10, 0, 0], true],
  ] as const)('%s', (text, numbers, enough) => {
    const [major, minor, patch] = numbers;
    const version = parseGitVersion(text);
    expect(version).toEqual({ major, minor, patch });
    expect(isNewEnough(version ?? { major: 0, minor: 0, patch: 0 })).toBe(enough);
  });

  it.each(['', 'git', 'git version unknown', 'hub version 2.39.5', 'git version 2', 'git version 99999999.1'])(
    'not %j',
    (text) => {
      expect(parseGitVersion(text)).toBeUndefined();
    },
  );
});
