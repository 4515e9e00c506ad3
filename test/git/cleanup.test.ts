import { existsSync } from 'node:fs';
import type { Repository } from '../../src/git/git.ts';
import { describe, expect, it } from 'vitest';
import { dropRunRefs, droppableRefs, removeWorkspace } from '../../src/git/cleanup.ts';
import { publishBranch } from '../../src/git/land.ts';
import { takeSnapshot } from '../../src/git/snapshot.ts';
import { prepareWorkspace } from '../../src/git/workspace.ts';
import { agent, jail, makeRepo, noon, refsOf } from './support.ts';

async function start() {
  const user = makeRepo();
  const repo = await user.open();
  const workspace = await prepareWorkspace(repo, { run: 'r1', name: 'T1', commit: repo.head });
  return { user, repo, workspace };
}

const request = { jail, message: 'm', date: noon };

/** Looks first, then removes; answers what went. */
async function drop(repo: Repository, run: string, options: Parameters<typeof droppableRefs>[2] = {}) {
  const refs = await droppableRefs(repo, run, options);
  await dropRunRefs(repo, run, refs);
  return refs;
}

describe('removeWorkspace', () => {
  it('removes only what is captured', async () => {
    const { user, repo, workspace } = await start();
    await agent(workspace, 'echo x > x; mkdir ro; echo y > ro/y; chmod 500 ro');
    expect(await removeWorkspace(repo, workspace)).toEqual({
      status: 'kept',
      reason: 'nothing of it has been captured yet',
    });
    const { commit } = await takeSnapshot(repo, workspace, request);
    await agent(workspace, 'rm x');
    expect(await removeWorkspace(repo, workspace)).toEqual({
      status: 'kept',
      reason: '1 of its paths changed after the last snapshot (x)',
    });
    await agent(workspace, 'echo x > x');
    user.git('update-ref', '-d', 'refs/forge/r1/T1/1');
    expect(await removeWorkspace(repo, workspace)).toEqual({
      status: 'kept',
      reason: `its captured commit ${commit.slice(0, 12)} is no longer a ref of the repository`,
    });
    await takeSnapshot(repo, workspace, request);
    expect(await removeWorkspace(repo, workspace)).toEqual({ status: 'removed' });
    expect(existsSync(workspace.root)).toBe(false);
  });

  it('keeps what could not be captured, unless it is forced', async () => {
    const { repo, workspace } = await start();
    await agent(workspace, 'truncate -s 2M big');
    await takeSnapshot(repo, workspace, { ...request, limits: { fileBytes: 1_000_000 } });
    expect(await removeWorkspace(repo, workspace)).toEqual({
      status: 'kept',
      reason: '1 of its paths could not be captured (big: too-large)',
    });
    expect(await removeWorkspace(repo, workspace, { force: true })).toEqual({ status: 'removed' });
  });
});

describe('dropRunRefs', () => {
  it('drops refs whose commits stay reachable, and others only by force', async () => {
    const { user, repo, workspace } = await start();
    await agent(workspace, 'echo x > x');
    const { commit } = await takeSnapshot(repo, workspace, request);
    await expect(drop(repo, 'r1')).rejects.toMatchObject({
      code: 'cleanup-refused',
      message: '1 captured commit of r1 would be lost: not merged, and on no branch or tag (refs/forge/r1/T1/1)',
    });
    await expect(drop(repo, 'r1', { merged: [repo.head] })).rejects.toMatchObject({ code: 'cleanup-refused' });
    expect(await drop(repo, 'r1', { merged: [commit] })).toEqual([{ ref: 'refs/forge/r1/T1/1', commit }]);
    user.git('update-ref', 'refs/forge/r1/T1/1', commit);
    await publishBranch(repo, 'r1', commit);
    expect(await drop(repo, 'r1')).toEqual([{ ref: 'refs/forge/r1/T1/1', commit }]);
    expect(refsOf(user)).toEqual({});
    expect(await drop(repo, 'r1')).toEqual([]);
    user.git('update-ref', 'refs/forge/r1/x', user.git('commit-tree', `${commit}^{tree}`, '-m', 'alone'));
    user.git('update-ref', 'refs/forge/r10/x', commit);
    expect(await drop(repo, 'r1', { force: true })).toHaveLength(1);
    expect(Object.keys(refsOf(user))).toEqual(['refs/forge/r10/x']);
  });
});

describe('commits that an agent made itself', () => {
  it('go with what was merged of its work, and are kept where they hold something else', async () => {
    const { user, repo, workspace } = await start();
    await agent(workspace, 'echo 1 > x; git add -A; git commit -qm one; echo 2 > x; git commit -qam two');
    const { commit } = await takeSnapshot(repo, workspace, request);
    expect(Object.keys(refsOf(user))).toEqual(['refs/forge/r1/T1/1', 'refs/forge/r1/T1/agent/1']);
    await expect(drop(repo, 'r1', { merged: [repo.head] })).rejects.toMatchObject({ code: 'cleanup-refused' });
    expect(await drop(repo, 'r1', { merged: [commit] })).toHaveLength(2);

    const other = await prepareWorkspace(repo, { run: 'r1', name: 'T2', commit: repo.head });
    await agent(other, 'echo gone > gone; git add -A; git commit -qm gone; git rm -q gone; echo y > y');
    const second = await takeSnapshot(repo, other, request);
    await expect(drop(repo, 'r1', { merged: [second.commit] })).rejects.toMatchObject({
      message: expect.stringContaining('refs/forge/r1/T2/agent/1'),
    });
  });
});

describe('what could not be captured keeps its workspace', () => {
  it.each([
    ['its HEAD is gone', 'rm .git/HEAD'],
    ['its configuration is broken', 'echo "[broken" > .git/config'],
  ])('commits of the agent, when %s', async (_name, damage) => {
    const { user, repo, workspace } = await start();
    await agent(workspace, `echo mine > mine; git add -A; git commit -qm mine; git reset -q --hard HEAD~1; ${damage}`);
    const { notes } = await takeSnapshot(repo, workspace, request);
    expect(notes).toHaveLength(1);
    expect(await removeWorkspace(repo, workspace)).toMatchObject({
      status: 'kept',
      reason: expect.stringMatching(/commits that its agent made/),
    });
    expect(refsOf(user)).toEqual({});
  });

  it('not a .git that is gone: there is nothing in it', async () => {
    const { repo, workspace } = await start();
    await agent(workspace, 'rm -rf .git; echo x > x');
    await takeSnapshot(repo, workspace, request);
    expect(await removeWorkspace(repo, workspace)).toEqual({ status: 'removed' });
  });

  it('a dependency directory that no rule ignores, but not one that a rule does', async () => {
    const { user, repo, workspace } = await start();
    await agent(workspace, 'mkdir -p venv; echo work > venv/app.py');
    const { leftBehind } = await takeSnapshot(repo, workspace, request);
    expect(leftBehind).toEqual([{ path: 'venv', reason: 'dependencies', bytes: 5 }]);
    expect(await removeWorkspace(repo, workspace)).toMatchObject({
      status: 'kept',
      reason: expect.stringMatching(/venv: dependencies/),
    });

    user.commit('rules', { '.gitignore': 'node_modules/\n' });
    const later = await user.open();
    const ruled = await prepareWorkspace(later, { run: 'r1', name: 'T2', commit: later.head });
    await agent(ruled, 'mkdir -p node_modules/a; echo x > node_modules/a/index.js');
    const second = await takeSnapshot(later, ruled, request);
    expect(second.leftBehind).toEqual([{ path: 'node_modules', reason: 'ignored', bytes: 2 }]);
    expect(await removeWorkspace(later, ruled)).toEqual({ status: 'removed' });
  });
});
