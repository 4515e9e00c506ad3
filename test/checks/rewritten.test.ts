/** Files of the commit that a check writes while it runs: noted once, and not mistaken for what is put back in between. */
import { expect, it } from 'vitest';
import { runChecks } from '../../src/checks/run-checks.ts';
import { openJail } from '../../src/process/open-jail.ts';
import { makeScene, never, nodeProject } from './support.ts';

const writing = "import { writeFileSync } from 'node:fs';\nwriteFileSync('src/sum.js', writeFileSync.name);\n";
const entries = { settings: ['node scripts/stamp.mjs', 'node --test', 'node --version'] };

it('are those that the same check leaves alone on the base', async () => {
  const scene = await makeScene({
    ...nodeProject,
    'stamp.txt': 'never\n',
    'scripts/stamp.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('stamp.txt', 'now');\n",
  });
  // The jail of a run: as root its programs are another user, whom files are handed over to.
  const deps = { ...scene.deps, jail: (await openJail({ mode: 'auto' })).jail };
  const about = { run: 'r', judge: scene.base, entries };
  const baseline = await runChecks(deps, { ...about, name: 'base', commit: scene.base }, never);
  expect(baseline.commands.map(({ rewrote }) => rewrote)).toEqual([['stamp.txt'], undefined, undefined]);
  const same = scene.repo.commit('more', { 'README.md': 'More.\n' });
  const harmless = await runChecks(deps, { ...about, name: 'same', commit: same, baseline }, never);
  expect(harmless.commands.map(({ rewrote }) => rewrote)).toEqual([undefined, undefined, undefined]);
  const other = scene.repo.commit('other', { 'test/zz.test.js': writing });
  const found = await runChecks(deps, { ...about, name: 'other', commit: other, baseline }, never);
  expect(found.commands.map(({ rewrote }) => rewrote)).toEqual([undefined, ['src/sum.js'], undefined]);
});
