/** The repository's own git hooks on a commit: the judge's version, in the jail, and what their end means. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHooks } from '../../src/checks/run-hooks.ts';
import { judgeHook } from '../../src/policy/hook-run.ts';
import { makeScene, never, type Scene } from './support.ts';

const refusing = '#!/bin/sh\ngit diff --cached --name-only\nexit 3\n';
const whatever = '#!/bin/sh\nexit 0\n';

function place(scene: Scene, path: string, text: string): void {
  const file = join(scene.repo.root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

/** Commits `files` and runs both hooks on that, judged by the commit before. */
async function run(scene: Scene, files: Readonly<Record<string, string>>, message = 'feat: more') {
  const { repo, deps } = scene;
  const before = repo.git('rev-parse', 'HEAD');
  for (const [path, text] of Object.entries(files)) place(scene, path, text);
  repo.git('add', '.');
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', message);
  const commit = repo.git('rev-parse', 'HEAD');
  const opened = { ...deps, repo: await repo.open() };
  const request = { run: 'r1', name: 'hooks', commit, before, judge: before };
  return runHooks(opened, { ...request, hooks: ['commit-msg', 'pre-commit'] }, never);
}

describe('hooks of a repository', () => {
  it('see the commit staged on what it goes on top of, and refuse it', async () => {
    const scene = await makeScene({ 'a.txt': 'a\n' });
    place(scene, '.git/hooks/pre-commit', refusing);
    expect(await run(scene, { 'b.txt': 'b\n' })).toEqual([
      { hook: 'pre-commit', status: 'failed', reason: 'it ended with 3', output: 'b.txt\n' },
    ]);
  });

  it('come from the judge where they are part of the repository, and are passed over where git would', async () => {
    const scene = await makeScene({ 'a.txt': 'a\n' });
    scene.repo.git('config', 'core.hooksPath', '.githooks');
    place(scene, '.githooks/commit-msg', '#!/bin/sh\ngrep -q "^feat: " "$1" || { echo "no type"; exit 1; }\n');
    place(scene, '.githooks/pre-commit', whatever);
    chmodSync(join(scene.repo.root, '.githooks/pre-commit'), 0o644);
    scene.repo.git('add', '.');
    scene.repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'hooks');
    const softened = { '.githooks/commit-msg': whatever };
    expect(await run(scene, softened, 'More')).toEqual([
      { hook: 'pre-commit', status: 'absent', reason: '', output: '' },
      { hook: 'commit-msg', status: 'failed', reason: 'it ended with 1', output: 'no type\n' },
    ]);
  });

  it('of Husky are read by a shell, whatever its generated directory holds', async () => {
    const scene = await makeScene({ 'a.txt': 'a\n' });
    scene.repo.git('config', 'core.hooksPath', '.husky/_');
    writeFileSync(join(scene.repo.root, '.gitignore'), '_\n');
    mkdirSync(join(scene.repo.root, '.husky'));
    writeFileSync(join(scene.repo.root, '.husky/pre-commit'), 'test -f a.txt\ntest ! -f b.txt\n');
    scene.repo.git('add', '.');
    scene.repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'hooks');
    expect((await run(scene, { 'b.txt': 'b\n' })).map(({ status }) => status)).toEqual(['failed']);
    expect((await run(scene, { 'c.txt': 'c\n' })).map(({ status }) => status)).toEqual(['failed']);
    scene.repo.git('rm', '-q', 'b.txt');
    expect((await run(scene, { 'd.txt': 'd\n' })).map(({ status }) => status)).toEqual(['passed', 'absent']);
  });

  it('that write files or cannot run let nothing through', async () => {
    const scene = await makeScene({ 'a.txt': 'a\n' });
    place(scene, '.git/hooks/pre-commit', '#!/bin/sh\necho better > b.txt\n');
    expect(await run(scene, { 'b.txt': 'b\n' })).toMatchObject([
      { status: 'failed', reason: 'it changes b.txt, and what it makes of them was not checked' },
    ]);
    place(scene, '.git/hooks/pre-commit', '#!/bin/sh\nno-such-linter --staged\n');
    const [missing] = await run(scene, { 'c.txt': 'c\n' });
    expect(missing?.status).toBe('unverified');
    expect(missing?.reason).toContain('a program it starts is not installed, or the jail hides it (');
    expect(missing?.reason).toContain('no-such-linter');
  });
});

it('only an end with 0 that changed nothing is a pass', () => {
  expect(judgeHook({ exit: 0, obstacle: undefined, changed: [] })).toEqual({ status: 'passed', reason: '' });
  expect(judgeHook({ exit: null, obstacle: undefined, changed: [] }).status).toBe('failed');
  expect(judgeHook({ exit: 0, obstacle: 'timed out after 5 s', changed: [] }).status).toBe('unverified');
  expect(judgeHook({ exit: 0, obstacle: undefined, changed: ['1', '2', '3', '4', '5', '6', '7'] }).reason).toBe(
    'it changes 1, 2, 3, 4, 5 and 2 more, and what it makes of them was not checked',
  );
});
