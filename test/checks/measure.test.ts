import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measureTests } from '../../src/checks/measure.ts';
import { makeScene, nodeProject, testFile } from './support.ts';

const skipped = nodeProject['test/sum.test.js'].replace('test("adds"', 'test.skip("adds"');
const measureWeakened = async (...about: Parameters<typeof measureTests>) => (await measureTests(...about)).findings;
const kinds = (findings: Awaited<ReturnType<typeof measureWeakened>>) =>
  findings.map(({ path, kind, test }) => [path, kind, test]);

it('finds a skipped test, and nothing in a test that is only new', async () => {
  const { repo, deps, base } = await makeScene(nodeProject);
  const commit = repo.commit('weaker', {
    'test/sum.test.js': skipped,
    'test/more.test.js': testFile('more', 'sum(1, 1)', 2),
  });
  expect(await measureWeakened(deps.repo, base, commit)).toEqual([
    {
      path: 'test/sum.test.js',
      line: 4,
      kind: 'test-skipped',
      test: 'adds',
      claim: '"adds" is skipped or expected to fail now (test.skip).',
    },
  ]);
  expect(await measureWeakened(deps.repo, commit, commit)).toEqual([]);
});

it('finds a test file that is deleted, or has become a link', async () => {
  const { repo, deps, base } = await makeScene({ ...nodeProject, 'test/b.test.js': testFile('b', 'sum(4, 1)', 5) });
  repo.git('rm', '-q', 'test/sum.test.js');
  rmSync(join(repo.root, 'test/b.test.js'));
  symlinkSync('/dev/null', join(repo.root, 'test/b.test.js'));
  const commit = repo.commit('gone');
  expect(kinds(await measureWeakened(deps.repo, base, commit))).toEqual([
    ['test/b.test.js', 'test-deleted', undefined],
    ['test/sum.test.js', 'test-deleted', undefined],
  ]);
});

it('is not misled by a NUL in a comment, and does not read what is no text', async () => {
  const { repo, deps, base } = await makeScene({ ...nodeProject, 'src/data.js': 'x' });
  const commit = repo.commit('weaker', {
    'test/sum.test.js': `${skipped}// \0\n`,
    'src/data.js': 'test.skip("x", \0)',
  });
  expect(kinds(await measureWeakened(deps.repo, base, commit))).toEqual([['test/sum.test.js', 'test-skipped', 'adds']]);
});

it('says so when a test is too large to be read', async () => {
  const { repo, deps, base } = await makeScene(nodeProject);
  const commit = repo.commit('huge', { 'test/sum.test.js': `${skipped}//${'x'.repeat(2 * 1024 * 1024)}\n` });
  expect(await measureWeakened(deps.repo, base, commit)).toEqual([
    { path: 'test/sum.test.js', line: 0, kind: 'test-unread', claim: 'The test file is too large to be compared.' },
  ]);
});
