/** What git runs as hooks of a repository is protected, wherever its configuration says that they are. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openForge } from '../../src/compose.ts';
import { pathGuards } from '../../src/policy/protected-paths.ts';
import { makeRepo, scratch } from './support.ts';

async function guardsWith(hooksPath: string | undefined) {
  const user = makeRepo({ files: { 'tools/hooks/pre-commit': '#!/bin/sh\n', 'a.txt': 'a\n' } });
  if (hooksPath !== undefined) user.git('config', 'core.hooksPath', hooksPath.replace('<root>', user.root));
  const area = scratch('state');
  const { settings } = await openForge({ cwd: user.root, dataDir: join(area, 'data'), stateDir: join(area, 'state') });
  return pathGuards(settings.scope);
}

it.each(['tools/hooks', '<root>/tools/hooks', './tools/hooks/'])(
  'core.hooksPath %s protects what is in it',
  async (at) => {
    const guard = await guardsWith(at);
    expect(guard('tools/hooks/pre-commit')?.case).toBe('protected');
    expect(guard('tools/hooks/deep/post-merge')?.case).toBe('protected');
    expect(guard('TOOLS/Hooks/pre-push')?.case).toBe('protected');
    expect(guard('tools/other.js')).toBeUndefined();
  },
);

it.each([undefined, '/somewhere/else', '../beside'])(
  'core.hooksPath %s, outside of the repository, protects nothing in it',
  async (at) => {
    const guard = await guardsWith(at);
    expect(guard('tools/hooks/pre-commit')).toBeUndefined();
  },
);
