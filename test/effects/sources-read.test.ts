/** Sources for a prompt: in order, within the room, by few calls of git, and not when nobody wants them any more. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { EffectDeps } from '../../src/effects/deps.ts';
import { sourcesRead } from '../../src/effects/sources-read.ts';
import type { EffectContext } from '../../src/engine/performer.ts';
import { makeRepo, scratch } from '../git/support.ts';

const path = process.env['PATH'] ?? '';
afterEach(() => {
  process.env['PATH'] = path;
});

/** Every git that is started from now on, by what it was asked to do. */
function countGit(): () => number {
  const directory = scratch('bin');
  const log = join(directory, 'log');
  const real = path
    .split(delimiter)
    .map((each) => join(each, 'git'))
    .find((file) => existsSync(file));
  writeFileSync(join(directory, 'git'), `#!/bin/sh\necho x >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(directory, 'git'), 0o755);
  process.env['PATH'] = `${directory}${delimiter}${path}`;
  return () => (existsSync(log) ? readFileSync(log, 'utf8').length / 2 : 0);
}

async function setting(count: number, redact: (text: string) => string = (text) => text) {
  const names = Array.from({ length: count }, (_, at) => `src/f${String(at).padStart(3, '0')}.js`);
  const user = makeRepo({
    files: {
      ...Object.fromEntries(names.map((name, at) => [name, `${at}\n`])),
      'bin.dat': 'a\0b',
      'last.js': 'last\n',
    },
  });
  const repo = await user.open();
  const controller = new AbortController();
  const performer = sourcesRead({ repo, redactor: { redact } } as EffectDeps);
  const read = (paths: string[], chars: number) =>
    performer.perform({ commit: repo.head, paths, chars }, { signal: controller.signal } as EffectContext);
  return { names, read, controller };
}

describe('sources.read', () => {
  it('gives files in the order asked for, each once, and says what did not fit', async () => {
    const { names, read } = await setting(3);
    expect(await read(['last.js', 'bin.dat', 'src/**', 'last.js', 'none.js'], 8)).toEqual({
      files: [
        { path: 'last.js', text: 'last\n', cut: false },
        { path: names[0], text: '0\n', cut: false },
        { path: names[1], text: '1', cut: true },
      ],
      omitted: ['bin.dat', names[2]],
    });
  });

  it('starts no more git for more files', async () => {
    const { names, read } = await setting(150);
    const started = countGit();
    const { files, omitted } = await read(['src'], 100_000);
    expect([files.map((file) => file.path), omitted]).toEqual([names, []]);
    expect(started()).toBeLessThanOrEqual(7);
  });

  it('stops when it is interrupted: before anything, and between batches', async () => {
    const early = await setting(1);
    const started = countGit();
    early.controller.abort(new Error('paused'));
    await expect(early.read(['src'], 10)).rejects.toThrow('paused');
    expect(started()).toBe(0);
    const texts: string[] = [];
    const { read, controller } = await setting(100, (text) => {
      controller.abort(new Error('paused'));
      texts.push(text);
      return text;
    });
    await expect(read(['src'], 10_000)).rejects.toThrow('paused');
    expect(texts.length).toBeLessThan(100);
  });
});
