import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { overlayFiles, overlayFromCommit, prepareCheckout, removeCheckout } from '../../src/git/checkout.ts';
import { agent, listTree, makeRepo, scratch } from './support.ts';

describe('prepareCheckout', () => {
  it('is clean every time, whatever the last check left there', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const request = { run: 'r1', name: 'check-T1', commit: repo.head };
    const first = await prepareCheckout(repo, request);
    await agent(first, 'echo junk > junk; rm a.txt; rm -rf .git; chmod 000 src');
    const second = await prepareCheckout(repo, request);
    expect(second).toEqual(first);
    expect(listTree(second.tree, '')).toEqual(listTree(user.root, ''));
    await removeCheckout(second);
    expect(existsSync(second.root)).toBe(false);
  });

  it('lays files of the judging commit over, and follows no link of the judged one', async () => {
    const outside = scratch('outside');
    const user = makeRepo({ files: { 'package.json': 'judge', 'test/run.js': 'judge', 'keep.txt': 'k' } });
    writeFileSync(join(user.root, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync('keep.txt', join(user.root, 'link'));
    const judge = user.commit('judge');
    user.git('rm', '-q', '-r', 'test', 'package.json', 'run.sh', 'link');
    symlinkSync(outside, join(user.root, 'test'));
    symlinkSync(join(outside, 'victim'), join(user.root, 'package.json'));
    const judged = user.commit('judged', { 'vitest.config.ts': 'evil', 'link/dir': 'x' });
    const repo = await user.open();
    const checkout = await prepareCheckout(repo, { run: 'r1', name: 'c', commit: judged });
    await overlayFromCommit(repo, checkout, judge, [
      'package.json',
      'test/run.js',
      'vitest.config.ts',
      'run.sh',
      'link',
      'no/such',
    ]);
    expect(listTree(checkout.tree, '')).toEqual({
      'keep.txt': listTree(user.root, 'keep.txt')['keep.txt'],
      'package.json': expect.stringMatching(/^644 /),
      'test/run.js': expect.stringMatching(/^644 /),
      'run.sh': expect.stringMatching(/^755 /),
      link: 'link keep.txt',
    });
    expect(readFileSync(join(checkout.tree, 'test', 'run.js'), 'utf8')).toBe('judge');
    expect(lstatSync(join(checkout.tree, 'test')).isDirectory()).toBe(true);
    expect(readdirSync(outside)).toEqual([]);
    await expect(overlayFiles(checkout, [{ path: '../x', content: Buffer.from('') }])).rejects.toMatchObject({
      code: 'bad-config',
    });
  });
});
