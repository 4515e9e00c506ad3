import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPlantedPipe } from '../../src/git/planted-pipe.ts';
import { git } from '../../src/git/run-git.ts';
import { makeRepo } from './support.ts';

const pipe = (...path: readonly string[]): string => {
  const file = join(...path);
  execFileSync('mkfifo', [file]);
  return file;
};

describe('a pipe that git opens', () => {
  it('is named where git waits for it, and git is ended', async () => {
    const { root } = makeRepo({ name: 'repo', files: { 'a.txt': 'a\n' } });
    const planted = pipe(root, '.gitignore');
    await expect(git(['status', '--porcelain'], { cwd: root, config: 'user' })).rejects.toMatchObject({
      code: 'git-failed',
      message: `git status waits for ${planted}, which is a pipe and not a file`,
    });
  });

  it('is found in directories of the checkout and in the git directory, and no other pipe is', async () => {
    const { root } = makeRepo({ name: 'repo', files: { 'src/deep/a.txt': 'a\n' } });
    const gitDir = join(root, '.git');
    pipe(root, 'src', 'events');
    expect(await findPlantedPipe({ root, gitDir })).toBeUndefined();
    const inCheckout = pipe(root, 'src', 'deep', '.gitattributes');
    expect(await findPlantedPipe({ root, gitDir })).toBe(inCheckout);
    mkdirSync(join(gitDir, 'refs', 'heads', 'topic'), { recursive: true });
    const inGit = pipe(gitDir, 'refs', 'heads', 'topic', 'one');
    expect(await findPlantedPipe({ root, gitDir })).toBe(inGit);
  });
});
