import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { removeWorkspace } from '../../src/git/cleanup.ts';
import { takeSnapshot } from '../../src/git/snapshot.ts';
import { findWorkspace, prepareWorkspace, workspacePolicy } from '../../src/git/workspace.ts';
import {
  agent,
  compiled,
  filesOf,
  fingerprint,
  jail,
  listTree,
  makeRepo,
  noon,
  repoAt,
  scratch,
  userGit,
} from './support.ts';

describe('prepareWorkspace', () => {
  it('is an isolated clone at a stable path outside the repository, clean in its own git', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const before = fingerprint(user);
    const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', task: 'T1', commit: repo.head });
    expect(workspace).toEqual({
      run: 'r1',
      name: 'T1',
      root: join(user.dataDir, 'workspaces', repo.id, 'r1', 'T1'),
      tree: join(workspace.root, 'tree'),
      home: join(workspace.root, 'home'),
      tmp: join(workspace.root, 'tmp'),
      engineDir: join(workspace.root, 'engine'),
      base: repo.head,
      readable: [join(user.root, '.git', 'objects')],
      provided: [],
      env: {
        PATH: process.env['PATH'],
        LANG: process.env['LANG'] ?? 'C.UTF-8',
        GIT_CEILING_DIRECTORIES: workspace.root,
        GIT_TERMINAL_PROMPT: '0',
        FORGE_RUN: 'r1',
        FORGE_WORKSPACE: workspace.tree,
        FORGE_TASK: 'T1',
      },
    });
    expect(listTree(workspace.tree, '')).toEqual(listTree(user.root, ''));
    const seen = await agent(
      workspace,
      `git status --porcelain --branch; git rev-parse HEAD; git stash list; git remote; git fsck 2>&1; git config user.name
       echo x > new && git add new && git commit -qm mine && git log --format=%an%n%s -1; ls "$FORGE_WORKSPACE/../engine" 2>&1 || true
       echo "$TMPDIR" "$HOME"`,
    );
    expect(seen).toContain(`## work\n${repo.head}\n`);
    expect(seen).toContain('Forge agent\nmine\n');
    expect(seen).toContain('No such file');
    expect(seen.trimEnd().split('\n').at(-1)).toBe(`${workspace.tmp} ${workspace.home}`);
    expect(fingerprint(user)).toEqual(before);
    expect(user.git('fsck', '--no-dangling')).toBe('');
  });

  it('shares no stash, ref, hook or configuration between workspaces', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const [one, two] = await Promise.all(
      ['T1', 'T2'].map((name) => prepareWorkspace(repo, { run: 'r1', name, commit: repo.head })),
    );
    await agent(one!, 'echo one >> a.txt; git stash -q; git branch mine; git config my.key 1');
    expect(await agent(two!, 'git stash list; git branch --list mine; git config my.key || echo none')).toBe('none\n');
  });

  it('holds the bytes of the commit, whatever attributes and settings ask for', async () => {
    const user = makeRepo({
      files: {
        'lf.txt': 'a\nb\n',
        'crlf.txt': 'a\r\nb\r\n',
        'mixed.txt': 'a\r\nb\n',
        'id.txt': '$Id$\n',
        'big.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
      },
    });
    user.git('config', 'core.autocrlf', 'false');
    const commit = user.commit('attributes', {
      '.gitattributes':
        '*.txt text eol=crlf ident\n*.bin filter=lfs diff=lfs merge=lfs -text\nutf.dat working-tree-encoding=UTF-16\n',
    });
    const raw = filesOf(user, commit);
    user.git('config', 'core.autocrlf', 'true');
    user.git('config', 'filter.lfs.smudge', 'touch ../PWNED; cat');
    user.git('config', 'filter.lfs.clean', 'cat');
    const repo = await user.open();
    const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit });
    for (const [path, content] of Object.entries(raw)) {
      expect([path, `100644 ${readFileSync(join(workspace.tree, path), 'latin1')}`]).toEqual([path, content]);
    }
    expect(existsSync(join(user.root, '..', 'PWNED'))).toBe(false);
    expect(await agent(workspace, 'touch *.txt; git status --porcelain')).toBe('');
    const same = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
    expect(same.commit).toBe(commit);
    await agent(workspace, `printf 'x\\r\\ny\\n' > crlf.txt`);
    const changed = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
    expect(changed.changes).toEqual([{ path: 'crlf.txt', status: 'modified' }]);
    expect(filesOf(user, changed.commit)['crlf.txt']).toBe('100644 x\r\ny\n');
  });

  it('checks out links, modes and any name', async () => {
    const user = makeRepo({
      files: { 'with space.txt': '1', 'ünï/ço dé.txt': '2', 'new\nline': '3', 'back\\slash': '4', '-dash': '5' },
    });
    writeFileSync(Buffer.concat([Buffer.from(`${user.root}/`), Buffer.from([0x66, 0xff, 0xfe])]), 'raw');
    symlinkSync('with space.txt', join(user.root, 'link'));
    writeFileSync(join(user.root, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    const commit = user.commit('names');
    const repo = await user.open();
    const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit });
    expect(listTree(workspace.tree, '')).toEqual(listTree(user.root, ''));
    expect(await agent(workspace, 'git status --porcelain')).toBe('');
    expect((await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon })).commit).toBe(commit);
  });

  it('works for sha256, shallow, linked-worktree and alternate repositories', async () => {
    const modern = makeRepo({ init: ['--object-format=sha256'] });
    const origin = makeRepo();
    for (let at = 0; at < 3; at += 1) origin.commit(`c${at}`, { 'a.txt': `${at}` });
    const shallowRoot = join(scratch(), 'shallow');
    userGit(origin.root, ['clone', '-q', '--depth=2', `file://${origin.root}`, shallowRoot]);
    const sharedRoot = join(scratch(), 'shared');
    userGit(origin.root, ['clone', '-q', '--shared', origin.root, sharedRoot]);
    const linkedRoot = join(scratch(), 'linked');
    origin.git('worktree', 'add', '-q', '-b', 'other', linkedRoot);
    for (const user of [modern, repoAt(shallowRoot), repoAt(sharedRoot), repoAt(linkedRoot)]) {
      const repo = await user.open();
      const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
      const log = await agent(
        workspace,
        'git status --porcelain; git log --format=%H; echo z > z; git add z; git commit -qm z',
      );
      expect(log.trim().split('\n')).toEqual(user.git('log', '--format=%H').split('\n'));
      const snapshot = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
      expect(snapshot.changes).toEqual([{ path: 'z', status: 'added' }]);
      expect(snapshot.notes).toEqual([]);
      expect(snapshot.agentCommits).toHaveLength(1);
      expect(user.git('log', '--format=%s%n%an', '-1', snapshot.commit)).toBe('m\nForge');
    }
  });

  it('finds creation that was killed, and makes it anew', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const first = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
    // What a kill leaves at worst: everything but the marker, and junk.
    rmSync(join(first.engineDir, 'ready.json'));
    rmSync(join(first.tree, 'a.txt'));
    writeFileSync(join(first.engineDir, 'index.lock'), '');
    expect(await findWorkspace(repo, { run: 'r1', name: 'T1' })).toBeUndefined();
    const second = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
    expect(second).toEqual(first);
    expect(listTree(second.tree, '')).toEqual(listTree(user.root, ''));
    expect(await findWorkspace(repo, { run: 'r1', name: 'T1' })).toEqual(first);
    expect(readdirSync(join(first.root, '..'))).toEqual(['T1']);
  });

  it('survives kill -9 at any moment of its creation', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`d${at % 20}/f${at}`, `${at}\n`.repeat(50)]),
    );
    const user = makeRepo({ files });
    const repo = await user.open();
    const before = fingerprint(user);
    const child = compiled(`
      import { prepareWorkspace } from './out/git/workspace.js';
      const repo = JSON.parse(process.argv[2]);
      process.stdout.write('started');
      await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });`);
    for (let delay = 0; delay <= 100; delay += 20) {
      const running = spawn(process.execPath, [child, JSON.stringify(repo)], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(running.stdout, 'data');
      await sleep(delay);
      running.kill('SIGKILL');
      await once(running, 'exit');
      const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
      expect(listTree(workspace.tree, '')).toEqual(listTree(user.root, ''));
      expect(await agent(workspace, 'git status --porcelain')).toBe('');
      rmSync(workspace.root, { recursive: true });
    }
    expect(fingerprint(user)).toEqual(before);
  });

  it('reuses what is there as found, and refuses another commit', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const first = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
    await agent(first, 'echo half > done');
    const again = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
    expect(again).toEqual(first);
    expect(readFileSync(join(again.tree, 'done'), 'utf8')).toBe('half\n');
    const other = user.commit('more', { 'c.txt': 'c' });
    await expect(prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: other })).rejects.toMatchObject({
      code: 'workspace-failed',
    });
  });

  it('replaces one only when its work is captured', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const request = { run: 'r1', name: 'T1', commit: repo.head, existing: 'fresh' } as const;
    const first = await prepareWorkspace(repo, request);
    await agent(first, 'echo work > done');
    await expect(prepareWorkspace(repo, request)).rejects.toThrow('nothing of it has been captured yet');
    const snapshot = await takeSnapshot(repo, first, { jail, message: 'm', date: noon });
    await agent(first, 'echo more > later');
    await expect(prepareWorkspace(repo, request)).rejects.toThrow(
      '1 of its paths changed after the last snapshot (later)',
    );
    await takeSnapshot(repo, first, { jail, message: 'm', date: noon });
    const second = await prepareWorkspace(repo, { ...request, commit: snapshot.commit });
    expect(listTree(second.tree, '')).toHaveProperty('done');
    expect(listTree(second.tree, '')).not.toHaveProperty('later');
  });

  it('copies chosen ignored files, and nothing through links that leave', async () => {
    const user = makeRepo({ files: { '.gitignore': '.env\nsecret*\n', 'a.txt': 'a' } });
    const outside = scratch('outside');
    writeFileSync(join(outside, 'passwd'), 'root');
    user.write({ '.env': 'KEY=1\n', 'secret.d/inner': 'x' });
    symlinkSync(join(outside, 'passwd'), join(user.root, 'secret-link'));
    symlinkSync(outside, join(user.root, 'secret-dir'));
    symlinkSync('.env', join(user.root, 'secret-inner'));
    const repo = await user.open();
    const make = (copy: readonly string[]) =>
      prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head, copy, existing: 'discard' });
    const workspace = await make(['.env', 'missing', 'secret-inner']);
    expect(workspace.provided).toEqual(['.env', 'secret-inner']);
    expect(readFileSync(join(workspace.tree, 'secret-inner'), 'utf8')).toBe('KEY=1\n');
    expect(lstatSync(join(workspace.tree, 'secret-inner')).isSymbolicLink()).toBe(false);
    expect(statSync(join(workspace.tree, '.env')).ino).not.toBe(statSync(join(user.root, '.env')).ino);
    // Not even an agent that brings it back by an ignore file gets it into a commit.
    await agent(workspace, 'echo leaked >> .env; printf "!.env\\n!secret-inner\\n" > .gitignore');
    const snapshot = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
    expect(snapshot.changes).toEqual([{ path: '.gitignore', status: 'modified' }]);
    expect(snapshot.leftBehind).toEqual([
      { path: '.env', reason: 'ignored', bytes: 13 },
      { path: 'secret-inner', reason: 'ignored', bytes: 6 },
    ]);
    for (const bad of ['secret-link', 'secret-dir/passwd', '../x', '/etc/passwd', '.git/config', 'secret.d', '']) {
      await expect(make([bad]), bad).rejects.toMatchObject({ code: 'bad-config' });
    }
  });

  it('does not write through a link that a commit put in the way of a copied file', async () => {
    const outside = scratch('outside');
    const user = makeRepo({ files: { '.gitignore': '.env\n', 'a.txt': 'a' } });
    user.write({ 'conf/.env': 'KEY=1\n' });
    const repo = await user.open();
    const branch = makeRepo();
    symlinkSync(outside, join(branch.root, 'conf'));
    const evil = branch.commit('evil');
    user.git('fetch', '-q', branch.root, 'main');
    await expect(
      prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: evil, copy: ['conf/.env'] }),
    ).rejects.toMatchObject({ code: 'workspace-failed' });
    expect(readdirSync(outside)).toEqual([]);
  });

  it('keeps names apart that look alike, and takes any name', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const roots = new Set<string>();
    for (const name of ['a b', 'a-b', '../x', 'integration', 'ünï', 'x.lock']) {
      const workspace = await prepareWorkspace(repo, { run: 'r1', name, commit: repo.head });
      roots.add(workspace.root);
      expect(join(workspace.root, '..')).toBe(join(user.dataDir, 'workspaces', repo.id, 'r1'));
      await agent(workspace, 'echo x > x');
      await takeSnapshot(repo, workspace, { jail, message: name, date: noon });
    }
    expect(roots.size).toBe(6);
    expect(user.git('for-each-ref', 'refs/forge/r1').split('\n')).toHaveLength(6);
  });

  it('leaves no lock and no file behind in the user repository', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
    await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
    expect(await removeWorkspace(repo, workspace)).toEqual({ status: 'removed' });
    expect(existsSync(workspace.root)).toBe(false);
    expect(execFileSync('find', [user.root, '-name', '*.lock'], { encoding: 'utf8' })).toBe('');
    expect(workspacePolicy(workspace, 'off').writable).toEqual([workspace.tree]);
  });
});
