/**
 * `land` and `undo` that die together with their git: at every git call they make, before it, after it, and in the
 * middle of writing files. The next command finds the checkout as it was or as it was meant to be, and finishes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compiled, fingerprint, makeRepo, repoAt, scratch, type TestRepo } from '../git/support.ts';
import { everywhere, thorough } from './matrix.ts';

const work = `
import { writeFileSync } from 'node:fs';
import { openRepository } from './out/git/repository.js';
import { landOn } from './out/git/land.js';
import { planUndo, undoRefs } from './out/git/undo.js';
import { settleOperations } from './out/git/move-branches.js';
const { root, dataDir, kind, commit, moves, armed } = JSON.parse(process.argv[2]);
const repo = await openRepository(root, { dataDir });
if (armed !== undefined) writeFileSync(armed, '');
const recorded = [];
const record = async (made) => { recorded.push(...made); };
await settleOperations(repo, async (operation) => record(operation.moves));
if (kind === 'land') await landOn(repo, { run: 'r1', branch: 'main', commit, record });
if (kind === 'undo') await undoRefs(repo, (await planUndo(repo, moves)).back, { run: 'r1', record });
console.log(JSON.stringify(recorded));
`;

let script: string;
/** A git that kills its caller and itself at the n-th call. */
let bin: string;
let plan: string;

beforeAll(async () => {
  script = compiled(work);
  bin = scratch('bin');
  plan = scratch('plan');
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/bash
[ -e ${plan}/armed ] || exec ${real} "$@"
echo "$*" >> ${plan}/calls
n=$(wc -l < ${plan}/calls)
at=$(cat ${plan}/at) ; manner=$(cat ${plan}/manner)
[ "$n" = "$at" ] || exec ${real} "$@"
if [ "$manner" != before ]; then ${real} "$@" > ${plan}/out ; fi
if [ "$manner" = torn ]; then bash ${plan}/tear ; fi
kill -9 $PPID
kill -9 $$
`,
  );
  chmodSync(join(bin, 'git'), 0o755);
});

interface Scene {
  readonly user: TestRepo;
  readonly commit: string;
}

const files = { 'a.txt': 'a\n', 'src/b.txt': 'b\n'.repeat(5000), 'gone.txt': 'g', 'deep/er/x': 'x', shape: 'file' };

/** A result that changes, adds, removes, and makes a directory of a file. */
function makeScene(): Scene {
  const user = makeRepo({ files });
  user.git('checkout', '-q', '--detach');
  rmSync(join(user.root, 'gone.txt'));
  rmSync(join(user.root, 'deep'), { recursive: true });
  rmSync(join(user.root, 'shape'));
  const commit = user.commit('result', {
    'a.txt': 'changed\n',
    'src/b.txt': 'c\n'.repeat(6000),
    'new/one.txt': 'one',
    'shape/inside': 'directory',
  });
  user.git('update-ref', 'refs/forge/r1/integration', commit);
  user.git('checkout', '-q', 'main');
  user.write({ 'untracked.txt': 'mine' });
  return { user, commit };
}

function runWork(user: TestRepo, request: object, kill?: { at: number; manner: string }) {
  rmSync(plan, { recursive: true });
  mkdirSync(plan);
  writeFileSync(join(plan, 'at'), String(kill?.at ?? 0));
  writeFileSync(join(plan, 'manner'), kill?.manner ?? '');
  // What a git leaves that was killed while it wrote: a file that is cut off, one that is missing, locks.
  writeFileSync(
    join(plan, 'tear'),
    `cd ${user.root}; head -c 3000 src/b.txt > t && mv t src/b.txt; rm -f a.txt; touch .git/refs/heads/main.lock .git/HEAD.lock; for f in .git/forge-*.index; do touch $f.lock; done`,
  );
  const args = { root: user.root, dataDir: user.dataDir, armed: join(plan, 'armed'), ...request };
  const ended = spawnSync(process.execPath, [script, JSON.stringify(args)], {
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: process.env['HOME'] ?? '' },
    encoding: 'utf8',
  });
  const calls = existsSync(join(plan, 'calls')) ? readFileSync(join(plan, 'calls'), 'utf8').trim().split('\n') : [];
  return { ...ended, calls };
}

/** What a person sees: files, branches, a clean status; no leftovers in the git directory. */
function standing(user: TestRepo): unknown {
  const { index: _, ...all } = fingerprint(user);
  const seen = Object.entries(all).filter(([path]) => !path.startsWith('logs/'));
  const leftovers = execFileSync('find', ['.git', '-name', '*.lock', '-o', '-name', 'forge-*'], {
    cwd: user.root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('.git/refs/forge'));
  return { seen: Object.fromEntries(seen), status: user.git('status', '--porcelain'), leftovers };
}

function copyOf({ user }: Scene): TestRepo {
  const root = scratch('repo');
  cpSync(user.root, root, { recursive: true, preserveTimestamps: true });
  // Stat data of a copy differ; git brings them up to date as it would for anybody.
  const copy = repoAt(root);
  copy.git('status', '--porcelain');
  return copy;
}

async function killEverywhere(scene: Scene, request: object): Promise<number> {
  const calm = copyOf(scene);
  const before = standing(calm);
  const { calls, status, stderr } = runWork(calm, request);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const after = standing(calm);
  expect(after).not.toEqual(before);
  expect(after).toMatchObject({ status: '?? untracked.txt', leftovers: [] });
  const places = calls.flatMap((call, index) =>
    ['before', 'after', ...(call.includes('read-tree -m -u') ? ['torn'] : [])].map((manner) => ({
      at: index + 1,
      manner,
    })),
  );
  // Those that matter most are around the move of the files and of the refs.
  const chosen = places.filter(
    ({ at, manner }, index) => everywhere || (thorough && index % 4 === 0) || isTelling(calls[at - 1] ?? '', manner),
  );
  expect(chosen.length).toBeGreaterThan(2);
  for (const kill of chosen) {
    const user = copyOf(scene);
    const killed = runWork(user, request, kill);
    expect(killed.signal, JSON.stringify(kill)).toBe('SIGKILL');
    // First only what was cut off is settled: the checkout is as before or as after.
    const settled = runWork(user, { ...request, kind: 'settle' });
    expect({ kill, stderr: settled.stderr }).toEqual({ kill, stderr: '' });
    const between = standing(user);
    expect([before, after], JSON.stringify(kill)).toContainEqual(between);
    const again = runWork(user, request);
    expect({ kill, stderr: again.stderr, end: standing(user) }).toEqual({ kill, stderr: '', end: after });
    // The journal hears of each move once, from whoever finished it.
    expect(JSON.parse(settled.stdout).length + JSON.parse(again.stdout).length).toBe(1);
  }
  return chosen.length;
}

function isTelling(call: string, manner: string): boolean {
  if (manner === 'torn') return true;
  return manner === 'after' && /read-tree -m -u|update-ref/.test(call);
}

describe('landing and undoing, killed with their git', () => {
  it('lands in the end, or leaves everything as it was', async () => {
    const scene = makeScene();
    const count = await killEverywhere(scene, { kind: 'land', commit: scene.commit });
    if (thorough) console.log(`killed at ${count} places`);
  });

  it('undoes in the end, or leaves everything as it was', async () => {
    const scene = makeScene();
    const { user, commit } = scene;
    const base = user.git('rev-parse', 'main');
    user.git('merge', '-q', '--ff-only', commit);
    const moves = [{ ref: 'refs/heads/main', before: base, after: commit }];
    const count = await killEverywhere(scene, { kind: 'undo', moves });
    if (thorough) console.log(`killed at ${count} places`);
  });

  it('leaves a file alone that a person changed after the kill, and says so', async () => {
    const { user, commit } = makeScene();
    const request = { kind: 'land', commit };
    const { calls } = runWork(copyOf({ user, commit }), request);
    const at = calls.findIndex((call) => call.includes('read-tree -m -u')) + 1;
    runWork(user, request, {
      at: calls.findLastIndex((call) => call.includes('read-tree -m -u')) + 1 || at,
      manner: 'torn',
    });
    user.write({ 'a.txt': 'my own words\n' });
    const refused = runWork(user, request);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('some were changed since: a.txt');
    expect(readFileSync(join(user.root, 'a.txt'), 'utf8')).toBe('my own words\n');
    rmSync(join(user.root, 'a.txt'));
    expect(runWork(user, request).stderr).toBe('');
    expect(user.git('rev-parse', 'HEAD')).toBe(commit);
    expect(user.git('status', '--porcelain')).toBe('?? untracked.txt');
  });
});
