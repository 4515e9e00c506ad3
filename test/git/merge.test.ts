import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listChanges, listFiles, readFileAt } from '../../src/git/changes.ts';
import { prepareMerge } from '../../src/git/merge.ts';
import { buildReceipt } from '../../src/git/receipt.ts';
import { integrationRef } from '../../src/git/ref-name.ts';
import { moveRef, moveRefs, readRef } from '../../src/git/refs.ts';
import { filesOf, fingerprint, makeRepo, noon, scratch, type TestRepo } from './support.ts';

/** A commit beside the user's branch: what a snapshot would be. */
function aside(user: TestRepo, from: string, files: Record<string, string | undefined>): string {
  user.git('checkout', '-q', '--detach', from);
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) user.git('rm', '-q', path);
    else user.write({ [path]: content });
  }
  const commit = user.commit('aside');
  user.git('checkout', '-q', 'main');
  return commit;
}

const request = { run: 'r1', task: 'T1', message: 'T1: do it', authors: [{ name: 'Grace', email: 'g@x' }], date: noon };
const lines = (...values: (string | number)[]): string => `${values.join('\n')}\n`;

describe('prepareMerge', () => {
  it('carries a task onto a moved head as one linear commit', async () => {
    const user = makeRepo({ files: { 'a.txt': lines(1, 2, 3, 4, 5, 6, 7), 'b.txt': 'b\n', 'gone.txt': 'g\n' } });
    const repo = await user.open();
    const commit = aside(user, repo.head, {
      'a.txt': lines(1, 2, 3, 4, 5, 6, 'seven'),
      'gone.txt': undefined,
      'new ü.txt': 'n\n',
    });
    const head = aside(user, repo.head, { 'a.txt': lines('one', 2, 3, 4, 5, 6, 7), 'c.txt': 'c\n' });
    const before = fingerprint(user);
    const candidate = await prepareMerge(repo, { ...request, base: repo.head, commit, head });
    if (candidate.status !== 'ready') throw new Error(candidate.status);
    expect(candidate).toEqual({
      status: 'ready',
      commit: candidate.commit,
      before: head,
      changes: [
        { path: 'a.txt', status: 'modified' },
        { path: 'gone.txt', status: 'deleted' },
        { path: 'new ü.txt', status: 'added' },
      ],
    });
    expect(filesOf(user, candidate.commit)).toMatchObject({
      'a.txt': `100644 ${lines('one', 2, 3, 4, 5, 6, 'seven')}`,
      'c.txt': '100644 c\n',
    });
    expect(user.git('log', '-1', '--format=%P%n%an <%ae>%n%B', candidate.commit).trim()).toBe(
      `${head}\nForge <forge@localhost>\nT1: do it\n\nForge-Run: r1\nForge-Task: T1\nCo-authored-by: Grace <g@x>`,
    );
    expect(fingerprint(user)).toEqual(before);
    expect((await prepareMerge(repo, { ...request, base: repo.head, commit, head })) as unknown).toEqual(candidate);
  });

  it('keeps a part of the change apart, as a commit on top of the rest', async () => {
    const user = makeRepo({ files: { 'a.txt': 'a\n', 'test/old.txt': 'o\n' } });
    const repo = await user.open();
    const commit = aside(user, repo.head, { 'a.txt': 'b\n', 'test/old.txt': undefined, 'test/new.txt': 'n\n' });
    const asked = { ...request, base: repo.head, commit, head: repo.head };
    const apart = { message: 'test: its tests', isPart: (path: string) => path.startsWith('test/') };
    const both = await prepareMerge(repo, { ...asked, apart });
    if (both.status !== 'ready') throw new Error(both.status);
    expect(user.git('log', '--format=%s', '-2', both.commit).trim().split('\n')).toEqual([
      'test: its tests',
      'T1: do it',
    ]);
    expect(user.git('rev-parse', `${both.commit}^`, `${both.commit}^^`).trim().split('\n')).toEqual([
      both.below,
      repo.head,
    ]);
    expect(filesOf(user, both.below ?? '')).toMatchObject({ 'a.txt': '100644 b\n', 'test/old.txt': '100644 o\n' });
    expect(Object.keys(filesOf(user, both.commit))).toEqual(Object.keys(filesOf(user, commit)));
    expect(both.changes).toHaveLength(3);
    // Only that part, or nothing of it: one commit.
    const only = await prepareMerge(repo, { ...asked, apart: { ...apart, isPart: () => true } });
    const none = await prepareMerge(repo, { ...asked, apart: { ...apart, isPart: () => false } });
    for (const [candidate, subject] of [
      [only, 'test: its tests'],
      [none, 'T1: do it'],
    ] as const) {
      if (candidate.status !== 'ready') throw new Error(candidate.status);
      expect(candidate).not.toHaveProperty('below');
      expect(user.git('log', '--format=%s %P', '-1', candidate.commit).trim()).toBe(`${subject} ${repo.head}`);
    }
  });

  it('names the files of a conflict, of every kind', async () => {
    const user = makeRepo({
      files: { 'same line.txt': lines(1, 2, 3), 'edited.txt': 'e\n', 'bin.dat': 'a\0b', 'd/x.txt': 'x\n' },
    });
    const repo = await user.open();
    const commit = aside(user, repo.head, {
      'same line.txt': lines(1, 'X', 3),
      'edited.txt': undefined,
      'bin.dat': 'a\0c',
      'both.txt': 'mine\n',
    });
    const head = aside(user, repo.head, {
      'same line.txt': lines(1, 'Y', 3),
      'edited.txt': 'E\n',
      'bin.dat': 'a\0d',
      'both.txt': 'yours\n',
    });
    expect(await prepareMerge(repo, { ...request, base: repo.head, commit, head })).toEqual({
      status: 'conflict',
      before: head,
      files: ['bin.dat', 'both.txt', 'edited.txt', 'same line.txt'],
    });
  });

  it('is empty when the head has it already, and plain when the head has not moved', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const commit = aside(user, repo.head, { 'n.txt': 'n' });
    const head = aside(user, repo.head, { 'n.txt': 'n', 'm.txt': 'm' });
    expect(await prepareMerge(repo, { ...request, base: repo.head, commit, head })).toEqual({
      status: 'empty',
      before: head,
    });
    expect(await prepareMerge(repo, { ...request, base: repo.head, commit: repo.head, head })).toEqual({
      status: 'empty',
      before: head,
    });
    const ready = await prepareMerge(repo, { ...request, base: repo.head, commit, head: repo.head });
    expect(ready).toMatchObject({ status: 'ready', before: repo.head, changes: [{ path: 'n.txt', status: 'added' }] });
  });

  it('uses the base it is given, not the one history suggests', async () => {
    const user = makeRepo({ files: { 'a.txt': lines(1, 2, 3) } });
    const repo = await user.open();
    const middle = aside(user, repo.head, { 'a.txt': lines('one', 2, 3) });
    const commit = aside(user, middle, { 'a.txt': lines('one', 2, 'three') });
    const candidate = await prepareMerge(repo, {
      ...request,
      base: middle,
      commit,
      head: aside(user, repo.head, { 'b.txt': 'b' }),
    });
    // Line one was changed before the task began: it is not brought along as a change of the task.
    if (candidate.status !== 'ready') throw new Error(candidate.status);
    expect(filesOf(user, candidate.commit)['a.txt']).toBe(`100644 ${lines(1, 2, 'three')}`);
  });

  it('runs no merge driver and heeds no attribute or setting', async () => {
    const user = makeRepo({ files: { '.gitattributes': '*.txt merge=evil\n', 'a.txt': lines(1, 2, 3) } });
    const trap = join(scratch(), 'PWNED');
    user.git('config', 'merge.evil.driver', `touch ${trap}; true`);
    user.git('config', 'merge.renames', 'false');
    writeFileSync(join(user.root, '.git', 'info', 'attributes'), '* merge=evil\n');
    const repo = await user.open();
    const commit = aside(user, repo.head, { 'a.txt': lines(1, 'X', 3) });
    const head = aside(user, repo.head, { 'a.txt': lines(1, 'Y', 3) });
    expect(await prepareMerge(repo, { ...request, base: repo.head, commit, head })).toMatchObject({
      status: 'conflict',
      files: ['a.txt'],
    });
    expect(existsSync(trap)).toBe(false);
  });

  it('works with CRLF, links and a sha256 repository', async () => {
    const user = makeRepo({ init: ['--object-format=sha256'], files: { 'a.txt': '1\r\n2\r\n3\r\n4\r\n5\r\n' } });
    const repo = await user.open();
    expect(repo.head).toHaveLength(64);
    const commit = aside(user, repo.head, { 'a.txt': 'X\r\n2\r\n3\r\n4\r\n5\r\n' });
    const head = aside(user, repo.head, { 'a.txt': '1\r\n2\r\n3\r\n4\r\nY\r\n' });
    const candidate = await prepareMerge(repo, { ...request, base: repo.head, commit, head });
    if (candidate.status !== 'ready') throw new Error(candidate.status);
    expect(filesOf(user, candidate.commit)['a.txt']).toBe('100644 X\r\n2\r\n3\r\n4\r\nY\r\n');
    const ref = integrationRef('r1');
    expect(await moveRef(repo, ref, { from: undefined, to: head })).toMatchObject({ status: 'moved' });
    expect(await moveRef(repo, ref, { from: head, to: candidate.commit })).toMatchObject({ status: 'moved' });
  });
});

describe('moveRef', () => {
  it('moves forward by compare-and-swap only', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const [one, two] = [aside(user, repo.head, { x: '1' }), aside(user, repo.head, { x: '2' })];
    const ref = integrationRef('r1');
    expect(await readRef(repo, ref)).toBeUndefined();
    expect(await moveRef(repo, ref, { from: repo.head, to: one })).toEqual({ status: 'stale', ref, actual: undefined });
    expect(await moveRef(repo, ref, { from: undefined, to: repo.head })).toEqual({
      status: 'moved',
      ref,
      before: undefined,
      after: repo.head,
    });
    expect(await moveRef(repo, ref, { from: undefined, to: one })).toEqual({ status: 'stale', ref, actual: repo.head });
    expect(await moveRef(repo, ref, { from: repo.head, to: one })).toEqual({
      status: 'moved',
      ref,
      before: repo.head,
      after: one,
    });
    // Again, by someone who was killed before writing it down.
    expect(await moveRef(repo, ref, { from: repo.head, to: one })).toEqual({
      status: 'moved',
      ref,
      before: repo.head,
      after: one,
    });
    expect(await moveRef(repo, ref, { from: repo.head, to: two })).toEqual({ status: 'stale', ref, actual: one });
    expect(await moveRef(repo, ref, { from: one, to: two })).toEqual({ status: 'not-fast-forward', ref, actual: one });
    expect(await readRef(repo, ref)).toBe(one);
  });

  it('lets exactly one of many win', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const ref = integrationRef('r1');
    await moveRef(repo, ref, { from: undefined, to: repo.head });
    const commits = Array.from({ length: 12 }, (_, at) => aside(user, repo.head, { x: String(at) }));
    const outcomes = await Promise.all(commits.map((to) => moveRef(repo, ref, { from: repo.head, to })));
    const won = outcomes.filter((outcome) => outcome.status === 'moved');
    expect(won).toHaveLength(1);
    const [winner] = won;
    expect(outcomes.filter((outcome) => outcome.status === 'stale')).toHaveLength(11);
    expect(await readRef(repo, ref)).toBe(winner?.status === 'moved' ? winner.after : undefined);
  });

  it('clears a lock that a killed git has left on a ref of ours, and no other', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const ref = integrationRef('r1');
    await moveRef(repo, ref, { from: undefined, to: repo.head });
    const one = aside(user, repo.head, { x: '1' });
    const old = new Date(Date.now() - 60_000);
    const lock = join(user.root, '.git', `${ref}.lock`);
    writeFileSync(lock, '');
    utimesSync(lock, old, old);
    expect(await moveRef(repo, ref, { from: repo.head, to: one })).toMatchObject({ status: 'moved' });
    expect(existsSync(lock)).toBe(false);
    expect(user.git('for-each-ref', '--format=%(objectname)', ref)).toBe(one);
  });

  it('moves several refs together or not at all', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const one = aside(user, repo.head, { x: '1' });
    const refused = await moveRefs(repo, [
      { ref: 'refs/forge/r1/a', before: undefined, after: one },
      { ref: 'refs/heads/main', before: one, after: repo.head },
    ]);
    expect(refused).toEqual({ ref: 'refs/heads/main', actual: repo.head });
    expect(await readRef(repo, 'refs/forge/r1/a')).toBeUndefined();
    // A name git would complete to something else is not that something.
    expect(await readRef(repo, 'main')).toBeUndefined();
  });
});

describe('changes and receipts', () => {
  it('lists files and changes of commits with any name', async () => {
    const user = makeRepo({ files: { 'a.txt': 'a', 'sub/ü\n.txt': 'u' } });
    const repo = await user.open();
    const commit = aside(user, repo.head, { 'a.txt': undefined, 'moved.txt': 'a', 'sub/ü\n.txt': 'U' });
    expect(await listChanges(repo, repo.head, commit)).toEqual([
      { path: 'a.txt', status: 'deleted' },
      { path: 'moved.txt', status: 'added' },
      { path: 'sub/ü\n.txt', status: 'modified' },
    ]);
    expect((await listFiles(repo, commit)).map(({ mode, path }) => [mode, path])).toEqual([
      ['100644', 'moved.txt'],
      ['100644', 'sub/ü\n.txt'],
    ]);
    expect((await readFileAt(repo, commit, 'sub/ü\n.txt'))?.toString()).toBe('U');
    expect(await readFileAt(repo, commit, 'sub')).toBeUndefined();
    expect(await readFileAt(repo, commit, '*.txt')).toBeUndefined();
  });

  it('puts a receipt together', () => {
    const receipt = buildReceipt({
      task: 'T1',
      declared: ['src/**'],
      flags: [{ path: 'x', case: 'undeclared', action: 'allow', reason: 'no task declares it' }],
      candidate: { status: 'ready', commit: 'c', before: 'b', changes: [{ path: 'x', status: 'added' }] },
      snapshot: { commit: 's', leftBehind: [{ path: 'node_modules', reason: 'ignored', bytes: 3 }] },
      base: 'a',
      checks: [{ label: 'npm test', status: 'passed' }],
    });
    expect(receipt).toEqual({
      task: 'T1',
      declared: ['src/**'],
      changed: [{ path: 'x', status: 'added' }],
      flags: [{ path: 'x', case: 'undeclared', action: 'allow', reason: 'no task declares it' }],
      leftBehind: [{ path: 'node_modules', reason: 'ignored', bytes: 3 }],
      before: 'b',
      after: 'c',
      source: 's',
      base: 'a',
      checks: [{ label: 'npm test', status: 'passed' }],
    });
  });
});
