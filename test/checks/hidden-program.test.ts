/** A program that the shell finds in the person's home, where the jail shows nothing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBaseline } from '../../src/checks/baseline.ts';
import { scratch } from '../git/support.ts';
import { makeScene, never } from './support.ts';

const home = scratch('home');
const shims = join(home, '.pyenv/shims');
const before = { HOME: process.env['HOME'], PATH: process.env['PATH'] };

beforeAll(() => {
  mkdirSync(shims, { recursive: true });
  writeFileSync(join(shims, 'my-pytest'), '#!/bin/sh\n[ "$PYENV_ROOT" != "" ] && echo "3 passed in 0.10s"\n', {
    mode: 0o755,
  });
  process.env['HOME'] = home;
  process.env['PATH'] = `${before.PATH}:${shims}`;
});
afterAll(() => void Object.assign(process.env, before));

const request = { run: 'r', name: 'base', entries: { settings: ['my-pytest -q'] } };

it('is offered with everything that has to be shown, and then found', async () => {
  const scene = await makeScene({ 'a.txt': 'a\n' });
  const root = join(home, '.pyenv');
  const { hidden } = await runBaseline(scene.deps, { ...request, commit: scene.base, offer: true }, never);
  expect(hidden).toEqual([
    {
      program: 'my-pytest',
      at: join(shims, 'my-pytest'),
      manager: 'pyenv',
      readable: [root],
      env: { PYENV_ROOT: root },
    },
  ]);
  const shown = { ...scene.deps, readable: [root], env: { PYENV_ROOT: root } };
  const report = await runBaseline(shown, { ...request, commit: scene.base, offer: true }, never);
  expect([report.status, report.hidden, report.commands[0]?.counts?.passed]).toEqual(['passed', undefined, 3]);
});

it('stops a run that asks nobody, with the setting that helps', async () => {
  const scene = await makeScene({ 'a.txt': 'a\n' });
  await expect(runBaseline(scene.deps, { ...request, commit: scene.base }, never)).rejects.toMatchObject({
    code: 'checks-cannot-start',
    hint: expect.stringContaining(`jail: { readable: ["${join(home, '.pyenv')}"] }`),
  });
});
