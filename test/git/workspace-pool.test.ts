/** Trees that serve again: whatever a job did to one, the next job cannot tell it from a new one. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareCheckout, removeCheckout } from '../../src/git/checkout.ts';
import { removeWorkspace } from '../../src/git/cleanup.ts';
import type { Repository, Workspace } from '../../src/git/git.ts';
import { openRepository } from '../../src/git/repository.ts';
import { restoreTracked } from '../../src/git/restore-tree.ts';
import { gitStarted } from '../../src/git/run-git.ts';
import { takeSnapshot } from '../../src/git/snapshot.ts';
import { keepSpareTree } from '../../src/git/spare-tree.ts';
import { prepareWorkspace } from '../../src/git/workspace.ts';
import { emptyPool } from '../../src/git/workspace-pool.ts';
import { makeUnjailed } from '../../src/process/unjailed.ts';
import { agent, inside, jail, makeRepo, noon, scratch, type TestRepo } from './support.ts';

const files = {
  'a.txt': 'a\n',
  'src/b.txt': 'b\n',
  'src/deep/c.txt': 'c\n',
  'src/deep/er/d.txt': 'd\n',
  'other/e.txt': 'e\n',
  'other/f.txt': 'f\n',
  'lib/g.txt': 'g\n',
  '.gitignore': 'ignored\n*.log\n',
};

/** What a job does to the tree it is given. Everything here must be gone, and nothing may be seen of it. */
const attacks: Readonly<Record<string, string>> = {
  'new files and directories': 'mkdir -p src/deep/new/x && echo s > src/deep/new/x/y && echo s > zz && echo s > src/zz',
  'ignored files': 'mkdir -p src/ignored other && echo s > src/ignored/y && echo s > other/x.log && echo s > x.log',
  'dependency directories':
    'mkdir -p src/node_modules/p node_modules .venv && echo s > src/node_modules/p/i && echo s > .venv/x',
  'changed content of the same size, times put back':
    'for f in a.txt src/deep/c.txt other/e.txt; do touch -r $f /tmp/t; printf "X\\n" > $f; touch -r /tmp/t $f; done',
  'deleted files': 'rm -rf src/deep a.txt other/e.txt',
  'swapped files': 'mv other/e.txt x && mv other/f.txt other/e.txt && mv x other/f.txt',
  'swapped directories': 'mv src x && mv other src && mv x other',
  'swapped directories below': 'mv src/deep x && mv lib src/deep && mv x lib',
  modes: 'chmod 777 a.txt src/deep/c.txt && chmod 1777 src/deep && chmod 000 other && chmod 0700 lib',
  'links instead of files': 'rm src/b.txt && ln -s /etc/passwd src/b.txt && ln -s .. src/up',
  'a link instead of a directory': 'mv src/deep /tmp/x && ln -s ../other src/deep',
  'a link to itself instead of a directory': 'rm -rf other && ln -s . other',
  'a file instead of a directory, a directory instead of a file':
    'rm -rf other a.txt && echo s > other && mkdir a.txt && echo s > a.txt/x',
  'hard links between tracked files': 'rm other/f.txt && ln other/e.txt other/f.txt && ln a.txt src/hard',
  'hard links from the git directory': 'ln src/b.txt .git/keep && echo "X" > .git/keep',
  'refs, stash, configuration, hooks, alternates':
    'git branch mine && echo x >> a.txt && git stash -q && git config core.pager evil && git config --global alias.x y && echo "#!/bin/sh" > .git/hooks || mkdir .git/hooks; echo /tmp >> .git/objects/info/alternates; git tag t; echo s > .git/info/exclude',
  'a damaged git directory': 'rm -rf .git && mkdir .git && echo "gitdir: /tmp/x" > .git/config',
  'nested repositories':
    'git init -q src/nested && git init -q other/.GIT || true; mkdir -p src/.Git && echo s > src/.Git/config',
  'times in the future':
    'touch -d 2099-01-01 a.txt src/b.txt src src/deep other . && touch -d 1999-01-01 lib lib/g.txt',
  'names that differ in case':
    'mkdir -p SRC Src/Deep && echo s > SRC/b.txt && echo s > A.TXT && echo s > src/B.txt && echo s > src/.GITIGNORE',
  'special files': 'mkfifo src/fifo other/e.fifo && rm lib/g.txt && mkfifo lib/g.txt',
  'rules of git':
    'echo "*.txt -text filter=x" > .gitattributes && echo "*" > src/.gitignore && rm .gitignore && mkfifo .gitignore',
  'what is in home and tmp':
    'echo s > "$HOME/x" && echo s > "$TMPDIR/x" && mkdir -p "$HOME/.config" && echo s > "$HOME/.bashrc"',
  'names that are not text':
    'printf s > "$(printf \'src/\\\\377\\\\376\')" && printf s > "$(printf \'a\\nb\')" && mkdir "$(printf \'src/deep/\\\\301\')"',
  'closed directories in closed directories':
    'mkdir -p src/x/y && echo s > src/x/y/z && chmod 000 src/x/y src/x src/deep/er src/deep src',
  'the whole tree': 'rm -rf -- * .[a-z]* ; echo s > all',
  mounts: 'unshare -rm sh -c "mount -t tmpfs x src && echo s > src/x" 2>/dev/null || true; echo x > src/b.txt',
  'attributes of files and directories': 'chattr +d +A src/deep src/deep/c.txt lib src/deep/er || true',
};

describe('a tree that serves again', async () => {
  // One repository, and one tree that goes through all of it.
  const { repo, user } = await scene();
  const next = user.commit('next', { 'other/e.txt': 'e2\n', 'src/deep/er/n.txt': 'n\n', 'top/level/t.txt': 't\n' });
  const asNew = { [repo.head]: await untouched(user, repo.head), [next]: await untouched(user, next) };

  for (const [what, script] of Object.entries(attacks)) {
    it(`shows nothing of ${what}`, async () => {
      for (const wanted of [repo.head, next]) {
        const used = await prepareCheckout(repo, request(repo.head, 'used'));
        // A job that cannot do everything goes on all the same.
        await inside(used, script);
        await removeCheckout(repo, used, jail);
        expect(trees(repo)).toHaveLength(1);
        const again = await prepareCheckout(repo, request(wanted, 'again'));
        expect(trees(repo)).toHaveLength(0);
        expect(describeAll(again)).toEqual(asNew[wanted]);
        await expectPresent(again);
        await removeCheckout(repo, again, jail);
      }
    });
  }
});

describe('taking a tree', () => {
  it('is the same tree, and only what differs is written', async () => {
    const { repo, user } = await scene();
    const next = user.commit('second', { 'other/e.txt': 'e2\n' });
    const first = await prepareCheckout(repo, request(repo.head, 'one'));
    const before = inodes(first);
    await agent(first, 'echo x > src/b.txt; mkdir build; echo x > build/out');
    await removeCheckout(repo, first, jail);
    const second = await prepareCheckout(repo, request(next, 'two'));
    const after = inodes(second);
    expect(
      ['src/deep/c.txt', 'src/deep/er/d.txt', 'other/f.txt', 'lib/g.txt'].filter(
        (path) => before[path] !== after[path],
      ),
    ).toEqual([]);
    expect(readFileSync(join(second.tree, 'other/e.txt'), 'utf8')).toBe('e2\n');
  });

  it('needs one git process when it is warm', async () => {
    const { repo, user } = await scene();
    const next = user.commit('second', { 'other/e.txt': 'e2\n' });
    await removeCheckout(repo, await prepareCheckout(repo, request(repo.head, 'one')), jail);
    gitStarted.clear();
    await prepareCheckout(repo, request(next, 'two'));
    // And the one that reads objects, where it is not there already.
    gitStarted.delete('cat-file');
    expect(Object.fromEntries(gitStarted)).toEqual({ 'read-tree': 1 });
  });

  it('looks only at what differs where there are many files, and puts back what an agent did', async () => {
    const { repo, user } = await scene();
    const many = Object.fromEntries(
      Array.from({ length: 2_100 }, (_, at) => [`many/d${at % 30}/f${at}.txt`, `${at}\n`] as const),
    );
    const full = user.commit('many', { ...many, 'top.txt': 'top\n' });
    const next = user.commit('next', { 'many/d1/f1.txt': 'another\n', 'many/d2/new.txt': 'new\n' });
    const deeds = [
      {
        deed: 'echo changed > many/d1/f1.txt; rm many/d3/f3.txt; echo x > many/d4/added.txt; echo y > top.txt',
        from: full,
        to: next,
      },
      {
        deed: 'mkdir many/d6/sub; mv many/d7/f7.txt many/d7/a; ln -sf /etc/passwd many/d9/f9.txt',
        from: next,
        to: full,
      },
    ];
    for (const { deed, from, to } of deeds) {
      const workspace = await prepareWorkspace(repo, { ...request(from, 'T1'), existing: 'fresh' });
      await agent(workspace, deed);
      await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
      expect(await removeWorkspace(repo, workspace, { jail })).toEqual({ status: 'removed' });
      gitStarted.clear();
      const again = await prepareCheckout(repo, request(to, 'again'));
      expect(gitStarted.get('checkout-index')).toBe(1);
      expect(describeAll(again)).toEqual(await untouched(user, to));
      await removeCheckout(repo, again, jail);
    }
  });

  it('writes again what an agent wrote, also where the content is the same by now', async () => {
    const { repo, user } = await scene();
    const workspace = await prepareWorkspace(repo, { ...request(repo.head, 'T1'), existing: 'fresh' });
    await agent(workspace, 'echo b2 > src/b.txt; rm src/deep/c.txt; echo new > lib/h.txt');
    const written = lstatSync(join(workspace.tree, 'src/b.txt')).ctimeMs;
    const snapshot = await takeSnapshot(repo, workspace, { jail, message: 'm', date: noon });
    expect(await removeWorkspace(repo, workspace, { jail })).toEqual({ status: 'removed' });
    const again = await prepareCheckout(repo, request(snapshot.commit, 'again'));
    expect(describeAll(again)).toEqual(await untouched(user, snapshot.commit));
    expect(lstatSync(join(again.tree, 'src/b.txt')).birthtimeMs).toBeGreaterThan(written);
  });

  it('serves many at once, each tree one job', async () => {
    const { repo } = await scene();
    const names = ['1', '2', '3', '4', '5', '6'];
    const first = await Promise.all(names.map((name) => prepareCheckout(repo, request(repo.head, name))));
    await Promise.all(first.map((each) => agent(each, 'echo "$RANDOM" > mine')));
    await Promise.all(first.map((each) => removeCheckout(repo, each, jail)));
    expect(trees(repo)).toHaveLength(6);
    const second = await Promise.all(
      [...names, '7', '8'].map((name) => prepareCheckout(repo, request(repo.head, name))),
    );
    expect(trees(repo)).toHaveLength(0);
    for (const each of second) await expectPresent(each);
    expect(second.filter((each) => existsSync(join(each.tree, 'mine')))).toEqual([]);
    expect(new Set(second.map((each) => lstatSync(join(each.tree, 'src/deep/c.txt')).ino)).size).toBe(8);
  });
});

describe('a spare tree', () => {
  it('is made once while an agent works, where a checkout takes a while, and is like any other', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`many/d${at % 20}/f${at}`, `${at}\n`]));
    const user = makeRepo({ files: many });
    const repo = await user.open();
    const spare = { commit: repo.head, jail, signal: new AbortController().signal };
    await Promise.all([keepSpareTree(repo, spare), keepSpareTree(repo, spare)]);
    await keepSpareTree(repo, spare);
    expect(trees(repo)).toHaveLength(1);
    gitStarted.clear();
    const taken = await prepareCheckout(repo, request(repo.head, 'taken'));
    expect(gitStarted.get('read-tree')).toBe(1);
    expect(describeAll(taken)).toEqual(await untouched(user, repo.head));
    await keepSpareTree(repo, { ...spare, signal: AbortSignal.abort() });
    await keepSpareTree(repo, { ...spare, jail: makeUnjailed() });
    expect([trees(repo), await emptyPool(repo)]).toEqual([[], 0]);
    const small = await scene();
    await keepSpareTree(small.repo, { ...spare, commit: small.repo.head });
    expect(trees(small.repo)).toEqual([]);
  });
});

describe('restoring tracked files', () => {
  it('puts back what was written within the second of the checkout with its time put back', async () => {
    const { repo } = await scene();
    const checkout = await prepareCheckout(repo, request(repo.head, 'check'));
    const file = join(checkout.tree, 'src/deep/c.txt');
    await agent(
      checkout,
      'touch -r src/deep/c.txt /tmp/t; printf "X\\n" > src/deep/c.txt; touch -r /tmp/t src/deep/c.txt',
    );
    expect(readFileSync(file, 'utf8')).toBe('X\n');
    await agent(checkout, 'mkdir src/deep/out && echo built > src/deep/out/x && rm -r lib && ln -s other lib');
    expect(await restoreTracked(repo, checkout, repo.head)).toEqual(['src/deep/out/']);
    expect(readFileSync(file, 'utf8')).toBe('c\n');
    expect(readFileSync(join(checkout.tree, 'lib/g.txt'), 'utf8')).toBe('g\n');
    expect(readFileSync(join(checkout.tree, 'other/e.txt'), 'utf8')).toBe('e\n');
  });
});

describe('in doubt a tree is made anew', () => {
  const spoil: Readonly<Record<string, (entry: string) => void>> = {
    'without a seal': (entry) => renameSync(join(entry, 'engine/seal'), join(entry, 'engine/seal.part')),
    'with a torn seal': (entry) => truncateSync(join(entry, 'engine/seal'), 700),
    'with an empty seal': (entry) => truncateSync(join(entry, 'engine/seal'), 0),
    'with a torn index': (entry) => truncateSync(join(entry, 'engine/sealed.index'), 50),
    'without a tree': (entry) => renameSync(join(entry, 'tree'), join(entry, 'moved')),
    'sealed under another boot': (entry) => {
      const file = join(entry, 'engine/seal');
      writeFileSync(file, readFileSync(file, 'latin1').replace(/"boot":"[^"]*"/, '"boot":"x y"'), 'latin1');
    },
  };
  for (const [what, act] of Object.entries(spoil)) {
    it(what, async () => {
      const { repo, user } = await scene();
      await removeCheckout(repo, await prepareCheckout(repo, request(repo.head, 'one')), jail);
      const [entry = ''] = trees(repo);
      act(join(poolOf(repo), entry));
      const again = await prepareCheckout(repo, request(repo.head, 'two'));
      expect(describeAll(again)).toEqual(await untouched(user, repo.head));
      expect(trees(repo)).toEqual([]);
    });
  }

  it('when somebody wrote in it while it lay there', async () => {
    const { repo, user } = await scene();
    await removeCheckout(repo, await prepareCheckout(repo, request(repo.head, 'one')), jail);
    const tree = join(poolOf(repo), trees(repo)[0] ?? '', 'tree');
    const { atime, mtime } = lstatSync(join(tree, 'src/deep/c.txt'));
    writeFileSync(join(tree, 'src/deep/c.txt'), 'X\n');
    utimesSync(join(tree, 'src/deep/c.txt'), atime, mtime);
    writeFileSync(join(tree, 'lib/planted'), 'X\n');
    const again = await prepareCheckout(repo, request(repo.head, 'two'));
    expect(describeAll(again)).toEqual(await untouched(user, repo.head));
  });

  it('and after work without a jail it is never given back', async () => {
    const { repo } = await scene();
    const open = await prepareWorkspace(repo, { ...request(repo.head, 'open'), jail: makeUnjailed() });
    await removeCheckout(repo, open, makeUnjailed());
    expect(trees(repo)).toEqual([]);
    // Nor when the run went on in a jail.
    const mixed = await prepareWorkspace(repo, { ...request(repo.head, 'mixed'), jail: makeUnjailed() });
    await removeCheckout(repo, mixed, jail);
    expect(trees(repo)).toEqual([]);
    expect(existsSync(mixed.root)).toBe(false);
  });
});

describe('the trees that are kept', () => {
  it('are bounded, and go with a cleanup, also what a killed process left', async () => {
    const { repo } = await scene();
    const names = Array.from({ length: 18 }, (_, at) => `n${at}`);
    const made = await Promise.all(names.map((name) => prepareCheckout(repo, request(repo.head, name))));
    for (const each of made) await removeCheckout(repo, each, jail);
    expect(trees(repo)).toHaveLength(16);
    mkdirSync(join(poolOf(repo), '.half-given'));
    expect(await emptyPool(repo)).toBe(17);
    expect(readdirSync(poolOf(repo))).toEqual([]);
  });
});

function request(commit: string, name: string) {
  return { run: 'r1', name, commit, jail };
}

async function scene(): Promise<{ user: TestRepo; repo: Repository }> {
  const user = makeRepo({ files });
  return { user, repo: await user.open() };
}

/** The same commit in a place without anything to reuse. */
async function untouched(user: TestRepo, commit: string): Promise<Record<string, string>> {
  const other = await openRepository(user.root, { dataDir: scratch('data') });
  const workspace = await prepareCheckout(other, request(commit, 'fresh'));
  // Where programs run as another user, starting one hands everything over.
  await inside(workspace, 'true');
  return describeAll(workspace);
}

function poolOf(repo: Repository): string {
  return join(repo.dataDir, 'pool', repo.id);
}

function trees(repo: Repository): string[] {
  return existsSync(poolOf(repo)) ? readdirSync(poolOf(repo)).filter((name) => !name.startsWith('.')) : [];
}

/** A job can work there, git says that nothing was changed, and no time lies in the future or long ago. */
async function expectPresent(workspace: Workspace): Promise<void> {
  expect(
    await agent(
      workspace,
      'git status --porcelain --ignored && git stash list && git branch -a && ls -A "$HOME" "$TMPDIR"',
    ),
  ).toBe(`* work\n${workspace.home}:\n.gitconfig\n\n${workspace.tmp}:\n`);
  const now = Date.now() + 1000;
  const times = everything(workspace.tree).map((path) => lstatSync(join(workspace.tree, path)).mtimeMs);
  expect(times.filter((time) => time > now || time < now - 600_000)).toEqual([]);
}

/** Everything that a job can see of its tree, home and temporary folder, but for times and inodes. */
function describeAll(workspace: Workspace): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of ['tree', 'home', 'tmp'] as const) {
    for (const path of everything(workspace[part])) found[`${part}/${path}`] = describeOne(join(workspace[part], path));
  }
  const flags = spawnSync('lsattr', ['-R', '-a', '.'], { cwd: workspace.tree, encoding: 'utf8' }).stdout ?? '';
  found['flags'] = flags
    .split('\n')
    .filter((line) => /^[^ ]*[dA]/.test(line))
    .join('\n');
  return found;
}

function describeOne(file: string): string {
  const found = lstatSync(file);
  const head = found.mode.toString(8);
  if (found.isSymbolicLink()) return `${head} -> ${readlinkSync(file)}`;
  if (found.isDirectory()) return head;
  // The index of the agent's clone holds times and inodes.
  if (!found.isFile() || file.endsWith('/.git/index')) return head;
  return `${head} ${found.nlink} ${createHash('sha1').update(readFileSync(file)).digest('hex')}`;
}

function everything(root: string): string[] {
  return ['.', ...readdirSync(root, { recursive: true, encoding: 'latin1' }).sort()];
}

function inodes(workspace: Workspace): Record<string, number> {
  return Object.fromEntries(
    everything(workspace.tree).map((path) => [path, lstatSync(join(workspace.tree, path)).ino]),
  );
}
