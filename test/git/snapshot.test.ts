import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { heldByWorkspace, removeWorkspace } from '../../src/git/cleanup.ts';
import { gitStarted } from '../../src/git/run-git.ts';
import { takeSnapshot } from '../../src/git/snapshot.ts';
import { prepareWorkspace } from '../../src/git/workspace.ts';
import { makeUnjailed } from '../../src/process/unjailed.ts';
import { agent, filesOf, fingerprint, jail, makeRepo, noon, refsOf } from './support.ts';

const request = { jail, message: 'Add things\n\nBecause.', task: 'T1', date: noon };

async function start(files?: Record<string, string>) {
  const user = makeRepo(files === undefined ? {} : { files });
  const repo = await user.open();
  const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head, jail });
  return { user, repo, workspace };
}

describe('takeSnapshot', () => {
  it('captures what is there, committed or not, as one commit and one ref', async () => {
    const { user, repo, workspace } = await start({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const before = fingerprint(user);
    await agent(workspace, 'echo A > a.txt; git commit -qam mine; rm b.txt; echo n > new; chmod +x c.txt; git add new');
    const snapshot = await takeSnapshot(repo, workspace, request);
    expect(snapshot).toEqual({
      commit: user.git('rev-parse', 'refs/forge/r1/T1/1'),
      tree: user.git('rev-parse', 'refs/forge/r1/T1/1^{tree}'),
      parent: repo.head,
      changes: [
        { path: 'a.txt', status: 'modified' },
        { path: 'b.txt', status: 'deleted' },
        { path: 'c.txt', status: 'modified' },
        { path: 'new', status: 'added' },
      ],
      leftBehind: [],
      agentCommits: [user.git('rev-parse', 'refs/forge/r1/T1/agent/1')],
      notes: [],
    });
    expect(filesOf(user, snapshot.commit)).toEqual({ 'a.txt': '100644 A\n', 'c.txt': '100755 c\n', new: '100644 n\n' });
    expect(user.git('cat-file', 'commit', snapshot.commit)).toBe(
      [
        `tree ${snapshot.tree}`,
        `parent ${repo.head}`,
        'author Forge <forge@localhost> 1794744000 +0000',
        'committer Forge <forge@localhost> 1794744000 +0000',
        '',
        'Add things\n\nBecause.\n\nForge-Run: r1\nForge-Task: T1',
      ].join('\n'),
    );
    expect(fingerprint(user)).toEqual(before);
    expect(user.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('sees a change of the same size with its time put back, and looks at the tree without git', async () => {
    const { repo, workspace } = await start({ 'a.txt': 'a\n', 'b/c.txt': 'c\n', 'b/d.txt': 'd\n' });
    const forge = 'touch -r a.txt /tmp/t; printf "X\\n" > a.txt; touch -r /tmp/t a.txt; touch b/c.txt';
    await agent(workspace, `${forge}; mv b/d.txt b/e.txt; echo n > b/new`);
    gitStarted.clear();
    const first = await takeSnapshot(repo, workspace, request);
    expect(first.changes.map(({ path, status }) => `${status} ${path}`)).toEqual([
      'modified a.txt',
      'deleted b/d.txt',
      'added b/e.txt',
      'added b/new',
    ]);
    expect([gitStarted.get('diff-files'), gitStarted.get('for-each-ref')]).toEqual([undefined, undefined]);
    expect(await heldByWorkspace(repo, workspace)).toBeUndefined();
    // What was captured before is not a change; what is written after that is one.
    await agent(workspace, 'echo again > b/new; rm b/e.txt; touch a.txt');
    expect(await heldByWorkspace(repo, workspace)).toContain('2 of its paths changed');
    const second = await takeSnapshot(repo, workspace, { ...request, parent: first.commit });
    expect(second.changes.map(({ path, status }) => `${status} ${path}`)).toEqual([
      'deleted b/e.txt',
      'modified b/new',
    ]);
    expect(await removeWorkspace(repo, workspace, { jail })).toEqual({ status: 'removed' });
  });

  it('gives the parent back when nothing changed, and still lists what stays', async () => {
    const { user, repo, workspace } = await start({ '.gitignore': '*.log\n', 'a.txt': 'a' });
    await agent(workspace, 'touch a.txt; echo l > x.log');
    const snapshot = await takeSnapshot(repo, workspace, request);
    expect(snapshot).toMatchObject({
      commit: repo.head,
      changes: [],
      leftBehind: [{ path: 'x.log', reason: 'ignored', bytes: 2 }],
    });
    expect(refsOf(user)).toEqual({});
  });

  it('is the same commit for the same work at the same time', async () => {
    const { repo, workspace } = await start();
    await agent(workspace, 'echo x > x');
    const first = await takeSnapshot(repo, workspace, request);
    const other = await prepareWorkspace(repo, { run: 'r1', name: 'T2', commit: repo.head });
    await agent(other, 'echo x > x');
    expect((await takeSnapshot(repo, other, request)).commit).toBe(first.commit);
  });

  it('numbers snapshots, and one taken again after a kill is not taken twice', async () => {
    const { user, repo, workspace } = await start();
    await agent(workspace, 'echo 1 > one');
    const saved = join(workspace.root, 'saved');
    cpSync(workspace.engineDir, saved, { recursive: true });
    const first = await takeSnapshot(repo, workspace, request);
    // Killed after the ref, before the index and the record; git's locks left behind.
    rmSync(workspace.engineDir, { recursive: true });
    cpSync(saved, workspace.engineDir, { recursive: true });
    writeFileSync(join(workspace.engineDir, 'snapshot-dead.index.lock'), '');
    writeFileSync(join(workspace.engineDir, 'index.lock'), '');
    const later = new Date(noon.getTime() + 60_000);
    const again = await takeSnapshot(repo, workspace, { ...request, date: later });
    expect(again).toEqual(first);
    await agent(workspace, 'echo 2 > two');
    const second = await takeSnapshot(repo, workspace, { ...request, parent: first.commit, date: later });
    expect(second.changes).toEqual([{ path: 'two', status: 'added' }]);
    expect(refsOf(user)).toEqual({ 'refs/forge/r1/T1/1': first.commit, 'refs/forge/r1/T1/2': second.commit });
    expect(readdirSync(workspace.engineDir).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
  });

  it('sees changes that keep size and times', async () => {
    const { repo, workspace } = await start({ 'a.txt': 'aaaa' });
    await agent(workspace, 'cp -p a.txt /tmp/keep; printf bbbb > a.txt; touch -r /tmp/keep a.txt');
    expect((await takeSnapshot(repo, workspace, request)).changes).toEqual([{ path: 'a.txt', status: 'modified' }]);
  });

  it('saves new commits of the agent only once', async () => {
    const { user, repo, workspace } = await start();
    await agent(workspace, 'echo 1 > one; git add one; git commit -qm one');
    const first = await takeSnapshot(repo, workspace, request);
    expect(first.agentCommits).toHaveLength(1);
    expect((await takeSnapshot(repo, workspace, request)).agentCommits).toEqual([]);
    await agent(workspace, 'git commit -q --amend -m better; git tag -a v1 -m v1');
    const third = await takeSnapshot(repo, workspace, request);
    expect(third.agentCommits.map((commit) => user.git('log', '-1', '--format=%s', commit))).toEqual(['better']);
    expect(Object.keys(refsOf(user, 'refs/forge/r1/T1/agent/'))).toHaveLength(2);
  });

  it('leaves commits that are too large, broken or endless where they are, with a note', async () => {
    const { user, repo, workspace } = await start();
    await agent(workspace, 'head -c 300000 /dev/urandom > big; git add big; git commit -qm big; rm big; echo n > new');
    const limits = { fileBytes: 100_000, totalBytes: 200_000 };
    const snapshot = await takeSnapshot(repo, workspace, { ...request, limits });
    expect(snapshot.changes).toEqual([{ path: 'new', status: 'added' }]);
    expect(snapshot.notes).toEqual(["The agent's own commits were not saved: they are larger than 200000 bytes."]);
    expect(refsOf(user, 'refs/forge/r1/T1/agent/')).toEqual({});
  });

  it('takes no object that is not sound', async () => {
    const { user, repo, workspace } = await start();
    // A tree with a `.git` entry is what an attack on a later checkout looks like.
    await agent(
      workspace,
      `blob=$(echo evil | git hash-object -w --stdin)
       tree=$(printf '100644 .git\\0%b' "$(echo $blob | sed 's/../\\\\x&/g')" | git hash-object -w -t tree --literally --stdin)
       git update-ref refs/heads/evil $(git commit-tree $tree -p HEAD -m evil)`,
    );
    const snapshot = await takeSnapshot(repo, workspace, request);
    expect(snapshot.agentCommits).toEqual([]);
    expect(snapshot.notes).toEqual([
      expect.stringMatching(/^The agent's own commits were not saved: git index-pack failed/),
    ]);
    expect(existsSync(join(workspace.engineDir, 'quarantine'))).toBe(false);
    expect(user.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(execFileSync('find', [join(user.root, '.git', 'objects', 'pack'), '-type', 'f'], { encoding: 'utf8' })).toBe(
      '',
    );
  });

  it('credits authors given and found, and nobody twice', async () => {
    const { user, repo, workspace } = await start();
    await agent(
      workspace,
      `echo 1 > one; git add one; git -c user.name=Grace -c user.email=grace@example.org commit -qm one`,
    );
    const authors = [{ name: 'Claude', email: 'noreply@anthropic.com' }];
    const { commit } = await takeSnapshot(repo, workspace, { ...request, authors });
    expect(
      user.git('log', '-1', '--format=%(trailers:key=Co-authored-by,valueonly)', commit).trim().split('\n'),
    ).toEqual(['Claude <noreply@anthropic.com>', 'Grace <grace@example.org>']);
  });

  it('honours the ignore rules of the user', async () => {
    const user = makeRepo();
    writeFileSync(join(user.root, '.git', 'info', 'exclude'), '*.swp\n');
    const repo = await user.open();
    const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
    expect(await agent(workspace, 'echo s > a.swp; git status --porcelain')).toBe('');
    const snapshot = await takeSnapshot(repo, workspace, request);
    expect(snapshot).toMatchObject({ changes: [], leftBehind: [{ path: 'a.swp', reason: 'ignored' }] });
  });

  it('captures new files in a dependency directory that the repository tracks', async () => {
    const { repo, workspace } = await start({ 'node_modules/own/index.js': '1', 'a.txt': 'a' });
    await agent(workspace, 'echo 2 > node_modules/own/more.js; mkdir .venv; echo v > .venv/v');
    const snapshot = await takeSnapshot(repo, workspace, request);
    expect(snapshot.changes).toEqual([{ path: 'node_modules/own/more.js', status: 'added' }]);
    expect(snapshot.leftBehind).toEqual([{ path: '.venv', reason: 'dependencies', bytes: 2 }]);
  });

  it('works without a jail too', async () => {
    const { repo, workspace } = await start();
    await agent(workspace, 'echo 1 > one; git add one; git commit -qm one');
    const snapshot = await takeSnapshot(repo, workspace, { ...request, jail: makeUnjailed() });
    expect(snapshot).toMatchObject({ changes: [{ path: 'one', status: 'added' }], notes: [] });
    expect(snapshot.agentCommits).toHaveLength(1);
  });

  it('survives the user pruning everything that has no ref', async () => {
    const { user, repo, workspace } = await start();
    await agent(workspace, 'echo 1 > one; git add one; git commit -qm one; git reset -q --hard HEAD~1; echo 2 > two');
    const snapshot = await takeSnapshot(repo, workspace, request);
    expect(await removeWorkspace(repo, workspace)).toEqual({ status: 'removed' });
    user.git('reflog', 'expire', '--expire=now', '--all');
    user.git('gc', '-q', '--prune=now');
    expect(filesOf(user, snapshot.commit)).toHaveProperty('two');
    expect(filesOf(user, snapshot.agentCommits[0] ?? '')).toHaveProperty('one');
  });

  it('says so when the workspace is gone', async () => {
    const { repo, workspace } = await start();
    rmSync(workspace.root, { recursive: true });
    await expect(takeSnapshot(repo, workspace, request)).rejects.toMatchObject({ code: 'workspace-failed' });
  });

  it('takes several workspaces at once', async () => {
    const { user, repo } = await start();
    const names = Array.from({ length: 6 }, (_, at) => `P${at}`);
    await Promise.all(
      names.map(async (name) => {
        const workspace = await prepareWorkspace(repo, { run: 'r1', name, commit: repo.head });
        await agent(workspace, `echo ${name} > ${name}; git add .; git commit -qm ${name}`);
        return takeSnapshot(repo, workspace, request);
      }),
    );
    expect(Object.keys(refsOf(user))).toEqual(
      names.flatMap((name) => [`refs/forge/r1/${name}/1`, `refs/forge/r1/${name}/agent/1`]),
    );
  });
});
