/** Runs of other clones of a repository: they are listed with their place, whether that clone is still there or not. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openContext } from '../../src/api/context.ts';
import { performOperation } from '../../src/api/operation.ts';
import { runsPlace } from '../../src/api/runs-place.ts';
import { recordRepository } from '../../src/git/repository-identity.ts';
import { openRepository } from '../../src/git/repository.ts';
import { makeRepo, scratch, userGit } from '../git/support.ts';

it('are known by the clone they belong to', async () => {
  const stateDir = scratch('state');
  const user = makeRepo();
  const repo = await openRepository(user.root, { dataDir: user.dataDir, stateDir });
  await recordRepository(repo, stateDir, repo.id);
  const clone = join(scratch(), 'clone');
  userGit(user.root, ['clone', '-q', user.root, clone]);
  const env = { ...process.env, FORGE_STATE_DIR: stateDir, FORGE_DATA_DIR: scratch('data') };
  const elsewhere = async () => (await performOperation(runsPlace, openContext({ cwd: clone, env }), {})).elsewhere;
  expect(await elsewhere()).toEqual([]);

  const place = join(repo.stateFolder, 'runs');
  mkdirSync(join(place, 'first-run'), { recursive: true });
  const known = { id: repo.id, root: user.root, place, runs: ['first-run'], isThere: true };
  expect(await elsewhere()).toEqual([known]);
  rmSync(user.root, { recursive: true });
  expect(await elsewhere()).toEqual([{ ...known, isThere: false }]);
});
