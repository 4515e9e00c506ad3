/** Objects that Forge writes itself are the ones that git writes: the same ids, the same bytes, the same modes. */
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/git/commit-object.ts';
import { creditsBetween, writeCommit } from '../../src/git/commit.ts';
import { commitKeeper } from '../../src/git/keep-commits.ts';
import { isAncestor, moveRef } from '../../src/git/refs.ts';
import { gitStarted } from '../../src/git/run-git.ts';
import { requireObjects, writeObject } from '../../src/git/write-objects.ts';
import { makeRepo, noon } from './support.ts';

describe('objects written without git', () => {
  it('are what git writes, in both formats', async () => {
    for (const format of ['sha1', 'sha256']) {
      const repo = makeRepo({ init: [`--object-format=${format}`] });
      const opened = await repo.open();
      for (const text of ['', 'x', 'some text\n'.repeat(9000)]) {
        const content = Buffer.from(text);
        const id = await writeObject(opened, { type: 'blob', content });
        const said = execFileSync('git', ['hash-object', '--stdin'], {
          cwd: repo.root,
          input: content,
          encoding: 'utf8',
        });
        expect(id).toBe(said.trim());
        expect(await writeObject(opened, { type: 'blob', content })).toBe(id);
        const place = join(opened.objectsDir, id.slice(0, 2), id.slice(2));
        expect(statSync(place).mode & 0o222).toBe(0);
      }
      expect(
        readdirSync(opened.objectsDir, { recursive: true }).filter((name) => String(name).includes('tmp_obj')),
      ).toEqual([]);
      repo.git('fsck', '--strict', '--full');
    }
  });

  it('can be written by whoever may write into the store', async () => {
    const repo = makeRepo();
    const opened = await repo.open();
    chmodSync(opened.objectsDir, 0o2775);
    const id = await writeObject(opened, { type: 'blob', content: Buffer.from('shared') });
    expect(statSync(join(opened.objectsDir, id.slice(0, 2))).mode & 0o7777).toBe(0o2775);
  });

  it('name nothing that is not there', async () => {
    const repo = makeRepo();
    const opened = await repo.open();
    const head = repo.git('rev-parse', 'HEAD');
    const commit = { parent: head, message: 'm', run: 'r', authors: [], date: noon };
    await expect(writeCommit(opened, { ...commit, tree: '1'.repeat(40) })).rejects.toThrow('not in the repository');
    await expect(writeCommit(opened, { ...commit, tree: head })).rejects.toThrow('no tree');
    await expect(requireObjects(opened, [head], 'blob')).rejects.toThrow('no blob');
  });
});

describe('a line of commits', () => {
  it('is walked without git, and a merge or another line is left to git', async () => {
    const repo = makeRepo();
    const opened = await repo.open();
    const base = repo.git('rev-parse', 'HEAD');
    const one = repo.commit('one\n\nCo-authored-by: Ada <ada@example.org>', { x: '1' });
    const two = repo.commit('two', { x: '2' });
    gitStarted.clear();
    expect((await readLine(opened, base, two))?.map(({ id }) => id)).toEqual([two, one]);
    expect(await isAncestor(opened, base, two)).toBe(true);
    expect(await creditsBetween(opened, one, two)).toEqual([]);
    gitStarted.delete('cat-file');
    expect([...gitStarted.keys()]).toEqual([]);
    expect(await creditsBetween(opened, base, two)).toEqual([{ name: 'Ada', email: 'ada@example.org' }]);
    repo.git('checkout', '-q', '-b', 'side', base);
    const side = repo.commit('side', { y: '1' });
    expect(await readLine(opened, two, side)).toBeUndefined();
    expect(await isAncestor(opened, two, side)).toBe(false);
    repo.git('merge', '-q', '--no-edit', 'main');
    const merged = repo.git('rev-parse', 'HEAD');
    expect(await readLine(opened, base, merged)).toBeUndefined();
    expect(await isAncestor(opened, base, merged)).toBe(true);
  });
});

describe('a commit that a fact names', () => {
  it('is kept by a ref, and costs no walk where this process made the commit or its ref', async () => {
    const repo = makeRepo();
    const opened = await repo.open();
    const parent = repo.git('rev-parse', 'HEAD');
    const tree = repo.git('rev-parse', 'HEAD^{tree}');
    const make = (message: string) =>
      writeCommit(opened, { tree, parent, message, run: 'r1', authors: [], date: noon });
    const [captured, merged] = [await make('captured'), await make('merged')];
    await moveRef(opened, 'refs/forge/r1/T1/1', { from: undefined, to: captured });
    const keep = commitKeeper(opened, 'r1');
    gitStarted.clear();
    await keep([captured, merged, tree, '1'.repeat(40), 'not an id']);
    expect(gitStarted.get('rev-list')).toBeUndefined();
    expect(gitStarted.get('update-ref')).toBe(1);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/forge/').split('\n')).toEqual([
      'refs/forge/r1/T1/1',
      `refs/forge/r1/kept/${merged}`,
    ]);
    // Another process keeps the same: nothing fails, nothing is lost.
    await commitKeeper(opened, 'r1')([merged, captured, parent]);
    expect(repo.git('rev-parse', `refs/forge/r1/kept/${merged}`)).toBe(merged);
  });
});
