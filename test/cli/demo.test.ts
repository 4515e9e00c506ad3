import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findOnPath } from '../../src/api/known-agents.ts';
import { aliasLines } from '../../src/cli/demo.ts';
import { tempDir } from '../support/temp.ts';
import { makeProject } from './support.ts';

it('shows an alias only where there is no forge on the PATH', () => {
  const bin = tempDir('forge-path');
  expect(aliasLines({ PATH: bin })).toEqual([expect.stringMatching(/^alias forge=/)]);
  writeFileSync(join(bin, 'forge'), '#!/bin/sh\n', { mode: 0o755 });
  expect(aliasLines({ PATH: bin })).toEqual([]);
});

it('the demo makes a repository, mends its mistake, merges, learns, and says how to look around', async () => {
  const tmp = makeProject().root;
  const project = makeProject({ env: { TMPDIR: tmp } });
  const { code, stdout } = await project.forge('demo');
  expect(code).toBe(0);
  for (const line of [
    ' › Round 1 › tester: 1 bug found',
    ' › Fix round 1/3 › developer: fixing',
    'Integration test: passed',
    '1 lesson learned',
    'forge undo',
  ]) {
    expect(stdout).toContain(line);
  }
  // Whoever has linked Forge needs no alias.
  expect(stdout.includes("  alias forge='node /")).toBe(findOnPath('forge', project.env) === undefined);
  const [made = ''] = readdirSync(tmp).filter((name) => name.startsWith('forge-demo-'));
  const root = join(tmp, made, 'units');
  const [branch = ''] = execFileSync('git', ['branch', '--list', 'forge/*', '--format=%(refname:short)'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n');
  expect(execFileSync('git', ['show', `${branch}:src/temperature.js`], { cwd: root, encoding: 'utf8' })).toContain(
    '32',
  );
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })).toBe(
    // The lesson it learnt, which is the person's to commit; everything else of Forge ignores itself.
    '?? .forge/memory/\n',
  );
});
