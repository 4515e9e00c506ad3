import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Repository, Snapshot, Workspace } from '../../src/git/git.ts';
import { removeWorkspace } from '../../src/git/cleanup.ts';
import { takeSnapshot } from '../../src/git/snapshot.ts';
import { prepareWorkspace } from '../../src/git/workspace.ts';
import { agent, filesOf, fingerprint, jail, makeRepo, noon, refsOf, scratch, type TestRepo } from './support.ts';

const files = {
  'a.txt': 'a\n',
  'src/b.txt': 'b\n',
  'src/c.txt': 'c\n',
  '.gitignore': '*.log\nbuild/\n',
};

interface Scene {
  readonly user: TestRepo;
  readonly repo: Repository;
  readonly workspace: Workspace;
}

async function scene(): Promise<Scene> {
  const user = makeRepo({ files });
  const repo = await user.open();
  const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
  return { user, repo, workspace };
}

/** An agent does something, the engine captures; the user's things must be as before. */
async function after(
  script: string,
  prepare?: (workspace: Workspace) => void,
): Promise<Scene & { snapshot: Snapshot }> {
  const made = await scene();
  const before = fingerprint(made.user);
  if (script !== '') await agent(made.workspace, script);
  prepare?.(made.workspace);
  const snapshot = await takeSnapshot(made.repo, made.workspace, { jail, message: 'work', task: 'T1', date: noon });
  expect(fingerprint(made.user)).toEqual(before);
  expect(existsSync(join(made.workspace.root, 'PWNED'))).toBe(false);
  expect(existsSync(join(made.workspace.tree, 'PWNED'))).toBe(false);
  return { ...made, snapshot };
}

const text = (content: string): string => `100644 ${content}`;
const base = Object.fromEntries(Object.entries(files).map(([path, content]) => [path, text(content)]));

describe('a hostile tree', () => {
  it('may commit, reset, stash, clean and delete branches: all its commits are saved', async () => {
    const { user, snapshot } = await after(`
      echo 1 > one; git add one; git commit -qm one --author 'Grace <grace@example.org>'
      git reset -q --hard HEAD~1
      echo 2 > two; git add two; git stash -q
      git checkout -q -b side; echo 3 > three; git add three; git commit -qm three; git checkout -q work; git branch -q -D side
      git clean -qfdx; echo last > last`);
    expect(snapshot.changes).toEqual([{ path: 'last', status: 'added' }]);
    expect(snapshot.notes).toEqual([]);
    const saved = refsOf(user, 'refs/forge/r1/T1/agent/');
    expect(Object.keys(saved)).toEqual([
      'refs/forge/r1/T1/agent/1',
      'refs/forge/r1/T1/agent/2',
      'refs/forge/r1/T1/agent/3',
    ]);
    expect(Object.values(saved).sort()).toEqual([...snapshot.agentCommits].sort());
    const subjects = snapshot.agentCommits.map((commit) => user.git('log', '-1', '--format=%s', commit)).sort();
    expect(subjects[0]).toMatch(/^(On|WIP on) work/);
    expect(subjects.slice(1)).toEqual(['one', 'three']);
    expect(user.git('log', '-1', '--format=%an <%ae>%n%B', snapshot.commit).trim()).toBe(
      'Forge <forge@localhost>\nwork\n\nForge-Run: r1\nForge-Task: T1\nCo-authored-by: Grace <grace@example.org>',
    );
  });

  it('may delete its .git', async () => {
    const { user, snapshot } = await after('rm -rf .git; echo new > new');
    expect(filesOf(user, snapshot.commit)).toEqual({ ...base, new: text('new\n') });
    expect(snapshot.notes).toEqual(["The agent's own commits were not saved: its .git is gone or is not a directory."]);
  });

  it('may break its .git', async () => {
    const { user, snapshot } = await after('echo new > new; echo junk > .git/HEAD; rm -rf .git/objects/info');
    expect(filesOf(user, snapshot.commit)).toEqual({ ...base, new: text('new\n') });
    expect(snapshot.notes).toEqual([expect.stringContaining("The agent's own commits were not saved")]);
  });

  it('may redirect its .git to the user repository, by file and by link', async () => {
    for (const redirect of ['file', 'link'] as const) {
      let target = '';
      const { user, snapshot } = await after('echo new > new', (workspace) => {
        target = readFileSync(join(workspace.tree, '.git', 'objects', 'info', 'alternates'), 'utf8').replace(
          '/objects\n',
          '',
        );
        rmSync(join(workspace.tree, '.git'), { recursive: true });
        if (redirect === 'file') writeFileSync(join(workspace.tree, '.git'), `gitdir: ${target}\n`);
        else symlinkSync(target, join(workspace.tree, '.git'));
      });
      expect(target).toBe(join(user.root, '.git'));
      expect(filesOf(user, snapshot.commit)).toEqual({ ...base, new: text('new\n') });
      expect(snapshot.agentCommits).toEqual([]);
    }
  });

  it('may poison its configuration, attributes, hooks and locks', async () => {
    const { user, snapshot } = await after(`
      trap='touch '"$PWD"'/PWNED; cat'
      for key in core.fsmonitor core.hooksPath core.sshCommand core.editor core.pager diff.external core.askPass gpg.program uploadpack.packObjectsHook; do git config $key "$trap"; done
      git config filter.x.clean "$trap"; git config filter.x.smudge "$trap"; git config filter.x.process "$trap"; git config filter.x.required true
      git config alias.ls-files "!$trap"; git config alias.rev-list "!$trap"; git config core.worktree /; git config commit.gpgSign true
      git config core.excludesFile "$PWD/all"; echo '*' > .git/info/exclude; echo '* filter=x' > .git/info/attributes
      for hook in pre-commit post-checkout reference-transaction post-index-change fsmonitor-watchman; do mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch %s/PWNED\\n' "$PWD" > .git/hooks/$hook; chmod +x .git/hooks/$hook; done
      touch .git/index.lock
      printf '* filter=x\\n* text eol=crlf\\n* working-tree-encoding=UTF-16\\n' > .gitattributes
      printf '[submodule "s"]\\n\\tpath = s\\n\\turl = ext::sh -c touch%% PWNED\\n\\tupdate = !touch PWNED\\n' > .gitmodules
      printf 'x\\r\\ny\\n' > a.txt; echo n > new`);
    expect(filesOf(user, snapshot.commit)).toEqual({
      ...base,
      'a.txt': text('x\r\ny\n'),
      new: text('n\n'),
      '.gitattributes': text('* filter=x\n* text eol=crlf\n* working-tree-encoding=UTF-16\n'),
      '.gitmodules': text('[submodule "s"]\n\tpath = s\n\turl = ext::sh -c touch% PWNED\n\tupdate = !touch PWNED\n'),
    });
    expect(snapshot.leftBehind).toEqual([]);
  });

  it('may nest repositories, with and without commits: their files are captured', async () => {
    const { user, snapshot } = await after(`
      git init -q empty; echo e > empty/e.txt; mkdir -p empty/deep; echo d > empty/deep/d.txt
      git init -q full; (cd full; echo f > f.txt; git add f.txt; git commit -qm f; echo g > g.txt; echo l > x.log)
      mkdir fake; echo 'gitdir: /nowhere' > fake/.git; echo k > fake/k.txt; mkdir .GIT; echo z > .GIT/config
      git -c protocol.file.allow=always submodule --quiet add ./full sub 2>/dev/null || true; git add full 2>/dev/null || true`);
    const captured = filesOf(user, snapshot.commit);
    expect(captured).toMatchObject({
      ...base,
      'empty/e.txt': text('e\n'),
      'empty/deep/d.txt': text('d\n'),
      'full/f.txt': text('f\n'),
      'full/g.txt': text('g\n'),
      'fake/k.txt': text('k\n'),
    });
    expect(Object.values(captured).some((entry) => entry.startsWith('160000'))).toBe(false);
    const left = snapshot.leftBehind.map(({ path, reason }) => [path, reason]);
    expect(left).toEqual(
      expect.arrayContaining([
        ['.GIT', 'git-metadata'],
        ['empty/.git', 'git-metadata'],
        ['fake/.git', 'git-metadata'],
        ['full/.git', 'git-metadata'],
        ['full/x.log', 'ignored'],
      ]),
    );
  });

  it('may hide files by an ignore file: what only that hides is captured', async () => {
    const { user, snapshot } = await after(`
      printf '*\\n' > .gitignore; mkdir -p sub build; printf '*\\n' > sub/.gitignore; echo s > sub/s.txt; echo h > hidden.txt
      echo x > x.log; echo o > build/o.bin; echo '*.txt' > src/.gitignore; echo d > src/d.txt`);
    expect(filesOf(user, snapshot.commit)).toEqual({
      ...base,
      '.gitignore': text('*\n'),
      'sub/.gitignore': text('*\n'),
      'sub/s.txt': text('s\n'),
      'hidden.txt': text('h\n'),
      'src/.gitignore': text('*.txt\n'),
      'src/d.txt': text('d\n'),
    });
    expect(snapshot.leftBehind).toEqual([
      { path: 'build', reason: 'ignored', bytes: 2 },
      { path: 'x.log', reason: 'ignored', bytes: 2 },
    ]);
  });

  it('may bring ignored files back, and they are captured', async () => {
    const { user, snapshot } = await after(
      `printf '*.log\\n' > .gitignore; mkdir build; echo o > build/o.bin; echo l > l.log`,
    );
    expect(filesOf(user, snapshot.commit)).toEqual({
      ...base,
      '.gitignore': text('*.log\n'),
      'build/o.bin': text('o\n'),
    });
    expect(snapshot.leftBehind).toEqual([{ path: 'l.log', reason: 'ignored', bytes: 2 }]);
  });

  it('may install dependencies without an ignore rule: they are listed, not captured', async () => {
    const { snapshot } = await after(
      'mkdir -p node_modules/x web/node_modules/y py/__pycache__; echo 12345 > node_modules/x/i.js; echo 1 > web/node_modules/y/z; echo w > web/w.js; echo c > py/__pycache__/c.pyc',
    );
    expect(snapshot.changes).toEqual([{ path: 'web/w.js', status: 'added' }]);
    expect(snapshot.leftBehind).toEqual([
      { path: 'node_modules', reason: 'dependencies', bytes: 6 },
      { path: 'py', reason: 'ignored', bytes: 2 },
      { path: 'web/node_modules', reason: 'dependencies', bytes: 2 },
    ]);
  });

  it('may replace a directory by a link to outside: the link is captured, not what it shows', async () => {
    const outside = scratch('outside');
    writeFileSync(join(outside, 'b.txt'), 'SECRET');
    writeFileSync(join(outside, 'secret.txt'), 'SECRET');
    const { user, snapshot } = await after('', (workspace) => {
      rmSync(join(workspace.tree, 'src'), { recursive: true });
      symlinkSync(outside, join(workspace.tree, 'src'));
      symlinkSync('/etc/passwd', join(workspace.tree, 'passwd'));
    });
    expect(filesOf(user, snapshot.commit)).toEqual({
      'a.txt': base['a.txt'],
      '.gitignore': base['.gitignore'],
      src: `120000 ${outside}`,
      passwd: '120000 /etc/passwd',
    });
  });

  it('may replace the tree itself, by a link or by nothing: all is deleted, nothing is followed', async () => {
    const outside = scratch('outside');
    writeFileSync(join(outside, 'a.txt'), 'SECRET');
    for (const target of [outside, undefined]) {
      const { user, snapshot } = await after('', (workspace) => {
        renameSync(workspace.tree, join(workspace.root, 'gone'));
        if (target !== undefined) symlinkSync(target, workspace.tree);
      });
      expect(filesOf(user, snapshot.commit)).toEqual({});
      expect(snapshot.changes.map((change) => change.status)).toEqual(['deleted', 'deleted', 'deleted', 'deleted']);
      expect(snapshot.notes[0]).toBe(
        'The whole tree was removed or replaced by something else; everything in it counts as deleted.',
      );
    }
  });

  it('may swap files, directories and links', async () => {
    const { user, snapshot } = await after(`
      rm a.txt; mkdir a.txt; echo in > a.txt/in; rm -r src; echo file > src; chmod +x .gitignore; ln -s src ln`);
    expect(filesOf(user, snapshot.commit)).toEqual({
      'a.txt/in': text('in\n'),
      src: text('file\n'),
      ln: '120000 src',
      '.gitignore': `100755 ${files['.gitignore']}`,
    });
  });

  it('may leave fifos, sockets, and fifos where git reads rules', async () => {
    const { snapshot } = await after(`
      mkfifo pipe; mkfifo src/.gitattributes; rm .gitignore; mkfifo .gitignore; mkdir m; ln -s /etc/passwd m/.gitmodules; ln -s x .gitmodules
      perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Type=>SOCK_STREAM(),Local=>"sock",Listen=>1)'; rm src/b.txt; mkfifo src/b.txt`);
    expect(snapshot.changes).toEqual([
      { path: '.gitignore', status: 'deleted' },
      { path: 'src/b.txt', status: 'deleted' },
    ]);
    expect(
      snapshot.leftBehind
        .filter((entry) => entry.reason === 'special-file')
        .map((entry) => entry.path)
        .sort(),
    ).toEqual([
      '.gitignore.moved-by-forge',
      '.gitmodules',
      'm/.gitmodules',
      'pipe',
      'sock',
      'src/.gitattributes.moved-by-forge',
      'src/b.txt',
    ]);
  });

  it('may take permissions away: the content is captured', async () => {
    const { user, snapshot } = await after(`
      mkdir -p shut/inner; echo s > shut/inner/s.txt; echo n > none.txt; echo changed > a.txt; chmod 000 none.txt a.txt shut/inner shut; chmod 000 src`);
    expect(filesOf(user, snapshot.commit)).toEqual({
      ...base,
      'a.txt': text('changed\n'),
      'none.txt': text('n\n'),
      'shut/inner/s.txt': text('s\n'),
    });
  });

  it('may use any name', async () => {
    const { user, snapshot } = await after(`
      for name in 'with space' $'new\\nline' $'tab\\t' 'ü€🦊' '-rf' '"quoted"' 'back\\slash' ':(top)x' ':!a.txt' '*' '[a]' 'git~1' 'con' '.gitignore ' '~' '@{u}'; do echo x > "$name"; done
      printf raw > $'\\xff\\xfe'; mkdir $'d\\xe9'; echo in > $'d\\xe9/f'`);
    const names = user.git('ls-tree', '-r', '-z', '--name-only', snapshot.commit).split('\0').filter(Boolean);
    expect(names).toHaveLength(4 + 16 + 2);
    expect(snapshot.changes).toHaveLength(18);
    expect(snapshot.changes.map((change) => change.path)).toEqual(
      expect.arrayContaining([':(top)x', 'new\nline', '\uFFFD\uFFFD']),
    );
    const listing = user.git('ls-tree', '-z', snapshot.commit);
    expect(listing).toContain('with space');
  });

  it('may write huge files and very many: the limits hold and everything is listed', async () => {
    const { user, repo, workspace } = await scene();
    await agent(
      workspace,
      `truncate -s 5M sparse.bin; truncate -s 3M a.txt; head -c 300000 /dev/zero > ok.bin
       printf 'hidden*' > .gitignore; for i in 1 2 3 4; do head -c 400000 /dev/zero > hidden$i; done`,
    );
    const limits = { fileBytes: 1_000_000, totalBytes: 1_400_000 };
    const snapshot = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon, limits });
    expect(snapshot.changes.map((change) => change.path)).toContain('ok.bin');
    const captured = snapshot.changes.filter((change) => change.path.startsWith('hidden'));
    expect(captured).toHaveLength(2);
    const tooLarge = snapshot.leftBehind.filter((entry) => entry.reason === 'too-large');
    expect(tooLarge.map((entry) => entry.path)).toEqual(expect.arrayContaining(['a.txt', 'sparse.bin']));
    expect(tooLarge).toHaveLength(4);
    expect(filesOf(user, snapshot.commit)['a.txt']).toBe(base['a.txt']);
  });

  it('may nest deeper than a path can be', async () => {
    const { snapshot, repo, workspace } = await after(
      `perl -e 'for (1..60) { my $d = "d" x 100; mkdir $d or die; chdir $d or die } open(F, ">", "deep") or die; print F "x"'; echo n > new`,
    );
    expect(snapshot.changes).toEqual([{ path: 'new', status: 'added' }]);
    expect(snapshot.leftBehind).toEqual([expect.objectContaining({ reason: 'unreadable' })]);
    expect(await removeWorkspace(repo, workspace)).toMatchObject({ status: 'kept' });
    expect(await removeWorkspace(repo, workspace, { force: true })).toEqual({ status: 'removed' });
    expect(existsSync(workspace.root)).toBe(false);
  });

  it('may make an ignore file too large to read: it is moved aside and captured', async () => {
    const { user, repo, workspace } = await scene();
    await agent(workspace, `head -c 17000000 /dev/zero | tr '\\0' 'x' > .gitignore; echo n > new; echo l > l.log`);
    const snapshot = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
    expect(filesOf(user, snapshot.commit)).toHaveProperty('new');
    expect(snapshot.changes.map((change) => change.path)).toEqual([
      '.gitignore',
      '.gitignore.moved-by-forge',
      'l.log',
      'new',
    ]);
  });

  it('may fill submodule directories: listed, and the link stays', async () => {
    const inner = makeRepo();
    const user = makeRepo();
    user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'lib/sub');
    const commit = user.commit('submodule');
    const repo = await user.open();
    const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit });
    expect(await agent(workspace, 'ls -A lib/sub; git status --porcelain')).toBe('');
    await agent(workspace, 'echo x > lib/sub/x; git init -q lib/sub; echo y > y');
    const snapshot = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
    expect(snapshot.changes).toEqual([{ path: 'y', status: 'added' }]);
    expect(snapshot.leftBehind).toEqual([{ path: 'lib/sub', reason: 'submodule', bytes: expect.any(Number) }]);
    await agent(workspace, 'rm -rf lib/sub');
    const gone = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
    expect(gone.changes).toEqual([
      { path: 'lib/sub', status: 'deleted' },
      { path: 'y', status: 'added' },
    ]);
  });
});
