/** The example of docs/workflows.md, as a reader would use it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject } from '../cli/support.ts';
import { makeRepo } from '../git/support.ts';

const project = join(import.meta.dirname, '../..');
const page = readFileSync(join(project, 'docs/workflows.md'), 'utf8');
const example = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';

it('may be TypeScript where Node reads that; where not, this is said before anything is begun', async () => {
  const workflow = `import type { Workflow } from 'forge/workflow';
const reason: string = 'nothing was to be done';
export const workflow: Workflow = { name: 'tiny', version: 1, run: async () => ({ status: 'done', reason }) };
`;
  const own = makeProject({ files: { '.forge/workflows/tiny.ts': workflow } });
  expect((await own.forge('trust', '--yes')).code).toBe(0);
  const { code, stdout, stderr } = await own.forge('run', 'Do nothing', '--workflow', 'tiny');
  if ((process.features as { readonly typescript?: unknown }).typescript) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('nothing was to be done');
    return;
  }
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(
    `\n  Node ${process.versions.node} does not read TypeScript, 22.18 and later do; or write it`,
  );
  expect(own.runs()).toEqual([]);
});

it('runs, asks and publishes', () => {
  const repo = makeRepo({
    files: {
      'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
      'test/a.test.js': "import test from 'node:test';\ntest('a', () => {});\n",
    },
  });
  mkdirSync(join(repo.root, '.forge/workflows'), { recursive: true });
  writeFileSync(join(repo.root, '.forge/workflows/one-task.mjs'), example);
  const script = join(dirname(repo.root), 'script.json');
  const steps = [
    { write: { path: 'src/a.js', content: 'export const a = 1;\n' } },
    { reply: { status: 'success', summary: 'ok' } },
  ];
  writeFileSync(script, JSON.stringify([{ do: steps }]));
  const host = join(project, '.build/test/workflows/own-host.js');
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const out = execFileSync(process.execPath, [host, repo.root, repo.dataDir, script], { encoding: 'utf8', env });
  expect(JSON.parse(out)).toEqual(['waiting', 'done', 'Did you mean one-task?']);
  expect(repo.git('show', 'forge/own:src/a.js')).toBe('export const a = 1;');
});
