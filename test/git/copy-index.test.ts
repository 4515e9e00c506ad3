import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeSnapshot } from '../../src/git/snapshot.ts';
import { findUncaptured } from '../../src/git/uncaptured.ts';
import { prepareWorkspace } from '../../src/git/workspace.ts';
import { jail, makeRepo, noon } from './support.ts';

const second = (ms: number): number => Math.floor(ms / 1000);

async function untilNextSecond(): Promise<void> {
  const now = second(Date.now());
  while (second(Date.now()) === now) await new Promise((resolve) => setImmediate(resolve));
}

it('sees a change of the same size made within the second of the checkout, however late it looks', async () => {
  const user = makeRepo({ files: { 'a.txt': 'a\n' } });
  const repo = await user.open();
  for (let round = 1; ; round += 1) {
    const name = `T${round}`;
    await untilNextSecond();
    const workspace = await prepareWorkspace(repo, { run: 'r1', name, commit: repo.head });
    const file = join(workspace.tree, 'a.txt');
    const before = statSync(file);
    writeFileSync(file, 'A\n');
    const after = statSync(file);
    // Only then can git not tell the two apart by their times; a slow machine gets another try.
    if (second(before.ctimeMs) !== second(after.ctimeMs)) continue;
    await untilNextSecond();
    const snapshot = await takeSnapshot(repo, workspace, { jail, message: 'work', date: noon });
    expect(snapshot.changes).toEqual([{ path: 'a.txt', status: 'modified' }]);
    writeFileSync(file, 'B\n');
    await untilNextSecond();
    expect(await findUncaptured(repo, workspace)).toMatch(/changed after the last snapshot/);
    return;
  }
});
