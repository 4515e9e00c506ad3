/** What judges never comes from the commit under test, whatever it tries. */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgedCommit } from '../../src/checks/judged-commit.ts';
import { runChecks } from '../../src/checks/run-checks.ts';
import { filesOf, scratch } from '../git/support.ts';
import { makeScene, never, nodeProject, type Scene } from './support.ts';

const request = { run: 'r', name: 'T1' };
const broken = 'export const sum = (a, b) => a - b;\n';

async function check({ deps, base }: Scene, commit: string, entries = {}) {
  const report = await runChecks(deps, { ...request, commit, judge: base, entries }, never);
  return { status: report.status, checkChanged: report.checkChanged };
}

async function judged({ repo, deps, base }: Scene, commit: string) {
  const result = await judgedCommit(deps, { run: 'r', commit, judge: base, started: [] });
  return filesOf(repo, result.commit);
}

describe('runner configuration', () => {
  it('of the base judges: a test script that does nothing does not help', async () => {
    const scene = await makeScene(nodeProject);
    const commit = scene.repo.commit('cheat', {
      'src/sum.js': broken,
      'package.json': nodeProject['package.json'].replace('node --test', 'true'),
    });
    expect(await check(scene, commit)).toEqual({
      status: 'failed',
      checkChanged: [{ path: 'package.json', what: 'scripts.test: "node --test" → "true"' }],
    });
  });

  it('keeps what the code of the commit needs', async () => {
    const scene = await makeScene(nodeProject);
    const commit = scene.repo.commit('imports', {
      'package.json': nodeProject['package.json'].replace('"type"', '"imports":{"#sum":"./src/sum.js"},"type"'),
      'test/sum.test.js': nodeProject['test/sum.test.js'].replace('../src/sum.js', '#sum'),
    });
    expect(await check(scene, commit)).toEqual({ status: 'passed', checkChanged: [] });
  });

  it('that the base does not have is not there', async () => {
    const scene = await makeScene({ ...nodeProject, 'a.config/b.txt': 'b\n' });
    const commit = scene.repo.commit('cheat', {
      'src/sum.js': broken,
      '.npmrc': 'script-shell=./always.sh\n',
      'always.sh': '#!/bin/sh\nexit 0\n',
      'vitest.config.ts': 'export default { test: { include: [] } };\n',
    });
    const { 'always.sh': kept, ...files } = await judged(scene, commit);
    expect(kept).toBe('100644 #!/bin/sh\nexit 0\n');
    expect(Object.keys(files).sort()).toEqual(['a.config/b.txt', 'package.json', 'src/sum.js', 'test/sum.test.js']);
    expect(await check(scene, commit)).toEqual({
      status: 'failed',
      checkChanged: [
        { path: '.npmrc', what: 'added' },
        { path: 'vitest.config.ts', what: 'added' },
      ],
    });
  });

  it('that the commit deletes is put back', async () => {
    const scene = await makeScene({ ...nodeProject, 'packages/a/package.json': '{}\n', 'packages/a/x.js': '' });
    scene.repo.git('rm', '-q', '-r', 'packages', 'package.json');
    const commit = scene.repo.commit('gone');
    const files = await judged(scene, commit);
    expect(files['package.json']).toBe(`100644 ${nodeProject['package.json']}`);
    expect(files['packages/a/package.json']).toBe('100644 {}\n');
    expect(files['packages/a/x.js']).toBeUndefined();
  });

  it('is judged with the same tree, and the same commit, each time', async () => {
    const scene = await makeScene(nodeProject);
    const commit = scene.repo.commit('cheat', { 'package.json': '{"scripts":{"test":"true"}}\n' });
    const question = { run: 'r', commit, judge: scene.base, started: [] };
    const first = await judgedCommit(scene.deps, question);
    expect(await judgedCommit(scene.deps, question)).toEqual(first);
    expect(first.commit).not.toBe(commit);
    expect((await judgedCommit(scene.deps, { ...question, judge: commit })).commit).toBe(commit);
  });
});

describe('symbolic links in the commit', () => {
  it('never lead a judge file out of the checkout', async () => {
    const outside = scratch('outside');
    writeFileSync(join(outside, 'vitest.config.ts'), 'mine\n');
    const scene = await makeScene({ ...nodeProject, 'config/vitest.config.ts': 'judge\n', '.npmrc': 'audit=false\n' });
    rmSync(join(scene.repo.root, 'config'), { recursive: true });
    symlinkSync(outside, join(scene.repo.root, 'config'));
    rmSync(join(scene.repo.root, '.npmrc'));
    symlinkSync(join(outside, 'npmrc'), join(scene.repo.root, '.npmrc'));
    const commit = scene.repo.commit('links', { 'src/sum.js': broken });
    const files = await judged(scene, commit);
    expect([files['config'], files['config/vitest.config.ts'], files['.npmrc']]).toEqual([
      undefined,
      '100644 judge\n',
      '100644 audit=false\n',
    ]);
    const { status, checkChanged } = await check(scene, commit);
    expect([status, checkChanged]).toEqual([
      'failed',
      [
        { path: '.npmrc', what: 'is a symbolic link' },
        { path: 'config/vitest.config.ts', what: 'deleted' },
      ],
    ]);
    expect(readdirSync(outside)).toEqual(['vitest.config.ts']);
  });

  it('do not put a package script in place of the judge’s', async () => {
    const scene = await makeScene(nodeProject);
    rmSync(join(scene.repo.root, 'package.json'));
    symlinkSync('fake.json', join(scene.repo.root, 'package.json'));
    const commit = scene.repo.commit('link', { 'fake.json': '{"scripts":{"test":"true"}}', 'src/sum.js': broken });
    expect(await check(scene, commit)).toEqual({
      status: 'failed',
      checkChanged: [{ path: 'package.json', what: 'is a symbolic link' }],
    });
  });

  it('do not lead a command out of the checkout', async () => {
    const outside = scratch('outside');
    const scene = await makeScene({ 'pkg/a.txt': 'a\n' });
    rmSync(join(scene.repo.root, 'pkg'), { recursive: true });
    symlinkSync(outside, join(scene.repo.root, 'pkg'));
    const commit = scene.repo.commit('link');
    const entries = { part: 'plan' as const, plan: [{ run: ['touch', 'here'], cwd: 'pkg' }] };
    expect((await check(scene, commit, entries)).status).toBe('unverified');
    expect(existsSync(join(outside, 'here'))).toBe(false);
  });

  it('do not make a directory of a judge file', async () => {
    const scene = await makeScene(nodeProject);
    rmSync(join(scene.repo.root, 'package.json'));
    mkdirSync(join(scene.repo.root, 'package.json'));
    const commit = scene.repo.commit('directory', { 'package.json/x': '', 'src/sum.js': broken });
    expect((await judged(scene, commit))['package.json']).toBe(`100644 ${nodeProject['package.json']}`);
    expect((await check(scene, commit)).status).toBe('failed');
  });
});

describe('what a check starts', () => {
  it('is the judge’s shell script, and a change of it is for a person', async () => {
    const scene = await makeScene({ 'scripts/verify.sh': 'exit 3\n', 'tool.js': '' });
    const commit = scene.repo.commit('cheat', { 'scripts/verify.sh': 'exit 0\n' });
    expect(await check(scene, commit, { part: 'plan', plan: ['sh scripts/verify.sh'] })).toEqual({
      status: 'failed',
      checkChanged: [
        { path: 'scripts/verify.sh', what: 'is started by the check "sh scripts/verify.sh" and is changed' },
      ],
    });
  });

  it('may be a shell script that only the commit has', async () => {
    const scene = await makeScene({ 'a.txt': 'a\n' });
    const commit = scene.repo.commit('new', { 'scripts/verify.sh': 'exit 0\n' });
    expect(await check(scene, commit, { part: 'plan', plan: ['sh scripts/verify.sh'] })).toEqual({
      status: 'passed',
      checkChanged: [
        { path: 'scripts/verify.sh', what: 'is started by the check "sh scripts/verify.sh" and is added' },
      ],
    });
  });

  it('is the judge’s program too, whatever its name; accepted, the commit’s runs', async () => {
    const scene = await makeScene({ 'tool.js': 'process.exit(1)\n' });
    const commit = scene.repo.commit('fix', { 'tool.js': 'process.exit(0)\n' });
    const accepted = { run: 'r', name: 'T2', commit, judge: commit, entries: { plan: ['node tool.js'] } };
    expect((await runChecks(scene.deps, accepted, never)).status).toBe('passed');
    expect(await check(scene, commit, { part: 'plan', plan: ['node tool.js'] })).toEqual({
      status: 'failed',
      checkChanged: [{ path: 'tool.js', what: 'is started by the check "node tool.js" and is changed' }],
    });
  });

  it('is no runner that the commit brings along', async () => {
    const scene = await makeScene({ ...nodeProject, 'package.json': '{"scripts":{"test":"vitest run"}}\n' });
    const runner = join(scene.repo.root, 'node_modules/.bin/vitest');
    mkdirSync(join(runner, '..'), { recursive: true });
    writeFileSync(runner, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const commit = scene.repo.commit('cheat', { 'test/fixtures/node_modules/x/index.js': '' });
    expect(await check(scene, commit, { part: 'plan', plan: ['npm test'] })).toEqual({
      status: 'failed',
      checkChanged: [{ path: 'node_modules', what: '1 installed files are part of the commit' }],
    });
    expect((await judged(scene, commit))['test/fixtures/node_modules/x/index.js']).toBe('100644 ');
  });
});
