/** What git says about objects by their full ids is asked once; what can change is asked every time. */
import { expect, it } from 'vitest';
import { listChanges, listFiles, treeOf } from '../../src/git/changes.ts';
import { gitStarted } from '../../src/git/run-git.ts';
import { makeRepo } from './support.ts';

/** But for the one that reads objects: how long it stays depends on the machine. */
const started = (): number =>
  [...gitStarted].filter(([name]) => name !== 'cat-file').reduce((sum, [, count]) => sum + count, 0);

it('starts no process for full ids but the one that reads objects, also not at the same time', async () => {
  const user = makeRepo({ files: { 'a.txt': 'a\n' } });
  const repo = await user.open();
  const before = started();
  const all = await Promise.all([listFiles(repo, repo.head), listFiles(repo, repo.head), treeOf(repo, repo.head)]);
  expect(started() - before).toBe(0);
  expect(await listFiles(repo, repo.head)).toEqual(all[0]);
  expect(await treeOf(repo, repo.head)).toBe(all[2]);
  expect(await listChanges(repo, repo.head, repo.head)).toEqual([]);
  expect(started() - before).toBe(0);
});

it('asks again for what a name may mean by then, and after a failure', async () => {
  const user = makeRepo({ files: { 'a.txt': 'a\n' } });
  const repo = await user.open();
  const before = started();
  const short = repo.head.slice(0, 20);
  expect(await treeOf(repo, short)).toBe(await treeOf(repo, short));
  expect(started() - before).toBe(2);
  const missing = '1'.repeat(repo.head.length);
  await expect(treeOf(repo, missing)).rejects.toMatchObject({ code: 'git-failed' });
  await expect(treeOf(repo, missing)).rejects.toMatchObject({ code: 'git-failed' });
  expect(started() - before).toBe(4);
});
