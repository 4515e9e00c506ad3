/** Adding a line to a file in a checkout: to a plain file, and through nothing else. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendConfined, readConfined } from '../../src/files/confined.ts';
import { lockDirectory } from '../../src/files/directory-lock.ts';
import { tempDir } from '../support/temp.ts';

describe('a line', () => {
  it('goes to the end of a file that is made, and a torn line before it is ended', () => {
    const root = tempDir();
    appendConfined(root, 'events/S1.jsonl', 'one');
    appendConfined(root, 'events/S1.jsonl', 'two');
    writeFileSync(join(root, 'events/S1.jsonl'), 'one\ntw');
    appendConfined(root, 'events/S1.jsonl', 'three');
    expect(readFileSync(join(root, 'events/S1.jsonl'), 'utf8')).toBe('one\ntw\nthree\n');
  });

  it('is not written through a second name of a file', () => {
    const [root, outside] = [tempDir(), tempDir('outside')];
    writeFileSync(join(outside, 'precious'), 'mine\n');
    linkSync(join(outside, 'precious'), join(root, 'log'));
    appendConfined(root, 'log', 'line');
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(root, 'log'), 'utf8')).toBe('mine\nline\n');
  });

  it('is refused where a link, a pipe or a directory is', () => {
    const [root, outside] = [tempDir(), tempDir('outside')];
    symlinkSync(join(outside, 'new'), join(root, 'link'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    mkdirSync(join(root, 'directory'));
    symlinkSync(outside, join(root, 'way'));
    for (const [path, why] of [
      ['link', /link is a link/],
      ['pipe', /pipe is a pipe/],
      ['directory', /directory is a directory/],
      ['way/new', /way is a link where a directory belongs, so Forge does not use it$/],
    ] as const)
      expect(() => appendConfined(root, path, 'line')).toThrow(why);
  });
});

it('a place behind a link is named once', () => {
  const root = tempDir();
  symlinkSync('/etc', join(root, 'way'));
  expect(readConfined(root, 'way/hostname')).toEqual({
    status: 'refused',
    why: 'is not reached: way is a link where a directory belongs',
  });
});

it('a directory where a lock belongs is named at once', async () => {
  const root = tempDir();
  mkdirSync(join(root, '.lock'));
  await expect(lockDirectory(root)).rejects.toThrow(/\.lock is a directory where a lock belongs/);
});
