/** A writer is killed at each of its changes to files. What it had acknowledged is there, nothing is torn, and work goes on. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../support/temp.ts';
import { stepCount, walkStory } from './story.ts';

const story = resolve(import.meta.dirname, '../../.build/test/store/story.js');

/** Walks the story, and kills itself at the nth change of a file; of a file's content, in the middle. */
const walking = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const [, root, deadly] = process.argv;
  const say = fs.writeSync;
  let count = 0;
  const changing = ['writeFileSync', 'writeSync', 'renameSync', 'linkSync', 'rmSync', 'mkdirSync', 'fsyncSync', 'openSync'];
  for (const name of changing) {
    const real = fs[name];
    fs[name] = (...args) => {
      if (++count === Number(deadly)) {
        if (name === 'writeFileSync' || name === 'writeSync') {
          const text = String(args[1]);
          real(args[0], text.slice(0, Math.floor(text.length / 2)), ...args.slice(2));
        }
        process.kill(process.pid, 'SIGKILL');
        // A signal to oneself may take a moment; nothing more is done until then.
        for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      }
      return real(...args);
    };
  }
  syncBuiltinESMExports();
  const { walkStory } = await import(${JSON.stringify(story)});
  await walkStory(root, 0, (step) => say(1, 'done ' + step + '\\n'));
  say(1, 'changes ' + count + '\\n');
`;

function walk(root: string, deadly: number) {
  const args = ['--input-type=module', '-e', walking, root, String(deadly)];
  const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 600_000 });
  const done = stdout.match(/^done \d+$/gm)?.length ?? 0;
  return { done, signal, stderr, changes: Number(/^changes (\d+)$/m.exec(stdout)?.[1] ?? 0) };
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

it('survives a kill at every change of a file', async () => {
  const whole = tempDir('store');
  const { done, changes, stderr } = walk(whole, 0);
  expect({ done, stderr }).toEqual({ done: stepCount, stderr: '' });
  expect(changes).toBeGreaterThan(60);
  const end = read(whole);
  const log = 'events/S1/progress.log';
  for (let deadly = 1; deadly <= changes; deadly++) {
    const root = tempDir('store');
    const killed = walk(root, deadly);
    expect({ deadly, signal: killed.signal }).toEqual({ deadly, signal: 'SIGKILL' });
    // Everything that was acknowledged is there and whole; the step that was cut off is taken again by another process.
    await walkStory(root, killed.done, () => undefined);
    const after = read(root);
    const lines = String(after[log])
      .split('\n')
      .filter((line) => line !== '');
    // A line that was cut off stays as it is, and the next one begins below it.
    expect(lines.at(-1)).toBe(String(end[log]).trim());
    expect({ deadly, ...after, [log]: '' }).toEqual({ deadly, ...end, [log]: '' });
  }
});
