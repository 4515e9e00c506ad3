/** How long until an agent can work: against `git worktree add`, and with a setup's outputs reused against running it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Repository } from '../src/git/git.ts';
import { openRepository } from '../src/git/repository.ts';
import { prepareWorkspace } from '../src/git/workspace.ts';
import { openJail } from '../src/process/open-jail.ts';
import { type Figure, seeded, sideBySide } from './ratio.ts';

export async function workspaceFigures(quick: boolean): Promise<readonly Figure[]> {
  const area = realpathSync(mkdtempSync(join(tmpdir(), 'forge-bench-')));
  try {
    const repo = await makeRepository(area);
    return [await readyFigure(repo, area, quick ? 3 : 15), await setupFigure(repo, quick ? 1 : 3)];
  } finally {
    rmSync(area, { recursive: true, force: true });
  }
}

async function readyFigure(repo: Repository, area: string, rounds: number): Promise<Figure> {
  const { ratio, subjectMs, referenceMs } = await sideBySide(
    rounds,
    async (round) => {
      await prepareWorkspace(repo, { run: 'bench', name: `w${round + 1}`, commit: repo.head });
    },
    (round) => {
      execFileSync('git', ['worktree', 'add', '-q', '--detach', join(area, `tree${round + 1}`)], { cwd: repo.root });
    },
  );
  return {
    name: 'workspace ready / git worktree add, 2,800 files',
    value: ratio,
    aim: 1.5,
    detail: `${subjectMs.toFixed(0)} ms against ${referenceMs.toFixed(0)} ms`,
  };
}

/** A setup that takes seconds and leaves many files, as an installation of packages does. */
async function setupFigure(repo: Repository, rounds: number): Promise<Figure> {
  const { jail } = await openJail({ mode: 'auto' });
  const install =
    "for (let i = 0; i < 400; i++) require('fs').mkdirSync('deps/p' + i, { recursive: true }), require('fs').writeFileSync('deps/p' + i + '/index.js', 'x'.repeat(4000));";
  const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);';
  const withSetup = (name: string, salt: string) =>
    prepareWorkspace(repo, {
      run: 'bench',
      name,
      commit: repo.head,
      setup: {
        jail,
        setup: { run: ['node', '-e', `/* ${salt} */ ${install} ${wait}`], inputs: ['package.json'], outputs: ['deps'] },
      },
    });
  await withSetup('primed', 'shared');
  const { ratio, subjectMs, referenceMs } = await sideBySide(
    rounds,
    async (round) => {
      await withSetup(`reused${round + 1}`, 'shared');
    },
    async (round) => {
      await withSetup(`run${round + 1}`, `salt ${round}`);
    },
  );
  return {
    name: 'workspace with reused setup / with running it',
    value: ratio,
    aim: 0.1,
    detail: `${subjectMs.toFixed(0)} ms against ${referenceMs.toFixed(0)} ms`,
  };
}

async function makeRepository(area: string): Promise<Repository> {
  const root = join(area, 'repo');
  const random = seeded(3);
  for (let n = 0; n < 2800; n += 1) {
    const file = join(root, `packages/p${n % 40}/src/part${n % 7}/file${n}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export const value${n} = ${random()};\n`.repeat(20 + (n % 50)));
  }
  writeFileSync(join(root, 'package.json'), '{}\n');
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', ...args], { cwd: root });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  git('repack', '-adq');
  return openRepository(root, { dataDir: join(area, 'data') });
}
