/** Commands about records in a project that has none, and where somebody else's store lies above it. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject } from './support.ts';

it('is said with what to do, and no store is made', async () => {
  const project = makeProject();
  for (const args of [['store', 'validate'], ['store', 'migrate'], ['store', 'migrate', '--dry-run'], ['collate']]) {
    const { code, stdout, stderr } = await project.forge(...args);
    expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/has no records: there is no \.forge\/store[^]*forge sprint new/);
  }
  expect(existsSync(join(project.root, '.forge/store'))).toBe(false);
});

it("a store above the repository is not the project's, and a link is named", async () => {
  const project = makeProject();
  const above = join(dirname(project.root), '.forge/store');
  mkdirSync(above, { recursive: true });
  writeFileSync(join(above, 'STORE.json'), '{"version":99}\n');
  expect((await project.forge('store', 'validate')).stderr).toContain('has no records');
  symlinkSync(above, join(project.root, '.forge/store'));
  for (const args of [['store', 'validate'], ['health'], ['collate']])
    expect(await project.forge(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('store is a link') });
});
