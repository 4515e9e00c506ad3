/** What tests of processes and jails share: a place with a workspace and things outside it, and waiting for conditions. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Jail, JailPolicy } from '../../src/process/jail.ts';
import { openJail } from '../../src/process/open-jail.ts';
import type { Command } from '../../src/process/process.ts';
import { readProcess } from '../../src/process/process-table.ts';

export const path = process.env['PATH'] ?? '/usr/bin:/bin';

export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'forge-test-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface Scene {
  readonly root: string;
  readonly workspace: string;
  /** A directory no jail is given, with one file. */
  readonly outside: string;
  readonly secretFile: string;
  readonly policy: JailPolicy;
}

export const outsideSecret = 'canary-outside-the-jail';

export function makeScene(): Scene {
  const root = temporaryDirectory();
  const [workspace, outside, home, tmp] = ['workspace', 'outside', 'home', 'tmp'].map((name) => {
    const directory = join(root, name);
    mkdirSync(directory);
    return directory;
  }) as [string, string, string, string];
  const secretFile = join(outside, 'secret.txt');
  writeFileSync(secretFile, outsideSecret);
  return {
    root,
    workspace,
    outside,
    secretFile,
    policy: { writable: [workspace], readable: [], home, tmp, network: 'loopback' },
  };
}

/** A shell script as a command; further arguments are `$1`, `$2`, … */
export function shell(cwd: string, script: string, ...args: string[]): Command {
  return { program: '/bin/sh', args: ['-c', script, 'sh', ...args], cwd, env: { PATH: path } };
}

export function nodeScript(cwd: string, script: string, ...args: string[]): Command {
  return { program: process.execPath, args: ['-e', script, '--', ...args], cwd, env: { PATH: path } };
}

/** Waits for a condition, never for a time; the limit only ends a test that has failed. */
export async function until(what: string, condition: () => boolean, limitMs = 20_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(5);
  }
}

export async function readWhenThere(file: string): Promise<string> {
  await until(`${file} is written`, () => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
  return readFileSync(file, 'utf8').trim();
}

export function runs(pid: number): boolean {
  return readProcess(pid)?.running === true;
}

/** The jail of this machine, or undefined where none can be had: then tests of the jail have nothing to test. */
export async function jailOfThisMachine(): Promise<Jail | undefined> {
  try {
    return (await openJail({ mode: 'auto' })).jail;
  } catch {
    return undefined;
  }
}
