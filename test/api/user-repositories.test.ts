/** The repositories of a user: where another one was made in the place of one that is gone, only the new one is there. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { userRepositories } from '../../src/api/user-repositories.ts';
import { defaultStateDir, idFile, writeRecord } from '../../src/git/state-dir.ts';
import { tempDir } from '../support/temp.ts';

it('names only the repository that is in a place now as being there', () => {
  const env = { HOME: tempDir('home') };
  const root = join(tempDir('place'), 'sums');
  const gitDir = join(root, '.git');
  const record = (id: string, usedAt: string): void => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(dirname(join(gitDir, idFile)), { recursive: true });
    writeFileSync(join(gitDir, idFile), `${id}\n`);
    writeRecord(defaultStateDir(env), { id, gitDir, root, earlier: [], commits: [], remotes: [], usedAt });
  };
  record('sums-000000000000000000000001', '2026-01-01T00:00:00.000Z');
  record('sums-000000000000000000000002', '2026-01-02T00:00:00.000Z');
  expect(existsSync(root)).toBe(true);
  expect(userRepositories(env)).toEqual([
    { id: 'sums-000000000000000000000002', name: 'sums', root, isThere: true },
    { id: 'sums-000000000000000000000001', name: 'sums', root, isThere: false },
  ]);
  // Where no id can be kept, the path has to do.
  rmSync(join(gitDir, idFile));
  expect(userRepositories(env).map(({ isThere }) => isThere)).toEqual([true, true]);
});
