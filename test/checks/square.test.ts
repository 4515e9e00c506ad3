/** Old tests on new code, where there are none, where commands name new files only, and where nothing can run them. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { measureTests } from '../../src/checks/measure.ts';
import { runChecks } from '../../src/checks/run-checks.ts';
import type { CheckEntries } from '../../src/checks/select-commands.ts';
import { measureSquare, type SquareRequest } from '../../src/checks/square.ts';
import { makeScene, never, nodeProject, type Scene, testFile } from './support.ts';

const manifest = { 'package.json': nodeProject['package.json'] };
const work = { 'src/sum.js': nodeProject['src/sum.js'], 'test/sum.test.js': nodeProject['test/sum.test.js'] };

async function oldOnNew(
  { deps, base }: Scene,
  commit: string,
  entries: CheckEntries = {},
  documents: SquareRequest['documents'] = [],
) {
  const about = { run: 'r', name: 'T1', judge: base, entries };
  const baseline = await runChecks(deps, { ...about, name: 'base', commit: base }, never);
  const tests = await measureTests(deps.repo, base, commit);
  const request = { ...about, kind: 'feature', base, commit, baseline, documents } as const;
  const { square } = await measureSquare(deps, request, tests, never);
  return { status: square.oldOnNew.status, failing: square.expectations.map(({ path }) => path) };
}

it('the first tests of a project have no old ones to compare with', async () => {
  const scene = await makeScene(manifest);
  expect(await oldOnNew(scene, scene.repo.commit('first', work))).toEqual({ status: 'passed', failing: [] });
});

it('a plan’s command about new test files only says nothing about the old ones', async () => {
  const scene = await makeScene(nodeProject);
  const added = { 'test/more.test.js': testFile('more', 'sum(2, 2)', 4) };
  const commit = scene.repo.commit('more', added);
  expect(await oldOnNew(scene, commit, { plan: ['node --test test/more.test.js'] })).toEqual({
    status: 'passed',
    failing: [],
  });
});

it('a plan’s command that also names an old test is asked about it', async () => {
  const scene = await makeScene({ ...nodeProject, 'package.json': JSON.stringify({ type: 'module' }) });
  const commit = scene.repo.commit('broken', {
    'src/sum.js': 'export const sum = (a, b) => (a === 1 ? 4 : a + b);\n',
    'test/sum.test.js': testFile('adds', 'sum(1, 2)', 4),
    'test/more.test.js': testFile('more', 'sum(2, 2)', 4),
  });
  const entries = { plan: ['node --test test/more.test.js test/sum.test.js'] };
  expect((await oldOnNew(scene, commit, entries)).status).toBe('failed');
});

it('is not measured where no command is left that could run the old tests', async () => {
  const scene = await makeScene({ 'src/sum.js': work['src/sum.js'], 'test/sum.test.js': work['test/sum.test.js'] });
  const commit = scene.repo.commit('more', { 'test/more.test.js': testFile('more', 'sum(2, 2)', 4) });
  const entries = { plan: ['node --test test/more.test.js'] };
  expect((await oldOnNew(scene, commit, entries)).status).toBe('not-measured');
});

it('documents that Forge wrote meanwhile are no markers, a file of a task in their place is one', async () => {
  const scene = await makeScene(nodeProject);
  const before = scene.base;
  const document = scene.repo.commit('notes', { 'docs/plans/notes.json': '{}' });
  const code = { 'src/sum.js': 'export const sum = (a, b) => b + a;\n' };
  const logs = () => readdirSync(scene.deps.logs).filter((name) => name.includes('-bare'));
  await oldOnNew(scene, scene.repo.commit('code', code), {}, [{ before, commit: document }]);
  expect(logs()).toEqual([]);
  const replaced = scene.repo.commit('marker', { 'docs/plans/notes.json': '{"done":true}' });
  await oldOnNew(scene, replaced, {}, [{ before, commit: document }]);
  expect(logs()).toHaveLength(1);
});
