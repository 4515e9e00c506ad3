/** The MCP inspector's own command line against the real binary: it lists, calls and reads what the server has. */
import { beforeAll, expect, it } from 'vitest';
import { makeProject, type Project } from '../cli/support.ts';
import { binary } from './client.ts';
import { findInspector, inspect } from './inspector.ts';

let program = '';

beforeAll(() => {
  program = findInspector();
});

async function ask(project: Project, ...args: readonly string[]): Promise<unknown> {
  const server = [process.execPath, binary, 'mcp'];
  const { code, stdout, stderr } = await inspect(program, [...server, ...args], {
    cwd: project.root,
    env: project.env,
  });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

const textOf = (answer: unknown): string =>
  (answer as { readonly content: readonly { readonly text: string }[] }).content[0]?.text ?? '';

it('lists the tools, calls them, and reads a document of a run', async () => {
  const project = makeProject();
  const { tools } = (await ask(project, '--method', 'tools/list')) as { tools: { name: string }[] };
  expect(tools.length).toBe(18);
  expect(tools.map((tool) => tool.name)).toContain('forge_run');

  const call = ['--method', 'tools/call', '--tool-name'];
  const validated = await ask(project, ...call, 'validate', '--tool-arg', 'moduleId=m1', 'commands=["node --test"]');
  expect(JSON.parse(textOf(validated))).toMatchObject({ passed: true, recommendation: 'PASS' });
  const guarded = await ask(project, ...call, 'session_state', '--tool-arg', 'action=load', 'runId=../../etc/passwd');
  expect(guarded).toMatchObject({ isError: true });

  await project.forge('run', 'Add a multiplication', '--yes');
  const [run = ''] = project.runs();
  const { resources } = (await ask(project, '--method', 'resources/list')) as { resources: { uri: string }[] };
  const uri = `forge://runs/${run}/documents/add-multiplication-plan.md`;
  expect(resources.map((resource) => resource.uri)).toContain(uri);
  const read = await ask(project, '--method', 'resources/read', '--uri', uri);
  expect(read).toMatchObject({ contents: [{ uri, mimeType: 'text/markdown' }] });
  const report = await ask(project, ...call, 'forge_report', '--tool-arg', `run=${run}`);
  expect(textOf(report)).toContain(run);
});
