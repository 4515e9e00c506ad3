/**
 * A process that dies while it takes a tree from the pool or gives one back, at each change it makes to the file system.
 * Whatever it leaves, the next job gets a tree that cannot be told from a new one, nothing of the dead job is in it, and
 * `forge cleanup` finds everything.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareCheckout, removeCheckout } from '../../src/git/checkout.ts';
import { emptyPool } from '../../src/git/workspace-pool.ts';
import { compiled, fingerprint, jail, listTree, makeRepo } from './support.ts';

/** Changes some files as a job would, gives the tree back, takes it for another commit; dies before its n-th change. */
const job = `
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
const [root, dataDir, first, second, at] = process.argv.slice(2);
let count = 0;
let isCounting = false;
for (const name of ['rename', 'mkdir', 'rm', 'link', 'writeFile', 'unlink', 'rmdir', 'copyFile', 'utimes']) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (isCounting && ++count === Number(at)) process.kill(process.pid, 'SIGKILL');
    return real(...args);
  };
}
syncBuiltinESMExports();
const { openRepository } = await import('./out/git/repository.js');
const { prepareCheckout, removeCheckout } = await import('./out/git/checkout.js');
const { bubblewrapJail } = await import('./out/process/bubblewrap.js');
const jail = bubblewrapJail();
const repo = await openRepository(root, { dataDir });
const one = await prepareCheckout(repo, { run: 'dead', name: 'one', commit: first, jail });
await fs.writeFile(one.tree + '/src/b.txt', 'of the dead job');
await fs.mkdir(one.tree + '/left');
await fs.writeFile(one.tree + '/left/behind', 'of the dead job');
isCounting = true;
await removeCheckout(repo, one, jail);
const given = count;
await prepareCheckout(repo, { run: 'dead', name: 'two', commit: second, jail });
process.stdout.write(given + ' ' + count);
process.exit(0);
`;

describe('a pool whose user dies', () => {
  it('gives the next job a tree like a new one, wherever that was', { timeout: 900_000 }, async () => {
    const user = makeRepo({ files: { 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n' } });
    const first = user.git('rev-parse', 'HEAD');
    const second = user.commit('second', { 'src/b.txt': 'b2\n', 'more/d.txt': 'd\n' });
    const script = compiled(job);
    const run = (at: number) =>
      spawnSync(process.execPath, [script, user.root, user.dataDir, first, second, String(at)], { encoding: 'utf8' });
    const whole = run(0);
    const [given = 0, all = 0] = whole.stdout.split(' ').map(Number);
    // Both halves change something.
    expect([whole.stderr, given > 3, all > given + 5]).toEqual(['', true, true]);
    const repo = await user.open();
    const before = fingerprint(user);
    const asNew = Object.fromEntries(
      await Promise.all(
        [first, second].map(async (commit) => {
          await emptyPool(repo);
          return [commit, listTree((await prepareCheckout(repo, { run: 'new', name: commit, commit, jail })).tree, '')];
        }),
      ),
    );
    const everywhere = process.env['FORGE_CRASH'] === 'everywhere';
    const step = everywhere ? 1 : Math.max(1, Math.floor(all / 10));
    for (let at = 1; at <= all; at += step) {
      expect([at, run(at).signal]).toEqual([at, 'SIGKILL']);
      for (const commit of [second, first]) {
        const next = await prepareCheckout(repo, { run: 'live', name: `after-${at}`, commit, jail });
        expect([at, listTree(next.tree, '')]).toEqual([at, asNew[commit]]);
        expect(existsSync(join(next.home, 'x'))).toBe(false);
        await removeCheckout(repo, next, jail);
      }
      await emptyPool(repo);
      expect(readdirSync(join(user.dataDir, 'pool', repo.id))).toEqual([]);
    }
    expect(fingerprint(user)).toEqual(before);
  });
});
