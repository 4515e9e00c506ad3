/** Exit 0 with fewer tests than on the base is no pass, unless the commit itself takes the tests away. */
import { describe, expect, it } from 'vitest';
import { runChecks } from '../../src/checks/run-checks.ts';
import { makeScene, never, nodeProject, onlyCommand, type Scene, testFile } from './support.ts';

const project = {
  ...nodeProject,
  'test/pure.test.js': "import { test } from 'node:test';\ntest('pure', () => {});\n",
};
const exiting = { 'src/sum.js': 'export const sum = (a, b) => a - b;\nprocess.exit(0);\n' };

async function compare({ deps, base }: Scene, commit: string, judge = base) {
  const common = { run: 'r', entries: {} };
  const baseline = await runChecks(deps, { ...common, name: 'base', commit: base, judge: base }, never);
  const report = await runChecks(deps, { ...common, name: 'T1', commit, judge, baseline }, never);
  const { exit, status, reason } = onlyCommand(report);
  return { exit, status, reason };
}

describe('a commit whose code ends the process while it is loaded', () => {
  it('is unverified', async () => {
    const scene = await makeScene(project);
    expect(await compare(scene, scene.repo.commit('exit', exiting))).toEqual({
      exit: 0,
      status: 'unverified',
      reason: 'exit 0, but 1 test ran, the base had 2',
    });
  });

  it('is unverified where no other test is left, with and without a baseline', async () => {
    const scene = await makeScene(nodeProject);
    const commit = scene.repo.commit('exit', exiting);
    const wanted = { exit: 0, status: 'unverified', reason: 'exit 0, but no test ran' };
    expect(await compare(scene, commit)).toEqual(wanted);
    const alone = await runChecks(scene.deps, { run: 'r', name: 'T2', commit, judge: scene.base, entries: {} }, never);
    expect(onlyCommand(alone)).toMatchObject(wanted);
  });

  it('is not excused by a test that it takes away beside', async () => {
    const scene = await makeScene({ ...project, 'test/more.test.js': testFile('more', 'sum(2, 2)', 4) });
    scene.repo.git('rm', '-q', 'test/pure.test.js');
    const commit = scene.repo.commit('exit', {
      ...exiting,
      'test/new.test.js': project['test/pure.test.js'].replace('pure', 'new'),
    });
    expect((await compare(scene, commit)).reason).toBe('exit 0, but 1 test ran, the base had 3');
  });
});

describe('fewer tests', () => {
  it('pass where the commit deletes or skips them: that is a finding of its own', async () => {
    const scene = await makeScene({ ...project, 'test/more.test.js': testFile('more', 'sum(2, 2)', 4) });
    scene.repo.git('rm', '-q', 'test/pure.test.js');
    const commit = scene.repo.commit('fewer', {
      'test/more.test.js': testFile('more', 'sum(2, 2)', 4).replace('test("more"', 'test.skip("more"'),
    });
    expect(await compare(scene, commit)).toEqual({ exit: 0, status: 'passed', reason: 'exit 0, 1 test passes' });
  });

  it('pass where a person accepted a judge that runs fewer, and only then', async () => {
    const scene = await makeScene(project);
    const script = JSON.stringify({ type: 'module', scripts: { test: 'node --test test/sum.test.js' } });
    const commit = scene.repo.commit('narrower', { 'package.json': script });
    expect((await compare(scene, commit)).status).toBe('passed');
    expect(await compare(scene, commit, commit)).toEqual({
      exit: 0,
      status: 'passed',
      reason: 'exit 0, 1 test passes',
    });
    const cheat = scene.repo.commit('exit', exiting);
    expect((await compare(scene, cheat, commit)).status).toBe('unverified');
  });
});
