/** Commands that cannot do what they were asked say so: they do not wait in silence, ignore options or seem empty. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject } from './support.ts';

it.each([
  [['--from-history', 'HEAD~1..HEAD', '--workflow', 'waves'], '--workflow has no effect with --from-history'],
  [['--from-history', 'HEAD~1..HEAD', '--pace', '1'], '--pace has no effect with --from-history'],
  [['--check', 'x', '--keep'], '--keep has no effect with --check'],
  [['some.yaml', '--barriers'], '--barriers has no effect with a recording'],
])('refuses an option that has no effect: rehearse %j', async (args, message) => {
  const { code, stderr } = await makeProject().forge('rehearse', ...args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

it('says that a journal cannot be read, and not that nothing was said', async () => {
  const project = makeProject();
  const run = 'anything-k3q9';
  mkdirSync(project.directory(run), { recursive: true });
  writeFileSync(join(project.directory(run), 'journal.jsonl'), 'garbage\nmore\n');
  const { code, stdout, stderr } = await project.forge('logs', run);
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  expect(stderr).toContain('journal');
});
