/** `forge memory` as a person uses it, with nothing learnt by a run: the files are theirs. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject, scriptedConfig } from './support.ts';

it('lists, shows, edits, promotes and removes lessons', async () => {
  const project = makeProject({
    files: { '.forge/memory/testing.md': '## Testing (node)\n- [2026-01-02,3] Use node --test.\n' },
  });
  const file = join(project.root, '.forge/memory/testing.md');
  const own = join(project.env['HOME'] ?? '', '.local/share/forge/memory');
  const listed = await project.forge('memory');
  const id = /^([0-9a-f]{10}) {2}Testing \(project/m.exec(listed.stdout)?.[1] ?? '';
  expect(await project.forge('memory', 'show', id.slice(0, 4))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  Use node --test.\n  this project, learnt 2026-01-02, applied 3×'),
  });
  expect(await project.forge('memory', 'promot', id)).toMatchObject({
    code: 2,
    stderr: 'forge: memory has no action "promot"\n  Did you mean promote?\n',
  });
  expect(await project.forge('memory', 'remove')).toMatchObject({ code: 2 });
  expect(await project.forge('memory', 'remove', 'zz')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no lesson "zz"'),
  });
  expect(existsSync(own)).toBe(false);
  expect(await project.forge('memory', 'promote', id)).toMatchObject({
    code: 0,
    stdout: 'All your projects use it now: Use node --test.\n',
  });
  expect(readFileSync(join(own, 'testing.md'), 'utf8')).toContain('Use node --test.');
  expect(await project.forge('memory', 'edit', id, '--text', 'Use npm test.')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toBe('## Testing (node)\n- [2026-01-02,3] Use npm test.\n');
  project.write({ '../editor.sh': '#!/bin/sh\nsed -i s/npm/pnpm/ "$1"\n' });
  chmodSync(join(project.root, '../editor.sh'), 0o755);
  const editor = { VISUAL: join(project.root, '../editor.sh') };
  expect(await project.forgeWith(editor, 'memory', 'edit')).toMatchObject({ code: 0, stdout: `Changed ${file}\n` });
  expect(readFileSync(file, 'utf8')).toContain('Use pnpm test.');
  expect(await project.forge('memory', 'remove', id, '--user')).toMatchObject({ code: 0 });
  const left = JSON.parse((await project.forge('memory', 'list', '--json')).stdout) as { lessons: object[] };
  expect(left.lessons).toMatchObject([{ text: 'Use pnpm test.', scope: 'project' }]);
  project.write({ '.forge/config.yaml': `${scriptedConfig}memory: off\n` });
  expect((await project.forge('memory')).stdout).toContain('Memory is off in .forge/config.yaml');
});
