import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { publishBranch } from '../../src/git/land.ts';
import { openRepository, resultBranch } from '../../src/git/repository.ts';
import { fingerprint, makeExecutable, makeRepo, repoAt, scratch, userGit } from './support.ts';

const path = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = path;
});

describe('openRepository', () => {
  it('describes a plain repository from any directory in it, and changes nothing', async () => {
    const user = makeRepo({ name: 'my repo ü' });
    const before = fingerprint(user);
    const repo = await openRepository(join(user.root, 'src'), { dataDir: user.dataDir });
    expect(repo).toEqual({
      root: user.root,
      gitDir: join(user.root, '.git'),
      hooksDir: join(user.root, '.git/hooks'),
      checkoutGitDir: join(user.root, '.git'),
      objectsDir: join(user.root, '.git', 'objects'),
      alternates: [],
      objectFormat: 'sha1',
      head: user.git('rev-parse', 'HEAD'),
      branch: 'main',
      dataDir: user.dataDir,
      id: expect.stringMatching(/^my-repo-u-[0-9a-f]{8}-[0-9a-f]{24}$/),
      engineDir: join(user.dataDir, 'repositories', `${repo.id}.git`),
      ignoreRules: expect.any(String),
      stateDir: expect.stringMatching(/\/\.local\/state\/forge$/),
      stateFolder: `${repo.stateDir}/repositories/${repo.id}`,
      notices: [],
    });
    expect(fingerprint(user)).toEqual(before);
  });

  it('lists what agents will not see, but for .forge', async () => {
    const user = makeRepo({ files: { 'a.txt': 'a', 'b.txt': 'b', 'gone.txt': 'g', '.gitignore': '*.log\n' } });
    user.write({
      'a.txt': 'changed',
      'new ü.txt': 'n',
      'dir/x': 'x',
      '.forge/config.yaml': 'c',
      'x.log': 'l',
      'staged.txt': 's',
    });
    user.git('add', 'staged.txt');
    user.git('rm', '-q', '--cached', 'gone.txt');
    const before = fingerprint(user);
    const { notices, head } = await user.open();
    expect(notices).toEqual([
      {
        code: 'dirty',
        message: `5 paths are changed or not committed in your checkout: agents start from ${head.slice(0, 12)} and will not see them.`,
        paths: ['a.txt', 'gone.txt', 'staged.txt', 'dir/', 'new ü.txt'],
      },
    ]);
    expect(fingerprint(user)).toEqual(before);
  });

  it('notices a detached HEAD, a branch named forge, and an operation in progress', async () => {
    const user = makeRepo();
    user.git('branch', 'forge');
    user.git('checkout', '-q', '--detach');
    writeFileSync(join(user.root, '.git', 'MERGE_HEAD'), `${user.git('rev-parse', 'HEAD')}\n`);
    const repo = await user.open();
    expect(repo.branch).toBeUndefined();
    expect(repo.notices.map((notice) => notice.code)).toEqual([
      'operation-in-progress',
      'detached',
      'branch-named-forge',
    ]);
    expect(await resultBranch(repo, 'r1')).toBe('forge-r1');
    expect((await publishBranch(repo, 'r1', repo.head)).ref).toBe('refs/heads/forge-r1');
  });

  it('notices submodules, LFS, a shallow clone and a linked worktree', async () => {
    const inner = makeRepo();
    const user = makeRepo({
      files: { '.gitattributes': '*.psd filter=lfs diff=lfs -text\n', 'art/ü.psd': 'pointer', 'b.txt': 'b' },
    });
    user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
    user.commit('sub');
    const clone = join(scratch(), 'clone');
    userGit(user.root, ['clone', '-q', '--depth=1', `file://${user.root}`, clone]);
    const linked = join(scratch(), 'linked');
    userGit(clone, ['worktree', 'add', '-q', '-b', 'other', linked]);
    const repo = await repoAt(linked).open();
    expect(repo).toMatchObject({ root: linked, gitDir: join(clone, '.git'), branch: 'other' });
    expect(repo.checkoutGitDir).toBe(join(clone, '.git', 'worktrees', 'linked'));
    expect(repo.notices.map(({ code, paths }) => ({ code, paths }))).toEqual([
      { code: 'submodules', paths: ['sub'] },
      { code: 'lfs', paths: ['art/ü.psd'] },
      { code: 'shallow', paths: [] },
      { code: 'linked-worktree', paths: [] },
    ]);
  });

  it('is not stopped by a filter of the user that does not work', async () => {
    const user = makeRepo({ files: { 'a.psd': 'pointer' } });
    user.commit('attributes', { '.gitattributes': '*.psd filter=lfs\n' });
    user.git('config', '--global', 'filter.lfs.required', 'true');
    user.git('config', '--global', 'filter.lfs.clean', 'no-such-program');
    user.write({ 'a.psd': 'changed' });
    const { notices } = await user.open();
    user.git('config', '--global', '--remove-section', 'filter.lfs');
    expect(notices.map((notice) => notice.code)).toEqual(['dirty', 'lfs']);
    expect(notices[0]?.message).toContain('could not be listed');
  });

  it('reads the ignore rules of the user, in order of weight', async () => {
    const user = makeRepo();
    const global = join(scratch(), 'ignore');
    writeFileSync(global, '*.swp');
    writeFileSync(join(user.root, '.git', 'info', 'exclude'), '!keep.swp\n');
    user.git('config', 'core.excludesFile', global);
    expect((await user.open()).ignoreRules).toBe('*.swp\n!keep.swp\n');
  });

  it('refuses what it cannot work with, with a sentence and a remedy', async () => {
    const bare = scratch('bare');
    userGit(bare, ['init', '-q', '--bare']);
    const empty = scratch('empty');
    userGit(empty, ['init', '-q']);
    const user = makeRepo();
    const cases = [
      [scratch('plain'), 'not-a-repository', 'is not in a git repository'],
      [join(user.root, 'a.txt'), 'not-a-repository', 'is not a directory'],
      [join(user.root, 'missing'), 'not-a-repository', 'is not a directory'],
      [bare, 'repository-unsupported', 'is a bare repository'],
      [join(user.root, '.git'), 'repository-unsupported', 'inside a git directory'],
      [empty, 'repository-unsupported', 'has no commit yet'],
    ] as const;
    for (const [cwd, code, message] of cases) {
      const failure = await openRepository(cwd, { dataDir: user.dataDir }).catch((error: unknown) => error);
      expect(failure, cwd).toMatchObject({ code, message: expect.stringContaining(message) });
    }
    user.git('config', 'core.repositoryFormatVersion', '1');
    user.git('config', 'extensions.fromTheFuture', 'true');
    await expect(user.open()).rejects.toMatchObject({
      code: 'repository-unsupported',
      message: expect.stringContaining('extension'),
    });
  });

  it('refuses a partial clone, and the remedy it names works', async () => {
    const origin = makeRepo();
    origin.commit('two', { 'a.txt': 'two' });
    origin.git('config', 'uploadpack.allowFilter', 'true');
    const root = join(scratch(), 'partial');
    userGit(origin.root, ['clone', '-q', '--filter=blob:none', `file://${origin.root}`, root]);
    const partial = repoAt(root);
    const failure = (await partial.open().catch((error: unknown) => error)) as {
      code: string;
      message: string;
      hint: string;
    };
    expect(failure).toMatchObject({
      code: 'repository-unsupported',
      message: 'the repository is a partial clone of origin: some objects are missing here',
    });
    execFileSync('sh', ['-c', failure.hint.replace('Fetch them: ', '')], { cwd: root, stdio: 'ignore' });
    expect((await partial.open()).notices).toEqual([]);
    expect(partial.git('rev-list', '--objects', '--all', '--missing=print')).not.toContain('?');
  });

  it('refuses a git that is missing or too old', async () => {
    const user = makeRepo();
    const bin = scratch('bin');
    process.env['PATH'] = bin;
    await expect(user.open()).rejects.toMatchObject({ code: 'git-missing' });
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.37.4\n');
    makeExecutable(join(bin, 'git'));
    await expect(user.open()).rejects.toMatchObject({
      code: 'git-too-old',
      message: 'git 2.37.4 is too old: Forge needs 2.38.0 or newer',
    });
  });

  it('refuses a data directory inside the checkout, however it is named', async () => {
    const user = makeRepo();
    const link = join(scratch(), 'link');
    symlinkSync(user.root, link);
    for (const dataDir of [join(user.root, 'data'), user.root, join(link, 'deep', 'data')]) {
      await expect(openRepository(user.root, { dataDir })).rejects.toMatchObject({ code: 'bad-config' });
    }
    expect(existsSync(join(user.root, 'data'))).toBe(false);
  });

  it('runs no hook, monitor or alias of the repository', async () => {
    const user = makeRepo();
    const trap = join(scratch(), 'PWNED');
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'diff.external',
      'alias.status',
      'alias.rev-parse',
    ]) {
      user.git('config', key, `!touch ${trap}`);
    }
    mkdirSync(join(user.root, '.git', 'hooks'), { recursive: true });
    for (const hook of ['reference-transaction', 'post-index-change']) {
      writeFileSync(join(user.root, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${trap}\n`);
      chmodSync(join(user.root, '.git', 'hooks', hook), 0o755);
    }
    const repo = await user.open();
    await publishBranch(repo, 'r1', repo.head);
    expect(existsSync(trap)).toBe(false);
  });
});
