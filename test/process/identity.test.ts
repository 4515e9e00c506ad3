import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { identifyProcess, isAlive, ownIdentity, sameBoot, sameHost } from '../../src/process/identity.ts';
import { listProcesses, parsePs, parseStat, readProcess } from '../../src/process/process-table.ts';
import { until } from './scene.ts';

const rest = '20 0 1 0 123456 1000 10 18446744073709551615 0 0 0 0 0 0 0';

describe('parseStat', () => {
  test.each([
    ['plain', `42 (cat) R 7 40 39 0 -1 4194304 92 0 0 0 0 0 0 0 ${rest}`],
    ['spaces and parentheses', `42 (a b) S (x)) R 7 40 39 0 -1 4194304 92 0 0 0 0 0 0 0 ${rest}`],
    ['newline', `42 (a\n1 (b) S 1 1) R 7 40 39 0 -1 4194304 92 0 0 0 0 0 0 0 ${rest}\n`],
  ])('%s', (_name, line) => {
    expect(parseStat(line)).toEqual({ pid: 42, parent: 7, group: 40, startTime: '123456', running: true });
  });

  test('a zombie does not run, unless other threads of it do', () => {
    const line = `42 (cat) Z 7 40 39 0 -1 4194304 92 0 0 0 0 0 0 0 ${rest}`;
    expect(parseStat(line)?.running).toBe(false);
    expect(parseStat(line.replace('20 0 1 0', '20 0 3 0'))?.running).toBe(true);
  });

  test.each(['', '42', '42 (cat', '42 (cat) R 7', 'x (cat) R 7 40 39 0 -1'])('nonsense: %j', (line) => {
    expect(parseStat(line)).toBeUndefined();
  });
});

test('parsePs reads what ps prints elsewhere', () => {
  expect(parsePs('  501     1   501 Ss   Mon Nov  9 10:11:12 2026    ')).toEqual({
    pid: 501,
    parent: 1,
    group: 501,
    startTime: 'Mon Nov 9 10:11:12 2026',
    running: true,
  });
  expect(parsePs('501 1 501 Z+ Mon Nov  9 10:11:12 2026')?.running).toBe(false);
  expect(parsePs('')).toBeUndefined();
});

describe('identity', () => {
  test('of this process', () => {
    const own = ownIdentity();
    expect(own).toEqual({
      pid: process.pid,
      startTime: expect.stringMatching(/./),
      bootId: expect.stringMatching(/./),
      host: hostname(),
    });
    expect(isAlive(own)).toBe(true);
    expect(identifyProcess(process.pid)).toEqual(own);
    expect(listProcesses()).toContainEqual({ ...readProcess(process.pid), running: true });
  });

  test('a reused pid and an earlier boot are not alive', () => {
    const own = ownIdentity();
    expect(isAlive({ ...own, startTime: `${own.startTime}0` })).toBe(false);
    expect(isAlive({ ...own, bootId: 'before' })).toBe(false);
    expect(sameBoot({ ...own, bootId: 'before' })).toBe(false);
  });

  test('nobody answers for another host', () => {
    const foreign = { ...ownIdentity(), host: 'elsewhere' };
    expect(sameHost(foreign)).toBe(false);
    expect(() => isAlive(foreign)).toThrow('elsewhere');
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 30])('there is no process %s', (pid) => {
    expect(identifyProcess(pid)).toBeUndefined();
  });

  test('a zombie is not alive, a process that ended is gone', async () => {
    // The shell becomes `sleep`, which collects no child, before its child may end.
    const script = '(read go; exit 0) <&3 & echo $!; exec sleep 1000 3<&-';
    const parent = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [printed] = (await once(parent.stdout as Readable, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    await until('the shell is gone', () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
    (parent.stdio[3] as Writable).end();
    await until('the child is a zombie', () => readProcess(pid)?.running === false);
    const zombie = identifyProcess(pid);
    expect(zombie?.pid).toBe(pid);
    expect(zombie !== undefined && isAlive(zombie)).toBe(false);
    const living = identifyProcess(parent.pid ?? 0);
    expect(living !== undefined && isAlive(living)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(living !== undefined && isAlive(living)).toBe(false);
  });
});
