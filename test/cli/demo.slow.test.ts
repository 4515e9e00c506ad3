/** The demo on a machine where nothing can be contained. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempDir } from '../support/temp.ts';
import { makeProject } from './support.ts';

it('the demo says that no jail can be had, and runs all the same', async () => {
  const area = tempDir('forge-open');
  const [bin, tmp] = [join(area, 'bin'), join(area, 'tmp')];
  mkdirSync(bin);
  mkdirSync(tmp);
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: not on this machine" >&2\nexit 1\n');
  chmodSync(join(bin, 'bwrap'), 0o755);
  const project = makeProject();
  const env = { PATH: `${bin}:${project.env['PATH']}`, TMPDIR: tmp };
  const { code, stdout, stderr } = await project.start(['demo'], env).ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(/^note: .*bwrap: not on this machine.* The demo runs without a jail\.\n/);
  expect(stdout).toContain('Integration test: passed');
  expect(stdout).toContain('  forge undo\n');
  const [made = ''] = readdirSync(tmp).filter((name) => name.startsWith('forge-demo-'));
  expect(readFileSync(join(tmp, made, 'units/.forge/config.yaml'), 'utf8')).toContain('jail: { mode: none }\n');
});
