/** Refs of runs, read and moved without a process each: what git itself says about them. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listRefs, moveRef, moveRefs, readRef } from '../../src/git/refs.ts';
import { gitStarted } from '../../src/git/run-git.ts';
import { makeRepo, refsOf } from './support.ts';

describe('refs of runs', () => {
  it('are listed as git lists them, packed or not', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const [one, two] = [repo.head, user.commit('two')];
    const listed = async (prefix: string) =>
      Object.fromEntries((await listRefs(repo, prefix)).map(({ ref, commit }) => [ref, commit]));
    expect(await listed('refs/forge/r1/')).toEqual({});
    for (const [name, commit] of [
      ['T1/1', one],
      ['T1/agent/1', two],
      ['T10/1', two],
      ['integration', one],
    ] as const)
      user.git('update-ref', `refs/forge/r1/${name}`, commit);
    gitStarted.clear();
    for (const prefix of ['refs/forge/r1/', 'refs/forge/r1/T1/', 'refs/forge/r2/'])
      expect(await listed(prefix)).toEqual(refsOf(user, prefix));
    user.git('pack-refs', '--all');
    // Newer than its line.
    user.git('update-ref', 'refs/forge/r1/T1/1', two);
    user.git('update-ref', 'refs/forge/r1/T1/2', one);
    for (const prefix of ['refs/forge/r1/', 'refs/forge/r1/T1/', 'refs/forge/r1/T10/'])
      expect(await listed(prefix)).toEqual(refsOf(user, prefix));
    user.git('update-ref', '-d', 'refs/forge/r1/T10/1');
    expect(await listed('refs/forge/r1/')).toEqual(refsOf(user, 'refs/forge/r1/'));
    expect(gitStarted.get('for-each-ref')).toBeUndefined();
    // What is no plain id is for git to read.
    user.git('symbolic-ref', 'refs/forge/r1/alias', 'refs/forge/r1/integration');
    expect(await listed('refs/forge/r1/')).toEqual(refsOf(user, 'refs/forge/r1/'));
    expect(gitStarted.get('for-each-ref')).toBe(1);
  });

  it('move through one git, each on its own, and a refused move changes nothing and stops nobody', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const [one, two] = [repo.head, user.commit('two')];
    const ref = (name: string): string => `refs/forge/r1/${name}`;
    gitStarted.clear();
    const moved = await Promise.all(
      ['a/1', 'b/1', 'c/1', 'd/1'].map((name) => moveRef(repo, ref(name), { from: undefined, to: one })),
    );
    expect(moved.map(({ status }) => status)).toEqual(['moved', 'moved', 'moved', 'moved']);
    expect(gitStarted.get('update-ref')).toBe(1);
    // Another one put it there first; both of one transaction stay.
    const moves = [
      { ref: ref('new'), before: undefined, after: two },
      { ref: ref('a/1'), before: two, after: one },
    ];
    expect(await moveRefs(repo, moves)).toEqual({ ref: ref('a/1'), actual: one });
    expect(await readRef(repo, ref('new'))).toBeUndefined();
    expect(await moveRef(repo, ref('a/1'), { from: one, to: two })).toMatchObject({ status: 'moved' });
    expect(await moveRef(repo, ref('a/1'), { from: one, to: two })).toMatchObject({ status: 'moved' });
    expect(await moveRef(repo, ref('a/1'), { from: undefined, to: one })).toMatchObject({ status: 'stale' });
    await expect(moveRefs(repo, [{ ref: ref('x'), before: undefined, after: '1'.repeat(40) }])).rejects.toThrow();
    expect(await moveRef(repo, ref('e/1'), { from: undefined, to: two })).toMatchObject({ status: 'moved' });
    expect(refsOf(user)[ref('e/1')]).toBe(two);
  });

  it('wait for a lock that somebody holds', async () => {
    const user = makeRepo();
    const repo = await user.open();
    mkdirSync(join(repo.gitDir, 'refs/forge/r1'), { recursive: true });
    const lock = join(repo.gitDir, 'refs/forge/r1/held.lock');
    writeFileSync(lock, '');
    const moving = moveRef(repo, 'refs/forge/r1/held', { from: undefined, to: repo.head });
    const beside = await moveRef(repo, 'refs/forge/r1/free', { from: undefined, to: repo.head });
    expect(beside.status).toBe('moved');
    rmSync(lock);
    expect((await moving).status).toBe('moved');
  });
});
