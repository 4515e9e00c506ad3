import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareCheckout } from '../../src/git/checkout.ts';
import { setupKey } from '../../src/git/setup-cache.ts';
import { takeSnapshot } from '../../src/git/snapshot.ts';
import { prepareWorkspace } from '../../src/git/workspace.ts';
import { agent, fingerprint, jail, listTree, makeRepo, noon } from './support.ts';

/** Like an installer: output decided by the lock file, plus a number that tells runs apart, plus litter. */
const install = [
  'bash',
  '-c',
  'mkdir -p deps/sub && cp lock.json deps/ && ln -s sub deps/link && echo $RANDOM$RANDOM > deps/id && echo litter > litter.txt',
];
const setup = {
  run: install,
  inputs: ['lock.json', 'packages/**/lock.json'],
  outputs: ['deps', 'never-made'],
  network: 'off',
} as const;
const files = { '.gitignore': 'deps/\n', 'lock.json': '1', 'packages/a/lock.json': '1', 'src.txt': 's' };

describe('setup', () => {
  it('runs once while its inputs are unchanged, and its outputs are copies that nobody shares', async () => {
    const user = makeRepo({ files });
    const repo = await user.open();
    const before = fingerprint(user);
    const make = (name: string, commit = repo.head) =>
      prepareWorkspace(repo, { run: 'r1', name, commit, setup: { setup, jail } });
    const [one, two] = await Promise.all([make('T1'), make('T2')]);
    expect(one.provided).toEqual(['deps']);
    const id = (tree: string): string => readFileSync(join(tree, 'deps', 'id'), 'utf8');
    expect(id(two.tree)).toBe(id(one.tree));
    expect(statSync(join(one.tree, 'deps', 'id')).nlink).toBe(1);
    expect(statSync(join(one.tree, 'deps', 'id')).ino).not.toBe(statSync(join(two.tree, 'deps', 'id')).ino);
    expect(lstatSync(join(one.tree, 'deps', 'link')).isSymbolicLink()).toBe(true);
    // What it wrote beside its outputs is not taken for an agent's work.
    expect(existsSync(join(one.tree, 'litter.txt'))).toBe(false);

    await agent(one, 'echo poisoned > deps/id; chmod -R a-w deps');
    expect((await takeSnapshot(repo, one, { jail, message: 'm', date: noon })).leftBehind).toEqual([
      { path: 'deps', reason: 'ignored', bytes: expect.any(Number) },
    ]);
    expect(id((await make('T3')).tree)).toBe(id(two.tree));

    const unrelated = user.commit('unrelated', { 'src.txt': 'S' });
    expect(id((await make('T4', unrelated)).tree)).toBe(id(two.tree));
    const changed = user.commit('changed', { 'packages/a/lock.json': '2' });
    expect(id((await make('T5', changed)).tree)).not.toBe(id(two.tree));
    expect(listTree(user.root, 'src.txt')).not.toEqual(before);
    expect(readdirSync(join(user.dataDir, 'workspaces', repo.id, 'r1')).sort()).toEqual(['T1', 'T2', 'T3', 'T4', 'T5']);
  });

  it('does not share what a commit under test has made', async () => {
    const user = makeRepo({ files: { ...files, 'install.sh': 'mkdir deps; echo good > deps/id\n' } });
    const own = { ...setup, run: ['sh', 'install.sh'] };
    const repo = await user.open();
    const evil = user.commit('evil', { 'install.sh': 'mkdir deps; echo evil > deps/id\n' });
    const id = (tree: string): string => readFileSync(join(tree, 'deps', 'id'), 'utf8');
    const tested = await prepareCheckout(repo, { run: 'r1', name: 'c1', commit: evil, setup: { setup: own, jail } });
    expect(id(tested.tree)).toBe('evil\n');
    const clean = await prepareWorkspace(repo, {
      run: 'r1',
      name: 'T1',
      commit: repo.head,
      setup: { setup: own, jail },
    });
    expect(id(clean.tree)).toBe('good\n');
    // Once an accepted commit has made them, they serve everyone.
    const again = await prepareCheckout(repo, { run: 'r1', name: 'c1', commit: evil, setup: { setup: own, jail } });
    expect(id(again.tree)).toBe('good\n');
  });

  it('fails with what the command said, and leaves nothing', async () => {
    const user = makeRepo({ files });
    const repo = await user.open();
    const failing = { ...setup, run: ['sh', '-c', 'echo out; echo no such package >&2; exit 3'] };
    const make = () =>
      prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head, setup: { setup: failing, jail } });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(make()).rejects.toMatchObject({
        code: 'setup-failed',
        message: expect.stringMatching(/failed \(exit 3\): out\nno such package$/),
      });
    }
    // Some programs say it first and print a page of help after it.
    const helpful = { ...setup, run: ['sh', '-c', 'echo not in sync >&2; yes help | head -c 20000 >&2; exit 1'] };
    await expect(
      prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head, setup: { setup: helpful, jail } }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/failed \(exit 1\): not in sync\n(help\n)+(.|\n)*help$/),
    });
    expect(readdirSync(join(user.dataDir, 'setup', repo.id))).toEqual([]);
    expect(existsSync(join(user.dataDir, 'workspaces', repo.id, 'r1', 'T1'))).toBe(false);
    const cases = [
      { ...setup, outputs: ['../out'] },
      { ...setup, outputs: ['src.txt'], run: ['sh', '-c', 'true'] },
      { ...setup, run: [] },
    ];
    for (const bad of cases) {
      await expect(
        prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head, setup: { setup: bad, jail } }),
      ).rejects.toMatchObject({ code: 'bad-config' });
    }
  });

  it('does not copy what an output leads to by a link', async () => {
    const user = makeRepo({ files });
    const repo = await user.open();
    const linking = { ...setup, run: ['sh', '-c', 'ln -s /etc deps'] };
    const workspace = await prepareWorkspace(repo, {
      run: 'r1',
      name: 'T1',
      commit: repo.head,
      setup: { setup: linking, jail },
    });
    expect(lstatSync(join(workspace.tree, 'deps')).isSymbolicLink()).toBe(true);
  });

  it('has a key that depends on everything that decides the outputs', async () => {
    const user = makeRepo({ files });
    const repo = await user.open();
    const variants = [
      setup,
      { ...setup, run: ['true'] },
      { ...setup, inputs: ['lock.json'] },
      { ...setup, inputs: [] },
      { ...setup, outputs: ['deps'] },
      { ...setup, network: 'on' as const },
    ];
    const keys = await Promise.all(variants.map((variant) => setupKey(repo, variant, repo.head)));
    expect(new Set(keys).size).toBe(variants.length);
    expect(await setupKey(repo, setup, user.commit('other', { 'src.txt': 'x' }))).toBe(keys[0]);
  });
});
