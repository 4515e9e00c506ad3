/**
 * Random interleavings of what a person does (commits here, on other branches and in a linked worktree, amends, switches,
 * detached HEADs, renamed and deleted branches, sparse checkouts, submodules, dirty files) and of what Forge does
 * (publishing, landings that succeed, are refused, come two at once or go on top of a branch that has moved, retries that
 * begin the result anew, undos, reverts, cleanups). After every step each commit of the person is on the branch they put
 * it on, every HEAD is where they left it, and dirty files are as they left them, byte for byte.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** A checkout of the person's: the main one, or a linked worktree. */
interface Place {
  readonly root: string;
  /** Undefined where HEAD is detached. */
  branch: string | undefined;
  /** Where a detached HEAD stands. */
  at: string;
  readonly dirty: Map<string, string>;
  isSparse: boolean;
}

class World {
  readonly user: TestRepo;
  readonly repo: Repository;
  /** What a run's journal would hold. */
  moves: RefMove[] = [];
  /** Commits of the person, by the branch they made them on. */
  readonly commits = new Map<string, string[]>();
  readonly places: Place[] = [];
  counter = 0;

  constructor(user: TestRepo, repo: Repository) {
    this.user = user;
    this.repo = repo;
    this.places.push(newPlace(user.root, 'main'));
  }

  /** Where the person is now: most of the time in the main checkout. */
  place(at: number): Place {
    const [main, ...linked] = this.places;
    if (main === undefined) throw new Error('there is no checkout');
    return at % 3 === 2 ? (linked[0] ?? main) : main;
  }

  next(): number {
    this.counter += 1;
    return this.counter;
  }

  hold(branch: string | undefined, commit: string): void {
    if (branch !== undefined) this.commits.set(branch, [...(this.commits.get(branch) ?? []), commit]);
  }

  /** A branch that is there: the one that the person is on, or main. */
  target(at: number): string {
    const wanted = at % 2 === 0 ? undefined : this.place(at).branch;
    return wanted ?? (this.commits.has('main') ? 'main' : ([...this.commits.keys()][0] ?? 'main'));
  }

  result(): string {
    return this.user.git('for-each-ref', '--format=%(objectname)', 'refs/forge/r1/integration');
  }

  check(): void {
    for (const [branch, commits] of this.commits) {
      const held = new Set(this.user.git('rev-list', branch).split('\n'));
      for (const commit of commits) expect(held.has(commit), `${commit} on ${branch}`).toBe(true);
    }
    for (const place of this.places) checkPlace(place);
  }
}

function newPlace(root: string, branch: string): Place {
  return { root, branch, at: '', dirty: new Map(), isSparse: false };
}

function checkPlace({ root, branch, at, dirty }: Place): void {
  for (const [path, text] of dirty) expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  if (branch === undefined) expect(userGit(root, ['rev-parse', 'HEAD'])).toBe(at);
  expect(userGit(root, ['rev-parse', '--abbrev-ref', 'HEAD'])).toBe(branch ?? 'HEAD');
  const status = userGit(root, ['status', '--porcelain']).split('\n').filter(Boolean);
  expect(status.map((line) => line.slice(3)).sort()).toEqual([...dirty.keys()].sort());
}

/** What git itself refuses a person is no step. */
function tried(place: Place, ...args: readonly string[]): boolean {
  try {
    userGit(place.root, args);
    return true;
  } catch {
    return false;
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
    const place = world.place(at);
    const path = `mine-${at % 3}.txt`;
    if (place.dirty.has(path)) return;
    writeFileSync(join(place.root, path), `line ${world.next()}\n`);
    userGit(place.root, ['add', path]);
    userGit(place.root, ['commit', '-q', '-m', `mine ${world.counter}`, '--', path]);
    const made = userGit(place.root, ['rev-parse', 'HEAD']);
    world.hold(place.branch, made);
    place.at = made;
  },
  amend: (at) => async (world) => {
    const place = world.place(at);
    if (place.branch === undefined) return;
    const own = world.commits.get(place.branch) ?? [];
    const head = userGit(place.root, ['rev-parse', 'HEAD']);
    if (own.at(-1) !== head) return;
    userGit(place.root, ['commit', '-q', '--amend', '--allow-empty', '-m', `amended ${world.next()}`, '--only']);
    world.commits.set(place.branch, [...own.slice(0, -1), userGit(place.root, ['rev-parse', 'HEAD'])]);
  },
  branch: (at) => async (world) => {
    const place = world.place(at);
    const name = `b${at % 3}`;
    const exists = world.user.git('branch', '--list', name) !== '';
    if (!tried(place, 'switch', '-q', ...(exists ? [name] : ['-c', name]))) return;
    // A branch that begins here holds what is here. One that begins at a detached HEAD holds only that.
    if (!exists && place.branch === undefined) world.hold(name, place.at);
    if (!exists && place.branch !== undefined)
      for (const commit of world.commits.get(place.branch) ?? []) world.hold(name, commit);
    place.branch = name;
  },
  main: (at) => async (world) => {
    const place = world.place(at);
    if (world.commits.has('main') && tried(place, 'switch', '-q', 'main')) place.branch = 'main';
  },
  detach: (at) => async (world) => {
    const place = world.place(at);
    if (!tried(place, 'switch', '-q', '--detach')) return;
    place.branch = undefined;
    place.at = userGit(place.root, ['rev-parse', 'HEAD']);
  },
  rename: (at) => async (world) => {
    const place = world.place(at);
    const { branch } = place;
    const name = `renamed${world.next()}`;
    if (branch === undefined || !tried(place, 'branch', '-m', branch, name)) return;
    world.commits.set(name, world.commits.get(branch) ?? []);
    world.commits.delete(branch);
    for (const each of world.places) if (each.branch === branch) each.branch = name;
  },
  remove: (at) => async (world) => {
    const branch = [...world.commits.keys()][at % world.commits.size] ?? 'main';
    if (world.commits.size > 1 && tried(world.place(0), 'branch', '-D', branch)) world.commits.delete(branch);
  },
  worktree: () => async (world) => {
    if (world.places.length > 1) return;
    const root = join(dirname(world.user.root), `side${world.next()}`);
    const name = `side${world.counter}`;
    const main = world.place(0);
    if (!tried(main, 'worktree', 'add', '-q', '-b', name, root)) return;
    const here = main.branch === undefined ? [main.at] : (world.commits.get(main.branch) ?? []);
    for (const commit of here) world.hold(name, commit);
    world.places.push(newPlace(root, name));
  },
  sparse: (at) => async (world) => {
    const place = world.place(at);
    if (place.dirty.size > 0) return;
    if (tried(place, 'sparse-checkout', ...(place.isSparse ? ['disable'] : ['set', 'elsewhere'])))
      place.isSparse = !place.isSparse;
  },
  dirty: (at) => async (world) => {
    const place = world.place(at);
    const path = (place.isSparse ? ['a.txt'] : ['a.txt', 'src/b.txt'])[at % 2] ?? 'a.txt';
    const text = `dirty ${world.next()}\n`;
    mkdirSync(dirname(join(place.root, path)), { recursive: true });
    writeFileSync(join(place.root, path), text);
    place.dirty.set(path, text);
  },
  tidy: (at) => async (world) => {
    const place = world.place(at);
    for (const path of place.dirty.keys()) {
      rmSync(join(place.root, path));
      tried(place, 'checkout', '-q', 'HEAD', '--', path);
      place.dirty.delete(path);
    }
  },
  /** The run merges more: on top of its own result, or of where the branch is now. */
  work: (at) => async (world) => {
    const result = world.result();
    const on = at % 2 === 0 && result !== '' ? result : world.user.git('rev-parse', world.target(at));
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
      const commit = world.result();
      if (commit === '') return;
      const move = await publishBranch(world.repo, run, commit);
      if (move.before !== move.after) world.moves.push(move);
    }),
  land: (at) => async (world) =>
    orRefused(async () => {
      const commit = world.result();
      if (commit === '') return;
      await landOn(world.repo, { run, branch: world.target(at), commit, ...record(world) });
    }),
  /** Two terminals: on the same branch, or on two. */
  landTwice: (at) => async (world) => {
    const commit = world.result();
    if (commit === '') return;
    const branches = at % 2 === 0 ? [world.target(0), world.target(0)] : [world.target(0), world.target(at)];
    await Promise.all(
      branches.map((branch) =>
        orRefused(() => landOn(world.repo, { run, branch, commit, ...record(world) }).then(() => {})),
      ),
    );
  },
  /** As `forge land` does where the branch has moved: the result goes on top of it, and lands if there is no conflict. */
  landOnTop: (at) => async (world) =>
    orRefused(async () => {
      const commit = world.result();
      if (commit === '') return;
      const branch = world.target(at);
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
    const first = world.user.git('rev-list', '--max-parents=0', world.target(0)).split('\n')[0] ?? '';
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

function addSubmodule(user: TestRepo): void {
  const inner = makeRepo({ name: 'inner' });
  user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'part');
  user.commit('a part');
}

function mktree(world: World, lines: readonly string[]): string {
  // Nested paths need an index.
  const index = join(world.user.dataDir, 'scratch');
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
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18 }), fc.boolean(), async (plan, hasSubmodule) => {
        const user = makeRepo();
        if (hasSubmodule) addSubmodule(user);
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
