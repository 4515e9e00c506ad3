import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { landOn, publishBranch } from '../../src/git/land.ts';
import { planUndo, revertLeft, standingMoves, undoRefs } from '../../src/git/undo.ts';
import type { RefMove, Repository } from '../../src/git/git.ts';
import { readRef } from '../../src/git/refs.ts';
import { filesOf, fingerprint, makeRepo, noon, scratch, type TestRepo, userGit } from './support.ts';

/** A commit on top of main that is nowhere but in refs/forge. */
function result(user: TestRepo, files: Record<string, string> = { 'new.txt': 'new\n', 'a.txt': 'changed\n' }): string {
  user.git('checkout', '-q', '--detach');
  const commit = user.commit('result', files);
  user.git('update-ref', 'refs/forge/r1/integration', commit);
  user.git('checkout', '-q', 'main');
  return commit;
}

/** Plans and carries out; answers what was put back. */
async function undo(repo: Repository, moves: readonly RefMove[]): Promise<readonly RefMove[]> {
  const { back } = await planUndo(repo, moves);
  await undoRefs(repo, back, { run: 'r1' });
  return back;
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
    expect(await landOn(repo, { run: 'r1', branch: 'main', commit })).toEqual([
      { ref: 'refs/heads/main', before: repo.head, after: commit },
    ]);
    expect(existsSync(trap)).toBe(false);
    expect(readFileSync(join(user.root, 'new.txt'), 'utf8')).toBe('new\n');
    rmSync(join(user.root, '.git', 'hooks'), { recursive: true });
    expect(user.git('status', '--porcelain')).toBe('?? .forge/\n?? untracked.txt');
    expect(user.git('reflog', '-1', '--format=%gs', 'main')).toBe('forge');
    expect(await landOn(repo, { run: 'r1', branch: 'main', commit })).toEqual([]);
  });

  it('writes the checkout with the settings of the user', async () => {
    const user = makeRepo();
    const commit = result(user, { 'crlf.txt': 'a\nb\n' });
    user.git('config', 'core.autocrlf', 'true');
    const repo = await user.open();
    await landOn(repo, { run: 'r1', branch: 'main', commit });
    expect(readFileSync(join(user.root, 'crlf.txt'), 'utf8')).toBe('a\r\nb\r\n');
    expect(user.git('status', '--porcelain')).toBe('');
  });

  it('moves only the ref of a branch that is not checked out', async () => {
    const user = makeRepo();
    const commit = result(user);
    user.git('branch', 'other');
    user.write({ 'a.txt': 'dirty' });
    const repo = await user.open();
    expect(await landOn(repo, { run: 'r1', branch: 'other', commit })).toHaveLength(1);
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
        const failure = await landOn(repo, { run: 'r1', branch: 'main', commit }).catch((error: unknown) => error);
        expect(failure, `${where}: ${name}`).toMatchObject({
          code: 'land-refused',
          message: expect.stringContaining(message),
        });
        expect(fingerprint(user)).toEqual(before);
      }
    }
  });

  it('is refused for branches that are not there, have moved on, or are being rebased', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    for (const branch of ['none', '../evil', '-f', 'a..b', '']) {
      await expect(landOn(repo, { run: 'r1', branch, commit }), branch).rejects.toMatchObject({ code: 'land-refused' });
    }
    mkdirSync(join(user.root, '.git', 'rebase-merge'));
    writeFileSync(join(user.root, '.git', 'rebase-merge', 'head-name'), 'refs/heads/main\n');
    await expect(landOn(repo, { run: 'r1', branch: 'main', commit })).rejects.toThrow('being rebased');
    rmSync(join(user.root, '.git', 'rebase-merge'), { recursive: true });
    user.commit('their own', { 'z.txt': 'z' });
    await expect(landOn(repo, { run: 'r1', branch: 'main', commit })).rejects.toMatchObject({
      code: 'land-refused',
      message: `main cannot be fast-forwarded to ${commit.slice(0, 12)}: it has commits of its own`,
    });
  });

  it('finishes what was killed between the checkout and the ref', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    user.git('read-tree', '-m', '-u', repo.head, commit);
    expect(user.git('status', '--porcelain')).not.toBe('');
    expect(await landOn(repo, { run: 'r1', branch: 'main', commit })).toHaveLength(1);
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
      ...(await landOn(repo, { run: 'r1', branch: 'main', commit })),
    ];
    expect(await undo(repo, moves)).toEqual([
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
    expect(await undo(repo, moves)).toEqual([]);
  });

  it('is refused, as a whole, when a checkout is dirty or on the branch that would go', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    const moves = [
      await publishBranch(repo, 'r1', commit),
      ...(await landOn(repo, { run: 'r1', branch: 'main', commit })),
    ];
    const refuse = async (message: string): Promise<void> => {
      const before = fingerprint(user);
      await expect(undo(repo, moves)).rejects.toMatchObject({
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
  });

  it('leaves a branch alone that people have built on, and says how many commits there are', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    const moves = [
      await publishBranch(repo, 'r1', commit),
      ...(await landOn(repo, { run: 'r1', branch: 'main', commit })),
    ];
    user.commit('on top', { 'z.txt': 'z' });
    const top = user.commit('and another', { 'z.txt': 'zz' });
    const plan = await planUndo(repo, moves);
    expect(plan).toEqual({
      back: [{ ref: 'refs/heads/forge/r1', before: commit, after: undefined }],
      left: [
        {
          ref: 'refs/heads/main',
          at: top,
          landed: [{ before: repo.head, after: commit }],
          why: 'built-on',
          commits: 2,
        },
      ],
    });
    await undoRefs(repo, plan.back, { run: 'r1' });
    expect(user.git('rev-parse', 'main')).toBe(top);
    const [reverted] = await revertLeft(repo, plan.left, { run: 'r1', date: noon });
    expect(reverted).toMatchObject({ ref: 'refs/heads/main', before: top, reverts: true });
    expect(user.git('status', '--porcelain')).toBe('');
    expect(filesOf(user, 'main')).toEqual({ ...filesOf(user, repo.head), 'z.txt': '100644 zz' });
    expect(await planUndo(repo, [...moves, ...plan.back.map(inverse), ...(reverted ? [reverted] : [])])).toEqual({
      back: [],
      left: [],
    });
  });

  it('does not revert what people have changed again: it names the files', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    const moves = await landOn(repo, { run: 'r1', branch: 'main', commit });
    user.commit('on top', { 'a.txt': 'mine\n' });
    const { left } = await planUndo(repo, moves);
    const before = fingerprint(user);
    await expect(revertLeft(repo, left, { run: 'r1', date: noon })).rejects.toMatchObject({
      code: 'undo-refused',
      message: expect.stringContaining('a.txt'),
      hint: expect.stringContaining('git revert --no-edit'),
    });
    expect(fingerprint(user)).toEqual(before);
  });

  it('goes back only as far as Forge came, and never below a commit of a person', async () => {
    const user = makeRepo();
    const first = result(user);
    const repo = await user.open();
    const landed = await landOn(repo, { run: 'r1', branch: 'main', commit: first });
    const mine = user.commit('mine', { 'm.txt': 'm' });
    user.git('checkout', '-q', '--detach');
    const second = user.commit('second result', { 'n.txt': 'n' });
    user.git('checkout', '-q', 'main');
    const again = await landOn(repo, { run: 'r1', branch: 'main', commit: second });
    expect(await undo(repo, [...landed, ...again])).toEqual([{ ref: 'refs/heads/main', before: second, after: mine }]);
    expect(user.git('rev-parse', 'main')).toBe(mine);
  });

  it('never undoes a landing that was refused, as older journals recorded it', async () => {
    const user = makeRepo();
    const commit = result(user);
    const repo = await user.open();
    const mine = user.commit('mine', { 'z.txt': 'z' });
    const ref = 'refs/heads/main';
    const moves = [
      { ref, before: repo.head, after: commit },
      { ref, before: commit, after: repo.head },
      { ref, before: mine, after: commit },
      { ref, before: commit, after: mine },
    ];
    expect(await planUndo(repo, moves)).toEqual({ back: [], left: [] });
  });

  it('knows what of the moves still stands', () => {
    const move = (ref: string, before: string | undefined, after: string | undefined) => ({ ref, before, after });
    const standing = standingMoves([
      move('a', undefined, '1'),
      move('b', '1', '2'),
      move('a', '1', '2'),
      move('c', '1', '2'),
      move('c', '2', '1'),
      move('b', '3', '4'),
      move('d', '1', '2'),
      move('d', '2', '3'),
      move('d', '3', '1'),
      { ...move('e', '1', '2') },
      { ...move('e', '3', '4'), reverts: true },
    ]);
    expect([...standing]).toEqual([
      ['a', [{ before: undefined, after: '2' }]],
      [
        'b',
        [
          { before: '1', after: '2' },
          { before: '3', after: '4' },
        ],
      ],
      ['c', []],
      ['d', []],
      ['e', []],
    ]);
  });
});

function inverse({ ref, before, after }: RefMove): RefMove {
  return { ref, before: after, after: before };
}
