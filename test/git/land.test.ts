import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { landOn, publishBranch } from '../../src/git/land.ts';
import { netMoves, undoRefs } from '../../src/git/undo.ts';
import { readRef } from '../../src/git/refs.ts';
import { fingerprint, makeRepo, scratch, type TestRepo, userGit } from './support.ts';

/** A commit on top of main that is nowhere but in refs/forge. */
function result(user: TestRepo, files: Record<string, string> = { 'new.txt': 'new\n', 'a.txt': 'changed\n' }): string {
  user.git('checkout', '-q', '--detach');
  const commit = user.commit('result', files);
  user.git('update-ref', 'refs/forge/r1/integration', commit);
  user.git('checkout', '-q', 'main');
  return commit;
}

describe('publishBranch', () => {
  it('makes the result branch, moves it forward, and never back', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    const ref = 'refs/heads/forge/r1';
    const before = fingerprint(user);
    expect(await publishBranch(repo, 'r1', repo.head)).toEqual({ ref, before: undefined, after: repo.head });
    expect(await publishBranch(repo, 'r1', commit)).toEqual({ ref, before: repo.head, after: commit });
    expect(await publishBranch(repo, 'r1', commit)).toEqual({ ref, before: commit, after: commit });
    await expect(publishBranch(repo, 'r1', repo.head)).rejects.toMatchObject({ code: 'land-refused' });
    const { refs: _, ...files } = fingerprint(user);
    expect(before).toMatchObject(
      Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('logs/'))),
    );
  });
});

describe('landOn', () => {
  it('fast-forwards a branch and the checkout that is on it, without hooks', async () => {
    const user = makeRepo();
    const commit = result(user);
    const trap = join(scratch(), 'PWNED');
    mkdirSync(join(user.root, '.git', 'hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'post-merge', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(user.root, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${trap}\n`);
      chmodSync(join(user.root, '.git', 'hooks', hook), 0o755);
    }
    user.write({ 'untracked.txt': 'mine', '.forge/x': 'x' });
    const repo = await user.open();
    expect(await landOn(repo, { branch: 'main', commit })).toEqual([
      { ref: 'refs/heads/main', before: repo.head, after: commit },
    ]);
    expect(existsSync(trap)).toBe(false);
    expect(readFileSync(join(user.root, 'new.txt'), 'utf8')).toBe('new\n');
    rmSync(join(user.root, '.git', 'hooks'), { recursive: true });
    expect(user.git('status', '--porcelain')).toBe('?? .forge/\n?? untracked.txt');
    expect(user.git('reflog', '-1', '--format=%gs', 'main')).toBe('forge');
    expect(await landOn(repo, { branch: 'main', commit })).toEqual([]);
  });

  it('writes the checkout with the settings of the user', async () => {
    const user = makeRepo();
    const commit = result(user, { 'crlf.txt': 'a\nb\n' });
    user.git('config', 'core.autocrlf', 'true');
    const repo = await user.open();
    await landOn(repo, { branch: 'main', commit });
    expect(readFileSync(join(user.root, 'crlf.txt'), 'utf8')).toBe('a\r\nb\r\n');
    expect(user.git('status', '--porcelain')).toBe('');
  });

  it('moves only the ref of a branch that is not checked out', async () => {
    const user = makeRepo();
    const commit = result(user);
    user.git('branch', 'other');
    user.write({ 'a.txt': 'dirty' });
    const repo = await user.open();
    expect(await landOn(repo, { branch: 'other', commit })).toHaveLength(1);
    expect(user.git('rev-parse', 'other', 'main').split('\n')).toEqual([commit, repo.head]);
    expect(readFileSync(join(user.root, 'a.txt'), 'utf8')).toBe('dirty');
  });

  it('is refused when it would touch a dirty checkout, here or in another worktree', async () => {
    const cases: [string, (root: string) => void, string][] = [
      [
        'changed file',
        (root) => writeFileSync(join(root, 'src', 'b.txt'), 'dirty'),
        'changes that are not committed (src/b.txt)',
      ],
      [
        'staged file',
        (root) => userGit(root, ['rm', '-q', '--cached', 'src/b.txt']),
        'changes that are not committed (src/b.txt)',
      ],
      [
        'untracked in the way',
        (root) => writeFileSync(join(root, 'new.txt'), 'mine'),
        'would be overwritten (new.txt)',
      ],
      [
        'ignored in the way',
        (root) => writeFileSync(join(root, 'kept.log'), 'mine'),
        'would be overwritten (kept.log)',
      ],
      [
        'file where a directory goes',
        (root) => writeFileSync(join(root, 'deep'), 'mine'),
        'would be overwritten (deep)',
      ],
      [
        'directory where a file goes',
        (root) => (mkdirSync(join(root, 'flat')), writeFileSync(join(root, 'flat', 'x'), 'mine')),
        'would be overwritten (flat)',
      ],
    ];
    for (const where of ['main', 'linked'] as const) {
      for (const [name, disturb, message] of cases) {
        const user = makeRepo({ files: { 'a.txt': 'a\n', 'src/b.txt': 'b\n', '.gitignore': '*.log\n' } });
        user.git('checkout', '-q', '--detach');
        user.write({ 'new.txt': 'n', 'kept.log': 'l', 'deep/er': 'd', flat: 'f' });
        user.git('add', '-f', 'kept.log');
        const commit = user.commit('result');
        user.git('checkout', '-q', 'main');
        let root = user.root;
        if (where === 'linked') {
          root = join(scratch(), 'linked');
          user.git('checkout', '-q', '-b', 'elsewhere');
          user.git('worktree', 'add', '-q', root, 'main');
        }
        const repo = await user.open();
        disturb(root);
        const before = fingerprint(user);
        const failure = await landOn(repo, { branch: 'main', commit }).catch((error: unknown) => error);
        expect(failure, `${where}: ${name}`).toMatchObject({
          code: 'land-refused',
          message: expect.stringContaining(message),
        });
        expect(fingerprint(user)).toEqual(before);
      }
    }
  }, 120_000);

  it('is refused for branches that are not there, have moved on, or are being rebased', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    for (const branch of ['none', '../evil', '-f', 'a..b', '']) {
      await expect(landOn(repo, { branch, commit }), branch).rejects.toMatchObject({ code: 'land-refused' });
    }
    mkdirSync(join(user.root, '.git', 'rebase-merge'));
    writeFileSync(join(user.root, '.git', 'rebase-merge', 'head-name'), 'refs/heads/main\n');
    await expect(landOn(repo, { branch: 'main', commit })).rejects.toThrow('being rebased');
    rmSync(join(user.root, '.git', 'rebase-merge'), { recursive: true });
    user.commit('their own', { 'z.txt': 'z' });
    await expect(landOn(repo, { branch: 'main', commit })).rejects.toMatchObject({
      code: 'land-refused',
      message: `main can not be fast-forwarded to ${commit.slice(0, 12)}: it has commits of its own`,
    });
  });

  it('finishes what was killed between the checkout and the ref', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    user.git('read-tree', '-m', '-u', repo.head, commit);
    expect(user.git('status', '--porcelain')).not.toBe('');
    expect(await landOn(repo, { branch: 'main', commit })).toHaveLength(1);
    expect(user.git('status', '--porcelain')).toBe('');
  });
});

describe('undoRefs', () => {
  it('restores every ref and checkout as it was, and keeps what was undone', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    const before = fingerprint(user);
    const moves = [
      await publishBranch(repo, 'r1', repo.head),
      await publishBranch(repo, 'r1', commit),
      ...(await landOn(repo, { branch: 'main', commit })),
    ];
    expect(await undoRefs(repo, 'r1', moves)).toEqual([
      { ref: 'refs/heads/forge/r1', before: commit, after: undefined },
      { ref: 'refs/heads/main', before: commit, after: repo.head },
    ]);
    const after = fingerprint(user);
    const kept = (state: typeof after) =>
      Object.fromEntries(Object.entries(state).filter(([path]) => !/^(logs\/|index$)/.test(path)));
    expect(kept(after)).toEqual(kept(before));
    expect(user.git('status', '--porcelain')).toBe('');
    expect(await readRef(repo, 'refs/forge/r1/undone/1')).toBe(commit);
    // Once more changes nothing.
    expect(await undoRefs(repo, 'r1', moves)).toEqual([]);
  });

  it('is refused, as a whole, when somebody has built on it or a checkout is dirty', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    const moves = [await publishBranch(repo, 'r1', commit), ...(await landOn(repo, { branch: 'main', commit }))];
    const refuse = async (message: string): Promise<void> => {
      const before = fingerprint(user);
      await expect(undoRefs(repo, 'r1', moves)).rejects.toMatchObject({
        code: 'undo-refused',
        message: expect.stringContaining(message),
      });
      expect(fingerprint(user)).toEqual(before);
    };
    user.write({ 'a.txt': 'dirty' });
    await refuse('changes that are not committed (a.txt)');
    user.git('checkout', '-q', '.');
    user.git('switch', '-q', 'forge/r1');
    await refuse('is checked out in');
    user.git('switch', '-q', 'main');
    user.commit('on top', { 'z.txt': 'z' });
    await refuse('refs/heads/main has moved since');
  });

  it('joins the moves of a ref', () => {
    const move = (ref: string, before: string | undefined, after: string | undefined) => ({ ref, before, after });
    expect(
      netMoves([
        move('a', undefined, '1'),
        move('b', '1', '2'),
        move('a', '1', '2'),
        move('c', '1', '2'),
        move('c', '2', '1'),
      ]),
    ).toEqual([move('a', undefined, '2'), move('b', '1', '2')]);
  });
});
