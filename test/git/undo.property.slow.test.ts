/**
 * Random interleavings of what a person does (commits here and on other branches, amends, switches, dirty files) and of
 * what Forge does (publishing, landings that succeed, are refused or go on top of a branch that has moved, retries that
 * begin the result anew, undos, reverts, cleanups). After every step each
 * commit of the person is on the branch they put it on, and dirty files are as they left them, byte for byte.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForgeError } from '../../src/errors.ts';
import { dropRunRefs, droppableRefs } from '../../src/git/cleanup.ts';
import type { RefMove, Repository } from '../../src/git/git.ts';
import { landOn, publishBranch } from '../../src/git/land.ts';
import { settleOperations } from '../../src/git/move-branches.ts';
import { rebaseResult } from '../../src/git/rebase.ts';
import { planUndo, revertLeft, undoRefs } from '../../src/git/undo.ts';
import { makeRepo, noon, type TestRepo, userGit } from './support.ts';

class World {
  readonly user: TestRepo;
  readonly repo: Repository;
  /** What a run's journal would hold. */
  moves: RefMove[] = [];
  /** Commits of the person, by the branch they made them on. */
  readonly commits = new Map<string, string[]>();
  readonly dirty = new Map<string, string>();
  branch = 'main';
  counter = 0;

  constructor(user: TestRepo, repo: Repository) {
    this.user = user;
    this.repo = repo;
  }

  next(): number {
    this.counter += 1;
    return this.counter;
  }

  hold(branch: string, commit: string): void {
    this.commits.set(branch, [...(this.commits.get(branch) ?? []), commit]);
  }

  check(): void {
    for (const [branch, commits] of this.commits) {
      const held = new Set(this.user.git('rev-list', branch).split('\n'));
      for (const commit of commits) expect(held.has(commit), `${commit} on ${branch}`).toBe(true);
    }
    for (const [path, text] of this.dirty) expect(readFileSync(join(this.user.root, path), 'utf8')).toBe(text);
    expect(this.user.git('symbolic-ref', '--short', 'HEAD')).toBe(this.branch);
    const status = this.user.git('status', '--porcelain').split('\n').filter(Boolean);
    expect(status.map((line) => line.slice(3)).sort()).toEqual([...this.dirty.keys()].sort());
  }
}

type Step = (world: World) => Promise<void>;
const run = 'r1';

/** A refusal is an answer; anything else is a fault. */
async function orRefused(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof ForgeError) || !/refused/.test(error.code)) throw error;
  }
}

const record = (world: World) => ({
  record: async (made: readonly RefMove[]) => void world.moves.push(...made),
});

const steps: Record<string, (at: number) => Step> = {
  commit: (at) => async (world) => {
    const path = `mine-${at % 3}.txt`;
    if (world.dirty.has(path)) return;
    writeFileSync(join(world.user.root, path), `line ${world.next()}\n`);
    world.user.git('add', path);
    world.user.git('commit', '-q', '-m', `mine ${world.counter}`, '--', path);
    world.hold(world.branch, world.user.git('rev-parse', 'HEAD'));
  },
  amend: () => async (world) => {
    const own = world.commits.get(world.branch) ?? [];
    const head = world.user.git('rev-parse', 'HEAD');
    if (own.at(-1) !== head) return;
    world.user.git('commit', '-q', '--amend', '--allow-empty', '-m', `amended ${world.next()}`, '--only');
    world.commits.set(world.branch, [...own.slice(0, -1), world.user.git('rev-parse', 'HEAD')]);
  },
  branch: (at) => async (world) => {
    const name = `b${at % 3}`;
    const exists = world.user.git('branch', '--list', name) !== '';
    try {
      world.user.git('switch', '-q', ...(exists ? [name] : ['-c', name]));
    } catch {
      return;
    }
    if (!exists) for (const commit of world.commits.get(world.branch) ?? []) world.hold(name, commit);
    world.branch = name;
  },
  main: () => async (world) => {
    try {
      world.user.git('switch', '-q', 'main');
      world.branch = 'main';
    } catch {
      // A dirty file is in the way, as for anybody.
    }
  },
  dirty: (at) => async (world) => {
    const path = ['a.txt', 'src/b.txt'][at % 2] ?? 'a.txt';
    const text = `dirty ${world.next()}\n`;
    writeFileSync(join(world.user.root, path), text);
    world.dirty.set(path, text);
  },
  tidy: () => async (world) => {
    for (const path of world.dirty.keys()) {
      rmSync(join(world.user.root, path));
      try {
        world.user.git('checkout', '-q', 'HEAD', '--', path);
      } catch {
        // The branch does not have it.
      }
      world.dirty.delete(path);
    }
  },
  /** The run merges more: on top of its own result, or of where the branch is now. */
  work: (at) => async (world) => {
    const result = world.user.git('for-each-ref', '--format=%(objectname)', 'refs/forge/r1/integration');
    const on = at % 2 === 0 && result !== '' ? result : world.user.git('rev-parse', world.branch);
    const text = join(world.user.dataDir, 'text');
    writeFileSync(text, `of the run ${world.next()}\n`);
    const blob = world.user.git('hash-object', '-w', text);
    const changed = ['a.txt', 'new.txt', 'src/b.txt'][at % 3] ?? 'a.txt';
    const lines = world.user
      .git('ls-tree', '-r', on)
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith(`\t${changed}`));
    const tree = mktree(world, [...lines, `100644 blob ${blob}\t${changed}`]);
    const commit = world.user.git('commit-tree', tree, '-p', on, '-m', `result ${world.counter}`);
    world.user.git('update-ref', 'refs/forge/r1/integration', commit);
  },
  publish: () => async (world) =>
    orRefused(async () => {
      const commit = world.user.git('for-each-ref', '--format=%(objectname)', 'refs/forge/r1/integration');
      if (commit === '') return;
      const move = await publishBranch(world.repo, run, commit);
      if (move.before !== move.after) world.moves.push(move);
    }),
  land: (at) => async (world) =>
    orRefused(async () => {
      const commit = world.user.git('for-each-ref', '--format=%(objectname)', 'refs/forge/r1/integration');
      if (commit === '') return;
      const branch = ['main', world.branch][at % 2] ?? 'main';
      await landOn(world.repo, { run, branch, commit, ...record(world) });
    }),
  /** As `forge land` does where the branch has moved: the result goes on top of it, and lands if there is no conflict. */
  landOnTop: (at) => async (world) =>
    orRefused(async () => {
      const commit = world.user.git('for-each-ref', '--format=%(objectname)', 'refs/forge/r1/integration');
      if (commit === '') return;
      const branch = ['main', world.branch][at % 2] ?? 'main';
      const onto = world.user.git('rev-parse', branch);
      // A person who amended the first commit left nothing in common.
      const base = world.user
        .git('rev-list', commit)
        .split('\n')
        .find((each) => world.user.git('rev-list', onto).includes(each));
      if (base === undefined) return;
      const title = `on top ${world.next()}`;
      const rebased = await rebaseResult(world.repo, { run, base, commit, onto, title, date: noon });
      if (rebased.status === 'ready')
        await landOn(world.repo, { run, branch, commit: rebased.commit, ...record(world) });
    }),
  /** As `forge retry` does: the run goes back to where it began, and makes another result. */
  retry: (at) => async (world) => {
    const first = world.user.git('rev-list', '--max-parents=0', 'main').split('\n')[0] ?? '';
    world.user.git('update-ref', 'refs/forge/r1/integration', first);
    await steps['work']?.(at % 2 === 0 ? at : at + 1)(world);
  },
  undo: () => async (world) =>
    orRefused(async () => {
      const { back } = await planUndo(world.repo, world.moves);
      await undoRefs(world.repo, back, { run, ...record(world) });
    }),
  revert: () => async (world) =>
    orRefused(async () => {
      const { left } = await planUndo(world.repo, world.moves);
      await revertLeft(world.repo, left, { run, date: noon, ...record(world) });
    }),
  cleanup: (at) => async (world) =>
    orRefused(async () => {
      await settleOperations(world.repo, async ({ moves }) => void world.moves.push(...moves.map(whole)));
      await dropRunRefs(world.repo, run, await droppableRefs(world.repo, run, { force: at % 2 === 0 }));
      world.moves = [];
    }),
};

function mktree(world: World, lines: readonly string[]): string {
  // Nested paths need an index.
  const index = join(world.user.root, '.git', 'scratch');
  rmSync(index, { force: true });
  const args = lines.flatMap((line) => {
    const [meta = '', path = ''] = line.split('\t');
    const [mode = '', , id = ''] = meta.split(' ');
    return ['--cacheinfo', `${mode},${id},${path}`];
  });
  const env = { GIT_INDEX_FILE: index };
  userGit(world.user.root, ['update-index', '--add', ...args], env);
  return userGit(world.user.root, ['write-tree'], env);
}

function whole({
  ref,
  before,
  after,
}: {
  ref: string;
  before?: string | undefined;
  after?: string | undefined;
}): RefMove {
  return { ref, before, after };
}

const step = fc
  .tuple(
    fc.oneof(
      ...Object.keys(steps).map((name) => ({ arbitrary: fc.constant(name), weight: name === 'cleanup' ? 1 : 3 })),
    ),
    fc.nat(5),
  )
  .map(([name, at]) => ({ name, at }));

describe('a commit of a person', () => {
  it('never leaves the branch they put it on', async () => {
    const numRuns = Number(process.env['FORGE_PROPERTY_RUNS'] ?? 12);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18 }), async (plan) => {
        const user = makeRepo();
        const repo = await user.open();
        const world = new World(user, repo);
        world.hold('main', repo.head);
        for (const { name, at } of plan) {
          await steps[name]?.(at)(world);
          world.check();
        }
      }),
      { numRuns, endOnFailure: true },
    );
  });
});
