/** Taking turns at a directory: one holder at a time, whoever dies and whenever. Real processes. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { lockDirectory, longWork, whileLocked } from '../../src/files/directory-lock.ts';
import { ownIdentity } from '../../src/process/identity.ts';
import { tempDir } from '../support/temp.ts';

const lockModule = resolve(import.meta.dirname, '../../.build/src/files/directory-lock.js');

/** Adds one to a number in a file, many times, and dies at a moment of its own choosing. */
const counting = `
  const [, directory, rounds, deadly] = process.argv;
  const { readFileSync, writeFileSync } = await import('node:fs');
  const { lockDirectory } = await import(${JSON.stringify(lockModule)});
  for (let round = 0; round < Number(rounds); round++) {
    const unlock = await lockDirectory(directory, { patienceMs: 60_000 });
    const file = directory + '/count';
    const before = Number(readFileSync(file, 'utf8'));
    if (deadly === 'yes' && round === Number(rounds) - 1) process.kill(process.pid, 'SIGKILL');
    writeFileSync(file, String(before + 1));
    await unlock();
  }
`;

function count(directory: string, rounds: number, isDeadly: boolean): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', counting, directory, String(rounds), isDeadly ? 'yes' : 'no'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return new Promise((done) => child.on('exit', () => done()));
}

it('is held by one process at a time, also when holders die', async () => {
  const directory = tempDir('lock');
  writeFileSync(join(directory, 'count'), '0');
  const lasting = [count(directory, 300, false), count(directory, 300, false)];
  // Each of these dies while it holds the lock; its last round is not counted.
  for (let dead = 0; dead < 5; dead++) await count(directory, 5, true);
  await Promise.all(lasting);
  expect(Number(readFileSync(join(directory, 'count'), 'utf8'))).toBe(2 * 300 + 5 * 4);
  // The last to die may have left its lock; it is in nobody's way.
  const unlock = await lockDirectory(directory);
  await unlock();
  expect(readdirSync(directory)).toEqual(['count']);
});

it('lets whoever waits go first, before one that takes it again and again', async () => {
  const directory = tempDir('lock');
  const state = { turns: 0, isOver: false };
  const greedy = async (): Promise<void> => {
    while (!state.isOver) {
      const unlock = await lockDirectory(directory);
      state.turns += 1;
      await nextTurn();
      await unlock();
    }
  };
  const busy = greedy();
  const waited: number[] = [];
  for (let round = 0; round < 10; round++) {
    const before = state.turns;
    const unlock = await lockDirectory(directory);
    waited.push(state.turns - before);
    await unlock();
  }
  state.isOver = true;
  await busy;
  expect(Math.max(...waited)).toBeLessThan(4);
  expect(readdirSync(directory)).toEqual([]);
});

it('passes over one who is next and does not come', async () => {
  const directory = tempDir('lock');
  // It is alive, as far as anybody can see.
  writeFileSync(join(directory, '.lock.next'), JSON.stringify({ ...ownIdentity(), id: 'stopped' }));
  const unlock = await lockDirectory(directory);
  await unlock();
  expect(readdirSync(directory)).toEqual(['.lock.next']);
});

it('waits for a holder of another machine, and says who is in the way', async () => {
  const directory = tempDir('lock');
  writeFileSync(join(directory, '.lock'), JSON.stringify({ host: `${hostname()}-other`, pid: 1 }));
  await expect(lockDirectory(directory, { patienceMs: 50 })).rejects.toThrow(`another process holds ${directory}`);
});

it('goes past what a process left that died while it cleared up', async () => {
  const directory = tempDir('lock');
  const dead = { host: hostname(), pid: 2 ** 22 + 1 };
  writeFileSync(join(directory, '.lock'), JSON.stringify(dead));
  const unlock = await lockDirectory(directory);
  await unlock();
  expect(readdirSync(directory)).toEqual([]);
});

it('works under a name without being in the way of other names, and unlocks when the work fails', async () => {
  const directory = tempDir('lock');
  const work = { inside: 0, most: 0 };
  const enter = async (): Promise<void> => {
    work.inside += 1;
    work.most = Math.max(work.most, work.inside);
    await nextTurn();
    work.inside -= 1;
  };
  const named = { ...longWork, name: 'a.lock' };
  await whileLocked(
    directory,
    async () => {
      expect(readdirSync(directory)).toEqual(['b.lock']);
      await Promise.all(Array.from({ length: 8 }, () => whileLocked(directory, enter, named)));
    },
    { name: 'b.lock' },
  );
  expect(work.most).toBe(1);
  await expect(whileLocked(directory, () => Promise.reject(new Error('work failed')), named)).rejects.toThrow('failed');
  expect(readdirSync(directory)).toEqual([]);
});
