/** Whether a git inside the jail has to look for commits of an agent: it must, whenever there could be one. */
import { describe, expect, it } from 'vitest';
import { isAgentGitUntouched } from '../../src/git/agent-git.ts';
import { takeSnapshot } from '../../src/git/snapshot.ts';
import { prepareWorkspace } from '../../src/git/workspace.ts';
import { agent, jail, makeRepo, noon } from './support.ts';

/** What leaves no commit behind that anybody could name. */
const harmless = 'git status; echo x > a.txt; git add -A; git diff --cached; git log -1; git stash list';

const telling: Readonly<Record<string, string>> = {
  'a commit': 'echo x > a.txt; git commit -qam x',
  'a commit that was taken back': 'echo x > a.txt; git commit -qam x; git reset -q --hard HEAD~1',
  'a branch that was moved without a log':
    'git update-ref --no-create-reflog refs/heads/work $(git commit-tree -m x HEAD^{tree} -p HEAD)',
  'another HEAD': 'git checkout -q --detach',
  'a tag': 'git tag t $(git commit-tree -m x HEAD^{tree})',
  'a stash': 'echo x > a.txt; git stash -q',
  'a ref in a directory of its own': 'mkdir -p .git/refs/notes; git rev-parse HEAD > .git/refs/notes/x',
  'packed refs': 'git pack-refs --all',
  'another working tree': 'git worktree add -q /tmp/w -b w',
  'a `.git` made anew': 'rm -rf .git; git init -q',
};

describe('the git directory of an agent', () => {
  it('needs no look where no ref was made, and one where there was', async () => {
    const user = makeRepo();
    const repo = await user.open();
    const make = (name: string) => prepareWorkspace(repo, { run: 'r1', name, commit: repo.head, jail });
    const quiet = await make('quiet');
    await agent(quiet, harmless);
    expect(await isAgentGitUntouched(quiet)).toBe(true);
    const found = await Promise.all(
      Object.entries(telling).map(async ([what, script], at) => {
        const workspace = await make(`T${at}`);
        await agent(workspace, script);
        return [what, await isAgentGitUntouched(workspace)];
      }),
    );
    expect(found).toEqual(Object.keys(telling).map((what) => [what, false]));
    const committed = await make('commits');
    await agent(committed, 'echo x > a.txt; git commit -qam mine');
    const snapshot = await takeSnapshot(repo, committed, { jail, message: 'm', date: noon });
    expect(snapshot.agentCommits).toHaveLength(1);
    // Still there to be saved when the same workspace is captured again.
    expect((await takeSnapshot(repo, committed, { jail, message: 'm', date: noon })).commit).toBe(snapshot.commit);
  });
});
