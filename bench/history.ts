/**
 * What a task costs beside a plain script that does the same by hand (`git worktree add`, the change, a commit, a fast
 * forward), in a small and in a large repository, with the number of git processes; and how fast a workspace is ready
 * when a tree can serve again. Tasks are commits of a history that this makes, done again by scripted agents.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openContext } from '../src/api/context.ts';
import { performOperation } from '../src/api/operation.ts';
import { rehearseHistory } from '../src/api/rehearse-history.ts';
import type { RunHandle } from '../src/engine/engine.ts';
import { prepareCheckout, removeCheckout } from '../src/git/checkout.ts';
import { openRepository } from '../src/git/repository.ts';
import { gitStarted } from '../src/git/run-git.ts';
import { openJail } from '../src/process/open-jail.ts';
import { type Figure, sideBySide, time } from './ratio.ts';

interface Scene {
  readonly area: string;
  readonly root: string;
  readonly files: number;
  /** Commits after the first one. */
  readonly tasks: number;
}

export async function historyFigures(quick: boolean): Promise<readonly Figure[]> {
  const sizes = quick
    ? [
        { files: 100, tasks: 2 },
        { files: 1_500, tasks: 2 },
      ]
    : [
        { files: 300, tasks: 10 },
        { files: 50_000, tasks: 4 },
      ];
  const figures: Figure[] = [];
  for (const [at, size] of sizes.entries()) {
    const scene = makeScene(size);
    try {
      const isLarge = at === 1;
      if (isLarge) figures.push(await warmFigure(scene, quick ? 2 : 5));
      figures.push(...(await taskFigures(scene, quick ? undefined : isLarge ? 0.5 : 3)));
    } finally {
      rmSync(scene.area, { recursive: true, force: true });
    }
  }
  return figures;
}

/** Every round wants another commit than the tree holds. */
async function warmFigure({ area, root, files, tasks }: Scene, rounds: number): Promise<Figure> {
  const repo = await openRepository(root, { dataDir: join(area, 'data'), stateDir: join(area, 'state') });
  const { jail } = await openJail({ mode: 'auto' });
  const commits = gitLines(root, 'rev-list', `-${tasks + 1}`, 'HEAD');
  const commitOf = (round: number): string => commits[(round + 1) % commits.length] ?? repo.head;
  const ready = (round: number) =>
    prepareCheckout(repo, { run: 'bench', name: `w${round + 1}`, commit: commitOf(round), jail });
  await removeCheckout(repo, await ready(-2), jail);
  let last: Awaited<ReturnType<typeof ready>> | undefined;
  const { ratio, subjectMs, referenceMs } = await sideBySide(
    rounds,
    async (round) => {
      last = await ready(round);
    },
    async (round) => {
      if (last !== undefined) await removeCheckout(repo, last, jail);
      const tree = join(area, `tree${round + 1}`);
      execFileSync('git', ['worktree', 'add', '-q', '--detach', tree, commitOf(round)], { cwd: root });
    },
  );
  return {
    name: `workspace ready from a tree that serves again / git worktree add, ${files.toLocaleString('en')} files`,
    value: ratio,
    aim: 0.2,
    detail: `${subjectMs.toFixed(0)} ms against ${referenceMs.toFixed(0)} ms`,
  };
}

async function taskFigures(scene: Scene, aim: number | undefined): Promise<readonly Figure[]> {
  const { files, tasks } = scene;
  const plainMs = (await time(() => plainScript(scene))) / tasks;
  gitStarted.clear();
  const forgeMs = (await time(() => rehearse(scene))) / tasks;
  const processes = [...gitStarted.values()].reduce((sum, count) => sum + count, 0);
  return [
    {
      name: `a task of \`modules\` / a plain script, ${files.toLocaleString('en')} files`,
      value: forgeMs / plainMs,
      ...(aim === undefined ? {} : { aim }),
      detail: `${forgeMs.toFixed(0)} ms against ${plainMs.toFixed(0)} ms per task`,
    },
    {
      name: `git processes per task, ${files.toLocaleString('en')} files`,
      value: processes / tasks,
      detail: `${tasks} tasks and what a run needs once`,
    },
  ];
}

/** What somebody would write who wants the commits done again, each in a worktree of its own. */
function plainScript({ area, root, tasks }: Scene): void {
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const commits = gitLines(root, 'rev-list', '--reverse', `-${tasks}`, 'HEAD');
  git(root, 'branch', 'plain', `HEAD~${tasks}`);
  for (const commit of commits) {
    const tree = join(area, `plain-${commit.slice(0, 8)}`);
    git(root, 'worktree', 'add', '-q', '--detach', tree, 'plain');
    const patch = git(root, 'diff', '--binary', `${commit}~1`, commit);
    execFileSync('git', ['apply', '--index'], { cwd: tree, input: patch });
    git(tree, 'commit', '-qm', 'again');
    git(root, 'branch', '-f', 'plain', git(tree, 'rev-parse', 'HEAD').trim());
    git(root, 'worktree', 'remove', '--force', tree);
  }
}

async function rehearse({ area, root, tasks }: Scene): Promise<void> {
  const env = { ...process.env, HOME: area, XDG_STATE_HOME: join(area, 'state'), XDG_DATA_HOME: join(area, 'share') };
  let handle: RunHandle | undefined;
  const take = (begun: RunHandle): void => {
    handle = begun;
  };
  const context = openContext({ cwd: root, env, worker: { where: 'here', options: {}, take } });
  await performOperation(rehearseHistory, context, { range: `HEAD~${tasks}..HEAD`, parallel: 1 });
  const end = await handle?.ended;
  if (end?.status !== 'done') throw new Error(`the run of the benchmark must be done: ${JSON.stringify(end)}`);
}

const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost'];

/** Files in many directories, and a history of small commits in different places. */
function makeScene({ files, tasks }: Pick<Scene, 'files' | 'tasks'>): Scene {
  const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-bench-')));
  const root = join(area, 'repo');
  mkdirSync(root);
  const git = (...args: string[]): void => {
    execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' });
  };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const pathOf = (n: number): string => `packages/p${n % 200}/src/part${n % 13}/file${n}.ts`;
  for (let n = 0; n < files; n += 1) write(pathOf(n), `export const value${n} = ${n};\n`.repeat(5 + (n % 40)));
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  git('repack', '-adq');
  for (let n = 0; n < tasks; n += 1) {
    write(pathOf(n), `export const value${n} = ${n + 1};\n`);
    write(`packages/p${n}/added${n}.ts`, `export const added = ${n};\n`);
    git('add', `packages/p${n}`);
    git('commit', '-qm', `Change ${n}`);
  }
  return { area, root, files, tasks };
}

function gitLines(cwd: string, ...args: string[]): string[] {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim().split('\n');
}
