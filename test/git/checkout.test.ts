import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { prepareCheckout, removeCheckout } from '../../src/git/checkout.ts';
import { agent, jail, listTree, makeRepo } from './support.ts';

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
    await removeCheckout(repo, second, jail);
    expect(existsSync(second.root)).toBe(false);
  });
});
