/** What is said about files of a commit without running anything. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inspectFiles } from '../../src/toolbox/inspect-files.ts';
import { makeRepo } from '../git/support.ts';

it('takes a link for there, and does not read where it leads for code', async () => {
  const user = makeRepo({ files: { 'a.mjs': 'export const a = 1;\n', 'b.mjs': "import { b } from './a.mjs';\n" } });
  symlinkSync('/etc/passwd', join(user.root, 'link.mjs'));
  const commit = user.commit('link', {});
  const repo = await user.open();
  const named = (name: string) => ({ name, path: name });
  const results = await inspectFiles(repo, {
    commit,
    files: ['a.mjs', 'link.mjs', 'none.mjs'].map(named),
    pairs: [{ exporter: named('a.mjs'), importer: named('b.mjs') }],
    isThere: async () => false,
  });
  expect(results).toMatchObject([
    { type: 'file_check', file: 'a.mjs', passed: true },
    { type: 'file_check', file: 'link.mjs', passed: true },
    { type: 'file_check', file: 'none.mjs', passed: false },
    { type: 'syntax_check', file: 'a.mjs', passed: true },
    { type: 'contract_check', passed: false, missing: ['b'] },
  ]);
});
