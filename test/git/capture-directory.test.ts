/** A directory in which somebody works as a commit: what is in it, what is not, and that nobody notices. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captureDirectory } from '../../src/git/capture-directory.ts';
import { listFiles, readFileAt } from '../../src/git/changes.ts';
import type { Repository } from '../../src/git/git.ts';
import { findWorkPlace } from '../../src/git/work-place.ts';
import { prepareWorkspace } from '../../src/git/workspace.ts';
import { inside, makeRepo, scratch } from './support.ts';

async function capture(repo: Repository, directory: string) {
  const place = await findWorkPlace(repo, directory);
  if (place.status !== 'checkout' && place.status !== 'workspace') throw new Error(place.reason);
  const captured = await captureDirectory(repo, place);
  const paths = (await listFiles(repo, captured.commit)).map((file) => `${file.path} ${file.mode}`);
  const read = async (path: string) => (await readFileAt(repo, captured.commit, path))?.toString('utf8');
  return { ...captured, place, paths, read };
}

describe('a checkout of the user', () => {
  it('is its commit when nothing was changed', async () => {
    const made = makeRepo();
    const { commit, base, leftOut } = await capture(await made.open(), made.root);
    expect({ commit, base, leftOut }).toEqual({ commit: made.git('rev-parse', 'HEAD'), base: commit, leftOut: [] });
  });

  it('holds what is there now: changed, staged, new, removed, replaced; ignored files stay out', async () => {
    const made = makeRepo({
      files: { '.gitignore': '*.log\n', 'a.txt': 'a\n', 'src/b.txt': 'b\n', gone: 'x\n', 'was-file': 'x\n' },
    });
    made.write({ 'a.txt': 'a2\n', 'src/new.txt': 'new\n', 'debug.log': 'secret\n', 'naïve\n.txt': 'odd\n' });
    made.git('add', 'a.txt');
    made.write({ 'a.txt': 'a3\n' });
    rmSync(join(made.root, 'gone'));
    rmSync(join(made.root, 'was-file'));
    made.write({ 'was-file/inner': 'dir\n', '.forge/plans/p.json': '{}' });
    symlinkSync('a.txt', join(made.root, 'link'));
    const other = join(made.root, 'other');
    mkdirSync(other);
    execFileSync('git', ['init', '-q', other]);
    writeFileSync(join(other, 'theirs'), 'x');
    const before = made.git('status', '--porcelain', '-z');
    const found = await capture(await made.open(), made.root);
    expect(found.paths.sort()).toEqual(
      [
        '.gitignore 100644',
        'a.txt 100644',
        'link 120000',
        'naïve\n.txt 100644',
        'src/b.txt 100644',
        'src/new.txt 100644',
        'was-file/inner 100644',
      ].sort(),
    );
    expect([await found.read('a.txt'), await found.read('link')]).toEqual(['a3\n', 'a.txt']);
    expect([found.base, found.leftOut]).toEqual([made.git('rev-parse', 'HEAD'), ['other/']]);
    expect(made.git('status', '--porcelain', '-z')).toBe(before);
    expect(made.git('show', ':a.txt')).toBe('a2');
    expect((await capture(await made.open(), made.root)).commit).toBe(found.commit);
  });

  it('refuses what is too large to look at', async () => {
    const made = makeRepo();
    made.write({ 'big.bin': new Uint8Array(21 * 1024 * 1024) });
    const repo = await made.open();
    await expect(capture(repo, made.root)).rejects.toMatchObject({ code: 'bad-input' });
  });
});

describe('a linked worktree', () => {
  it('is found inside and beside the project, with its own commit', async () => {
    const made = makeRepo();
    made.git('worktree', 'add', '-q', 'trees/one', '-b', 'one');
    const beside = join(scratch(), 'two');
    made.git('worktree', 'add', '-q', beside, '-b', 'two');
    writeFileSync(join(beside, 'only.txt'), 'x');
    const repo = await made.open();
    expect((await capture(repo, join(made.root, 'trees/one'))).leftOut).toEqual([]);
    expect((await capture(repo, beside)).paths).toContain('only.txt 100644');
    expect((await capture(repo, join(made.root, 'src'))).place.cwd).toBe('src');
  });
});

describe('a workspace', () => {
  it('is read without its own git, whatever was done to that', async () => {
    const made = makeRepo();
    const repo = await made.open();
    const workspace = await prepareWorkspace(repo, { run: 'r', name: 'T1', commit: repo.head });
    await inside(
      workspace,
      'echo w > new.txt && rm a.txt && git commit -qam own && git config core.fsmonitor "touch /pwned" && ln -s /etc out',
    );
    const found = await capture(repo, workspace.tree);
    expect(found.paths.sort()).toEqual(['new.txt 100644', 'out 120000', 'src/b.txt 100644']);
    expect(found.base).toBe(repo.head);
    expect((await capture(repo, join(workspace.tree, 'src'))).place).toMatchObject({ status: 'workspace', cwd: 'src' });
  });
});

describe('any other directory', () => {
  it('is refused', async () => {
    const made = makeRepo();
    const repo = await made.open();
    const workspace = await prepareWorkspace(repo, { run: 'r', name: 'T1', commit: repo.head });
    const other = makeRepo();
    symlinkSync(other.root, join(made.root, 'way-out'));
    mkdirSync(join(made.root, 'nested'));
    execFileSync('git', ['init', '-q', join(made.root, 'nested')]);
    const directories = [
      '/etc',
      other.root,
      join(made.root, 'way-out'),
      join(made.root, 'nested'),
      join(made.root, '.git'),
      workspace.root,
      workspace.home,
      workspace.engineDir,
      join(workspace.tree, '.git'),
      repo.dataDir,
    ];
    const found = await Promise.all(directories.map(async (path) => (await findWorkPlace(repo, path)).status));
    expect(found).toEqual(directories.map(() => 'refused'));
    expect((await findWorkPlace(repo, join(made.root, 'none'))).status).toBe('absent');
    expect((await findWorkPlace(repo, join(made.root, 'a.txt'))).status).toBe('absent');
  });
});
