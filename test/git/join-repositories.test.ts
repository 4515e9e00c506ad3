/** Several repositories as one tree, and each part back where it belongs. */
import { describe, expect, it } from 'vitest';
import { joinRepositories, type JoinedRepository, otherPart, ownPart } from '../../src/git/join-repositories.ts';
import { treeOf } from '../../src/git/changes.ts';
import { makeRepo, repoAt, type TestRepo } from './support.ts';

async function joinedOf(made: TestRepo, path: string): Promise<JoinedRepository> {
  const repo = await made.open();
  return { path, repo, base: repo.head };
}

/** A commit on top, made by hand in the first repository. */
function changed(home: TestRepo, commit: string, files: Readonly<Record<string, string | null>>): string {
  home.git('worktree', 'add', '-q', '--detach', `${home.root}-work`, commit);
  const work = repoAt(`${home.root}-work`);
  for (const [path, content] of Object.entries(files)) {
    if (content === null) work.git('rm', '-rq', path);
    else work.write({ [path]: content });
  }
  work.git('add', '-A');
  work.git('commit', '-q', '--allow-empty', '-m', 'work');
  const made = work.git('rev-parse', 'HEAD');
  home.git('worktree', 'remove', '--force', work.root);
  return made;
}

describe('several repositories', () => {
  it('are one tree, the same each time, and each gets its own part back', async () => {
    const home = makeRepo({ name: 'home' });
    const api = await joinedOf(makeRepo({ name: 'api', files: { 'server.js': '1\n', 'lib/a.js': 'a\n' } }), 'api');
    const web = await joinedOf(makeRepo({ name: 'web', files: { 'app.js': '2\n' } }), 'packages/web');
    const repo = await home.open();
    const others = [api, web];
    const base = await joinRepositories(repo, { base: repo.head, others });
    expect(await joinRepositories(repo, { base: repo.head, others })).toBe(base);
    expect(home.git('ls-tree', '-r', '--name-only', base).split('\n')).toEqual([
      'a.txt',
      'api/lib/a.js',
      'api/server.js',
      'packages/web/app.js',
      'src/b.txt',
    ]);
    expect(home.git('fsck', '--strict')).not.toContain('missing');
    const commit = changed(home, base, { 'a.txt': 'A\n', 'api/server.js': '3\n', 'api/lib/new.js': 'n\n' });
    const about = { commit, base: repo.head, paths: ['api', 'packages/web'] };
    const own = await ownPart(repo, about);
    expect(home.git('ls-tree', '-r', '--name-only', own).split('\n')).toEqual(['a.txt', 'src/b.txt']);
    expect(home.git('show', `${own}:a.txt`)).toBe('A');
    const part = await otherPart(repo, commit, api);
    const there = repoAt(api.repo.root);
    expect(there.git('ls-tree', '-r', '--name-only', part).split('\n')).toEqual([
      'lib/a.js',
      'lib/new.js',
      'server.js',
    ]);
    expect(there.git('show', `${part}:server.js`)).toBe('3');
    expect(await otherPart(repo, commit, web)).toBe(await treeOf(web.repo, web.base));
    // Nobody's files or branches moved.
    expect(there.git('status', '--porcelain')).toBe('');
    expect(there.git('branch', '--format=%(refname:short)')).toBe('main');
  });

  it('come back even when all of one is gone', async () => {
    const home = makeRepo({ name: 'home' });
    const api = await joinedOf(makeRepo({ name: 'api', files: { 'server.js': '1\n' } }), 'api');
    const repo = await home.open();
    const base = await joinRepositories(repo, { base: repo.head, others: [api] });
    const commit = changed(home, base, { api: null });
    const part = await otherPart(repo, commit, api);
    expect(repoAt(api.repo.root).git('ls-tree', part)).toBe('');
    const own = await ownPart(repo, { commit, base: repo.head, paths: ['api'] });
    expect(own).toBe(await treeOf(repo, repo.head));
  });

  it('lie inside the first one where that ignores them, and its rules come back as they were', async () => {
    const rules = 'node_modules\n/api/\n*.log';
    const home = makeRepo({ name: 'home', files: { '.gitignore': rules, 'a.txt': 'a\n' } });
    const api = makeRepo({ name: 'home/api', files: { 'server.js': '1\n', '.gitignore': 'dist\n' } });
    const inside = await joinedOf(repoAt(api.root), 'api');
    const repo = await home.open();
    const base = await joinRepositories(repo, { base: repo.head, others: [{ ...inside, path: 'api' }] });
    expect(home.git('show', `${base}:.gitignore`)).toContain('!/api/**');
    const about = { base: repo.head, paths: ['api'] };
    expect(await ownPart(repo, { ...about, commit: base })).toBe(await treeOf(repo, repo.head));
    const text = home.git('show', `${base}:.gitignore`).replace('*.log', '*.log\ncoverage');
    const edited = await ownPart(repo, { ...about, commit: changed(home, base, { '.gitignore': `${text}\n` }) });
    expect(home.git('show', `${edited}:.gitignore`)).toBe(`${rules}\ncoverage`);
  });

  it('take the place of a submodule, and its entry stays as it was', async () => {
    const lib = makeRepo({ name: 'lib', files: { 'lib.js': '1\n' } });
    const home = makeRepo({ name: 'home' });
    home.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib.root, 'lib');
    home.git('commit', '-q', '-m', 'with lib');
    const repo = await home.open();
    const other = await joinedOf(lib, 'lib');
    const base = await joinRepositories(repo, { base: repo.head, others: [other] });
    expect(home.git('show', `${base}:lib/lib.js`)).toBe('1');
    const commit = changed(home, base, { 'lib/lib.js': '2\n' });
    const about = { commit, base: repo.head, paths: ['lib'] };
    expect(await ownPart(repo, about)).toBe(await treeOf(repo, repo.head));
    expect(lib.git('show', `${await otherPart(repo, commit, other)}:lib.js`)).toBe('2');
  });

  it('are refused where something is in the way', async () => {
    const home = makeRepo({ name: 'home' });
    const other = await joinedOf(makeRepo({ name: 'other' }), 'src');
    const repo = await home.open();
    const join = (path: string) => joinRepositories(repo, { base: repo.head, others: [{ ...other, path }] });
    await expect(join('src')).rejects.toThrow('this repository has src already');
    await expect(join('a.txt/other')).rejects.toThrow('this repository has a.txt already');
    const format = await joinedOf(makeRepo({ name: 'sha', init: ['--object-format=sha256'] }), 'sha');
    await expect(joinRepositories(repo, { base: repo.head, others: [format] })).rejects.toThrow('it uses sha256');
  });
});
