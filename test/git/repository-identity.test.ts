/** Which repository a directory is, as it moves, is copied, cloned again, or brings an id that is not its own. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOtherClones, plainRemote, recordRepository } from '../../src/git/repository-identity.ts';
import type { Repository } from '../../src/git/git.ts';
import { openRepository } from '../../src/git/repository.ts';
import { defaultStateDir } from '../../src/git/state-dir.ts';
import { makeRepo, repoAt, scratch, type TestRepo, userGit } from './support.ts';

/** A repository in which a run was begun. */
async function used(user: TestRepo, stateDir: string): Promise<Repository> {
  const repo = await openRepository(user.root, { dataDir: user.dataDir, stateDir });
  await recordRepository(repo, stateDir, repo.id);
  return repo;
}

const open = (root: string, stateDir: string): Promise<Repository> =>
  openRepository(root, { dataDir: join(dirname(stateDir), 'data'), stateDir });

function cloneOf(from: string, name: string, ...options: readonly string[]): string {
  const root = join(scratch(), name);
  userGit(dirname(root), ['clone', '-q', ...options, from, root]);
  return root;
}

function idFile(root: string): string {
  return join(root, '.git/forge/repository-id');
}

describe('a repository keeps its runs', () => {
  it('from any directory of it and from linked worktrees', async () => {
    const stateDir = scratch('state');
    const user = makeRepo();
    const repo = await used(user, stateDir);
    user.git('worktree', 'add', '-q', join(dirname(user.root), 'linked'));
    expect((await open(join(user.root, 'src'), stateDir)).stateFolder).toBe(repo.stateFolder);
    expect((await open(join(dirname(user.root), 'linked'), stateDir)).stateFolder).toBe(repo.stateFolder);
  });

  it('when it moves, also twice, and its path is taken by another', async () => {
    const stateDir = scratch('state');
    const user = makeRepo({ name: 'before' });
    const repo = await used(user, stateDir);
    let root = user.root;
    for (const name of ['between', 'after']) {
      const next = join(dirname(user.root), name);
      renameSync(root, next);
      root = next;
      expect((await open(root, stateDir)).stateFolder).toBe(repo.stateFolder);
    }
    const other = repoAt(user.root);
    mkdirSync(user.root);
    other.git('init', '-q', '-b', 'main');
    other.commit('another', { 'x.txt': 'x\n' });
    expect((await open(user.root, stateDir)).id).not.toBe(repo.id);
    expect((await open(root, stateDir)).stateFolder).toBe(repo.stateFolder);
  });

  it.each<readonly [string, readonly string[]]>([
    ['cloned again', []],
    ['cloned again with less history', ['--depth=1']],
  ])('when it is %s from the same place', async (_, options) => {
    const stateDir = scratch('state');
    const origin = makeRepo({ name: 'origin' });
    origin.commit('second', { 'b.txt': 'b\n' });
    const first = cloneOf(`file://${origin.root}`, 'work');
    const repo = await used(repoAt(first), stateDir);
    rmSync(first, { recursive: true });
    const again = cloneOf(`file://${origin.root}`, 'again', ...options);
    expect((await open(again, stateDir)).id).toBe(repo.id);
    expect((await open(again, stateDir)).id).toBe(repo.id);
  });

  it('when the one it was cloned from is gone', async () => {
    const stateDir = scratch('state');
    const user = makeRepo();
    const repo = await used(user, stateDir);
    const clone = cloneOf(user.root, 'clone');
    rmSync(user.root, { recursive: true });
    expect((await open(clone, stateDir)).id).toBe(repo.id);
  });

  it('when nothing can be written to its git directory', async () => {
    const stateDir = scratch('state');
    const user = makeRepo();
    writeFileSync(join(user.root, '.git/forge'), 'in the way');
    const repo = await used(user, stateDir);
    expect((await open(user.root, stateDir)).id).toBe(repo.id);
    expect(readFileSync(join(user.root, '.git/forge'), 'utf8')).toBe('in the way');
  });
});

describe("another repository does not get a repository's runs", () => {
  it.each<readonly [string, (root: string) => string]>([
    ['a second clone', (root) => cloneOf(root, 'second')],
    [
      'a copy with everything in it',
      (root) => {
        const copy = join(scratch(), 'copy');
        cpSync(root, copy, { recursive: true });
        return copy;
      },
    ],
  ])('%s, which is told where they are', async (_, make) => {
    const stateDir = scratch('state');
    const user = makeRepo();
    const repo = await used(user, stateDir);
    const other = await open(make(user.root), stateDir);
    expect(other.id).not.toBe(repo.id);
    expect(await findOtherClones(other, stateDir, other.id)).toEqual([
      { id: repo.id, root: user.root, stateFolder: repo.stateFolder, isThere: true },
    ]);
    expect((await open(user.root, stateDir)).id).toBe(repo.id);
    expect((await open(other.root, stateDir)).id).toBe(other.id);
  });

  it('a clone of a fork, even when the other clone is gone', async () => {
    const stateDir = scratch('state');
    const origin = makeRepo({ name: 'origin' });
    const fork = cloneOf(origin.root, 'fork');
    const first = cloneOf(origin.root, 'work');
    const repo = await used(repoAt(first), stateDir);
    rmSync(first, { recursive: true });
    const other = await open(cloneOf(fork, 'theirs'), stateDir);
    expect(other.id).not.toBe(repo.id);
    expect(await findOtherClones(other, stateDir, other.id)).toMatchObject([{ id: repo.id, isThere: false }]);
  });

  it.each<readonly [string, (file: string, id: string) => void]>([
    ['with its id', (file, id) => writeFileSync(file, `${id}\n`)],
    ['with a path for an id', (file) => writeFileSync(file, '../../../../etc\n')],
    ['with nothing for an id', (file) => writeFileSync(file, '')],
    ['with a huge id', (file) => writeFileSync(file, 'a'.repeat(10_000_000))],
    ['with a directory for an id', (file) => mkdirSync(file)],
    ['with a pipe for an id', (file) => execFileSync('mkfifo', [file])],
    [
      'with a link for an id',
      (file, id) => {
        writeFileSync(join(dirname(file), '../elsewhere'), `${id}\n`);
        symlinkSync('../elsewhere', file);
      },
    ],
  ])('an unrelated one %s', async (_, plant) => {
    const stateDir = scratch('state');
    const user = makeRepo();
    const repo = await used(user, stateDir);
    const hostile = makeRepo({ files: { 'evil.txt': 'evil\n' } });
    mkdirSync(dirname(idFile(hostile.root)), { recursive: true });
    plant(idFile(hostile.root), repo.id);
    const opened = await open(hostile.root, stateDir);
    expect(opened.id).not.toBe(repo.id);
    expect(dirname(opened.stateFolder)).toBe(join(stateDir, 'repositories'));
    // Also once the one it pretends to be is gone.
    rmSync(user.root, { recursive: true });
    expect((await open(hostile.root, stateDir)).id).toBe(opened.id);
  });

  it('one that had its id when the real one was gone already', async () => {
    const stateDir = scratch('state');
    const user = makeRepo();
    const repo = await used(user, stateDir);
    rmSync(user.root, { recursive: true });
    const hostile = makeRepo({ files: { 'evil.txt': 'evil\n' } });
    mkdirSync(dirname(idFile(hostile.root)), { recursive: true });
    writeFileSync(idFile(hostile.root), repo.id);
    expect((await open(hostile.root, stateDir)).id).not.toBe(repo.id);
  });
});

describe('the state directory', () => {
  it('is named by the environment, in this order', () => {
    expect(defaultStateDir({ HOME: '/h', XDG_STATE_HOME: '/x', FORGE_STATE_DIR: '/f' })).toBe('/f');
    expect(defaultStateDir({ HOME: '/h', XDG_STATE_HOME: '/x' })).toBe('/x/forge');
    expect(defaultStateDir({ HOME: '/h', XDG_STATE_HOME: 'x' })).toBe('/h/.local/state/forge');
    expect(() => defaultStateDir({ HOME: '/h', FORGE_STATE_DIR: 'f' })).toThrow('not an absolute path');
  });

  it('is refused inside the repository, also through a link', async () => {
    const user = makeRepo();
    const link = join(scratch(), 'link');
    symlinkSync(user.root, link);
    for (const stateDir of [join(user.root, '.forge'), join(link, 'state')]) {
      await expect(open(user.root, stateDir)).rejects.toMatchObject({ code: 'bad-config' });
    }
    expect(existsSync(join(user.root, '.forge'))).toBe(false);
  });

  it.each([
    ['https://me:secret@Example.org/a/b.git', 'example.org/a/b'],
    ['git@example.org:a/b', 'example.org/a/b'],
    ['ssh://git@example.org/a/b.git/', 'example.org/a/b'],
    ['file:///srv/a.git', '/srv/a'],
    ['/srv/a/', '/srv/a'],
    ['/srv/a/.git', '/srv/a'],
  ])('knows %s as %s, without a password', (url, plain) => {
    expect(plainRemote(url)).toBe(plain);
  });
});
