import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runTool } from '../../../../src/agents/builtin/tools/run.ts';
import { processesWith, until } from '../../workshop.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'forge-run-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const marker = `8${process.pid}${Math.floor(Math.random() * 1e6)}`;
const env = { PATH: process.env['PATH'] ?? '', ONLY: 'this' };
const run = (command: string, detail: { seconds?: number; signal?: AbortSignal } = {}) => {
  const { seconds, signal = new AbortController().signal } = detail;
  return runTool.run(runTool.schema.parse({ command, seconds }), { root, env }, signal);
};

test('gives both streams as they came, and the exit code', async () => {
  expect(await run('echo a; echo b >&2; echo $ONLY; pwd')).toEqual({ text: `exit code 0\na\nb\nthis\n${root}` });
});

test('a command that fails is a failure with its output', async () => {
  await expect(run('echo why; exit 7')).rejects.toThrow(/^exit code 7\nwhy$/);
  await expect(run('kill -9 $$')).rejects.toThrow('ended by SIGKILL');
});

test('keeps both ends of a long output', async () => {
  const { text } = await run('echo begin; seq 100000; echo end');
  expect(text.length).toBeLessThan(26_000);
  expect(text).toMatch(/^exit code 0\nbegin\n1\n[\s\S]*\n100000\nend$/);
});

test('its time limit and an abort end everything it started', async () => {
  await expect(run(`sleep ${marker} & sleep ${marker}1`, { seconds: 1 })).rejects.toThrow('time limit of 1 seconds');
  expect(processesWith(marker)).toEqual([]);
  const stop = new AbortController();
  const running = run(`sleep ${marker} & touch begun; sleep ${marker}1`, { signal: stop.signal });
  await until(() => existsSync(join(root, 'begun')));
  stop.abort();
  await expect(running).rejects.toThrow('cancelled');
  expect(processesWith(marker)).toEqual([]);
});

test('what it leaves in the background ends with it', async () => {
  expect(await run(`sleep ${marker} & echo done`)).toEqual({ text: 'exit code 0\ndone' });
  expect(processesWith(marker)).toEqual([]);
});
