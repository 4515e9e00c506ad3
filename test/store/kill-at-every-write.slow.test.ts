/** A writer is killed at each of its changes to files. What it had acknowledged is there, nothing is torn, and work goes on. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../support/temp.ts';
import { walking } from './story.ts';

function walk(root: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', walking, root], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  const done = stdout.split('\n').flatMap((line) => (/^done (\d)/.exec(line)?.[1] === undefined ? [] : [line]));
  return { done: done.length, signal, stderr, changes: Number(/^changes (\d+)$/m.exec(stdout)?.[1] ?? 0) };
}

function read(root: string): Readonly<Record<string, unknown>> {
  const store = join(root, '.forge/store');
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(store, name)).isFile(),
  );
  const own = files.filter((name) => !/(^|\/)\./.test(name)).sort();
  return Object.fromEntries(
    own.map((name) => {
      const text = readFileSync(join(store, name), 'utf8');
      return [name, name.endsWith('.json') ? (JSON.parse(text) as unknown) : text];
    }),
  );
}

it('survives a kill at every change of a file', () => {
  const whole = tempDir('store');
  const { done, changes, stderr } = walk(whole);
  expect({ done, stderr }).toEqual({ done: 8, stderr: '' });
  expect(changes).toBeGreaterThan(60);
  const end = read(whole);
  for (let deadly = 1; deadly <= changes; deadly++) {
    const root = tempDir('store');
    const killed = walk(root, { KILL_AT: String(deadly) });
    expect(killed.signal).toBe('SIGKILL');
    // Everything there is whole, and everything that was acknowledged is there; the step that was cut off can be redone.
    const again = walk(root, { BEGIN: String(killed.done) });
    expect({ deadly, stderr: again.stderr, done: again.done }).toEqual({ deadly, stderr: '', done: 8 - killed.done });
    const after = read(root);
    const log = 'events/S1/progress.log';
    const lines = String(after[log])
      .split('\n')
      .filter((line) => line !== '');
    // A line that was cut off stays as it is, and the next one begins below it.
    expect(lines.at(-1)).toBe(String(end[log]).trim());
    expect({ ...after, [log]: '' }).toEqual({ ...end, [log]: '' });
  }
});
