/** What people and git do around Forge's own moves: nobody's lock, commit or object is lost. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdSameFiles } from '../../src/git/changes.ts';
import { droppableRefs } from '../../src/git/cleanup.ts';
import { keepCommits, missingCommits } from '../../src/git/keep-commits.ts';
import { hasBranchMoved, landOn } from '../../src/git/land.ts';
import { makeRepo, type TestRepo } from './support.ts';

/** A commit on top of main that no branch holds. */
function looseCommit(user: TestRepo): string {
  const tree = user.git('rev-parse', 'HEAD^{tree}');
  return user.git('commit-tree', tree, '-p', 'HEAD', '-m', 'loose');
}

describe('nothing is lost', () => {
  it("respects another git's lock on the index, and leaves it there", async () => {
    const user = makeRepo();
    const commit = looseCommit(user);
    const lock = join(user.root, '.git', 'index.lock');
    user.git('checkout', '-q', '--detach');
    const changed = user.commit('result', { 'a.txt': 'changed\n' });
    user.git('checkout', '-q', 'main');
    writeFileSync(lock, '');
    const repo = await user.open();
    await expect(landOn(repo, { run: 'r1', branch: 'main', commit: changed })).rejects.toMatchObject({
      code: 'land-refused',
      message: expect.stringContaining('another git command'),
    });
    expect([existsSync(lock), readFileSync(lock, 'utf8')]).toEqual([true, '']);
    expect(commit).not.toBe(changed);
  });

  it('keeps commits through garbage collection, and kept ones do not stand in the way of cleanup', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const [kept, lost] = [looseCommit(user), user.git('commit-tree', 'HEAD^{tree}', '-m', 'lost')];
    await keepCommits(repo, 'r1', [kept, repo.head, '0'.repeat(40)]);
    execFileSync('git', ['gc', '-q', '--prune=now'], { cwd: user.root, stdio: 'ignore' });
    expect(await missingCommits(repo, [kept, lost])).toEqual([lost]);
    expect((await droppableRefs(repo, 'r1')).map((ref) => ref.commit).sort()).toEqual([kept, repo.head].sort());
  });

  it('knows a branch that has moved from one that only lacks the result, and refuses a dirty one at once', async () => {
    const user = makeRepo();
    const commit = looseCommit(user);
    const repo = await user.open();
    expect(await hasBranchMoved(repo, { branch: 'main', commit: commit, since: undefined })).toBe(false);
    user.commit('mine', { 'm.txt': 'm' });
    expect(await hasBranchMoved(repo, { branch: 'main', commit: commit, since: undefined })).toBe(true);
    user.write({ 'a.txt': 'dirty' });
    await expect(hasBranchMoved(repo, { branch: 'main', commit: commit, since: undefined })).rejects.toMatchObject({
      code: 'land-refused',
    });
    await expect(hasBranchMoved(repo, { branch: 'gone', commit: commit, since: undefined })).rejects.toMatchObject({
      code: 'land-refused',
    });
  });

  it('compares what trees hold, not how old tools wrote their modes', async () => {
    const user = makeRepo({ files: { 'd/a.txt': 'a\n' } });
    const repo = await user.open();
    const inner = user.git('rev-parse', 'HEAD:d');
    const raw = Buffer.concat([Buffer.from('040000 d\0'), Buffer.from(inner, 'hex')]);
    const padded = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
      cwd: user.root,
      input: raw,
      encoding: 'utf8',
    }).trim();
    const tree = user.git('rev-parse', 'HEAD^{tree}');
    expect(padded).not.toBe(tree);
    expect(await holdSameFiles(repo, padded, tree)).toBe(true);
    expect(await holdSameFiles(repo, padded, inner)).toBe(false);
  });
});
