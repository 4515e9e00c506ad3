import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { identifyProcess } from '../../src/process/identity.ts';
import type { ProcessIdentity } from '../../src/process/process.ts';
import { listProcesses } from '../../src/process/process-table.ts';
import { killGroup, killTree } from '../../src/process/tree.ts';
import { readWhenThere, runs, temporaryDirectory, until } from './scene.ts';

/** Starts a shell script as leader of its own group; what it is asked to remember is killed when the test ends. */
function start(script: string, ...args: string[]): ProcessIdentity {
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...args], { detached: true, stdio: 'ignore' });
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === undefined) throw new Error('not started');
  onTestFinished(() => kill(identity.pid));
  return identity;
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone, as it should be.
  }
}

describe('killTree', () => {
  test('ends children and grandchildren that left the group, and returns when they are gone', async () => {
    const directory = temporaryDirectory();
    const root = start(
      `setsid sh -c 'echo $$ > "$1/a.tmp"; mv "$1/a.tmp" "$1/a"; setsid sh -c "echo \\$\\$ > $1/b; exec sleep 1000" & wait' sh "$1" & wait`,
      directory,
    );
    const pids = [Number(await readWhenThere(join(directory, 'a'))), Number(await readWhenThere(join(directory, 'b')))];
    expect(pids.map(runs)).toEqual([true, true]);
    await killTree(root, 5000);
    expect([root.pid, ...pids].map(runs)).toEqual([false, false, false]);
  });

  test('asks first: who listens may finish', async () => {
    const directory = temporaryDirectory();
    const root = start(
      `trap 'echo bye > "$1/bye"; exit 0' TERM; echo up > "$1/up"; while :; do sleep 0.01; done`,
      directory,
    );
    await readWhenThere(join(directory, 'up'));
    await killTree(root, 10_000);
    expect(readFileSync(join(directory, 'bye'), 'utf8')).toBe('bye\n');
    expect(runs(root.pid)).toBe(false);
  });

  test('ends who does not listen after the grace', async () => {
    const directory = temporaryDirectory();
    const root = start(`trap '' TERM; echo up > "$1/up"; while :; do sleep 0.01; done`, directory);
    await readWhenThere(join(directory, 'up'));
    await killTree(root, 20);
    expect(runs(root.pid)).toBe(false);
  });

  test('ends a stopped process', async () => {
    const directory = temporaryDirectory();
    const root = start(`echo up > "$1/up"; kill -STOP $$`, directory);
    await readWhenThere(join(directory, 'up'));
    await killTree(root, 0);
    expect(runs(root.pid)).toBe(false);
  });

  test('misses none of the children of a process that forks without end', async () => {
    const directory = temporaryDirectory();
    const mark = `300.${process.pid}`;
    const sleepers = (): readonly number[] =>
      listProcesses().flatMap(({ pid, running }) => (running && argumentsOf(pid).includes(mark) ? [pid] : []));
    onTestFinished(() => sleepers().forEach(kill));
    // Far more than the test needs, but not without end, however slowly this test gets its turn: if this process dies,
    // nobody else stops the shell. It then waits, so that the tree has a root when it is killed.
    const loop = `n=0; while [ $n -lt 1500 ]; do n=$((n + 1)); setsid sleep ${mark} & echo $! > "$1/last"; done`;
    const root = start(`trap '' TERM; ${loop}; exec sleep 1000`, directory);
    await until('there are many', () => sleepers().length > 20);
    await killTree(root, 0);
    expect({ root: runs(root.pid), sleepers: sleepers() }).toEqual({ root: false, sleepers: [] });
  });

  test('ends what an ended leader left in its group', async () => {
    const directory = temporaryDirectory();
    const root = start(`sh -c 'echo $$ > "$1/child"; exec sleep 1000' sh "$1" & exit 0`, directory);
    const child = Number(await readWhenThere(join(directory, 'child')));
    await until('the leader is gone', () => !runs(root.pid));
    expect(runs(child)).toBe(true);
    await killTree(root, 0);
    expect(runs(child)).toBe(false);
  });

  test('never touches a process that only has the same pid', async () => {
    const directory = temporaryDirectory();
    const root = start(`echo up > "$1/up"; exec sleep 1000`, directory);
    await readWhenThere(join(directory, 'up'));
    await killTree({ ...root, startTime: `${root.startTime}1` }, 0);
    await killTree({ ...root, bootId: 'before' }, 0);
    await killGroup({ ...root, startTime: `${root.startTime}1` });
    await expect(killTree({ ...root, host: 'elsewhere' }, 0)).rejects.toThrow('elsewhere');
    expect(runs(root.pid)).toBe(true);
    await killTree(root, 0);
    expect(runs(root.pid)).toBe(false);
    await killTree(root, 0);
  });

  test('does not find who left the group and lost all parents: the hazard that needs a jail', async () => {
    const directory = temporaryDirectory();
    const root = start(
      `setsid sh -c '(exec sh -c "echo \\$\\$ > $1/far; exec sleep 1000") & exit 0' sh "$1"; echo up > "$1/up"; exec sleep 1000`,
      directory,
    );
    const far = Number(await readWhenThere(join(directory, 'far')));
    onTestFinished(() => kill(far));
    await readWhenThere(join(directory, 'up'));
    await killTree(root, 0);
    expect({ root: runs(root.pid), far: runs(far) }).toEqual({ root: false, far: true });
  });
});

test('killGroup of a group that is gone returns at once', async () => {
  const child = spawn('true', [], { detached: true, stdio: 'ignore' });
  const identity = identifyProcess(child.pid ?? 0);
  await once(child, 'exit');
  if (identity !== undefined) await killGroup(identity);
  expect(existsSync(`/proc/${child.pid}`)).toBe(false);
});
