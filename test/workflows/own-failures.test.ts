/** A mistake in a repository's own workflow is told with its file and line. It is no bug of Forge's. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explainOwnFailure } from '../../src/workflows/own-workflow-failure.ts';
import { ForgeError } from '../../src/errors.ts';
import { makeRepo } from '../git/support.ts';

const workflow = (name: string, body: string, more = '') => `import { askRolesOf, taskSchema } from 'forge/workflow';
import { z } from 'zod';
export const workflow = { name: '${name}', version: 1, ${more} async run(bench, input) {
${body}
} };
`;
const effect = `await bench.perform('agent.run', 'T1/develop#1', { agent: input.agents.tester, role: 'tester' });`;
const bodies: Readonly<Record<string, string>> = {
  'bad-effect': effect,
  'bad-result': `return 'done';`,
  'key-twice': `await bench.step('a', { kind: 'x', title: 'A' }, async () => {});
await bench.step('a', { kind: 'x', title: 'A' }, async () => {});`,
  'no-effect': `await bench.perform('agent.walk', 'T1', {});`,
  'no-role': `await askRolesOf({ developer: {} })(bench, 'T1', { input, role: 'tester', workspace: 'T1', brief: () => '' });`,
  'step-end': `await bench.step('a', { kind: 'x', title: 'A', end: () => { throw new Error('no detail'); } }, async () => {});
return { status: 'done' };`,
  throws: `
const helper = () => input.plan.tasks;
helper();`,
  unfinished: `bench.schedule([taskSchema.parse({ id: 'T1', title: 'T', writes: ['**'] })], { limit: 1 }, () => new Promise(() => {}));
await bench.step('a', { kind: 'x', title: 'A' }, async () => {});
return { status: 'done' };`,
};

it('names file and line of whatever the workflow did wrong', () => {
  const files = Object.entries(bodies).map(([name, body]) => [`.forge/workflows/${name}.mjs`, workflow(name, body)]);
  const input = workflow('input', `return { status: 'done' };`, 'input: z.object({ size: z.number() }),');
  const head = `argument: { name: 'wish', kind: 'text', summary: 'what', orOption: 'from' }, repositoriesOption: 'with',
options: { from: { type: 'text', summary: 'instead of the wish' }, with: { type: 'text', summary: 'other repositories' } },`;
  const whole = workflow('whole', `return 'done';`, head);
  const more = Object.entries({ input, whole }).map(([name, text]) => [`.forge/workflows/${name}.mjs`, text]);
  const repo = makeRepo({ files: Object.fromEntries([...files, ...more]) });
  const host = join(import.meta.dirname, '../../.build/test/workflows/own-failures-host.js');
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const out = execFileSync(process.execPath, [host, repo.root, repo.dataDir], { encoding: 'utf8', env });
  const failed = (message: string) => ['stopped', 'workflow-failed', 2, `.forge/workflows/${message}`];
  expect(JSON.parse(out)).toEqual({
    'bad-effect': failed('bad-effect.mjs:4: The effect agent.run cannot be performed: agent: It is missing.'),
    'bad-result': failed("bad-result.mjs: run() must return { status: 'done' } or { status: 'failed', reason }"),
    input: failed('input.mjs: size: Invalid input: expected number, received undefined'),
    'key-twice': failed('key-twice.mjs:5: The key "step a" was used twice in one execution'),
    'no-effect': failed('no-effect.mjs:4: The effect agent.walk cannot be performed: there is no effect of this kind'),
    'no-role': failed('no-role.mjs:4: there is no role "tester" (declared: developer)'),
    'step-end': failed('step-end.mjs:4: no detail'),
    throws: failed("throws.mjs:5: Cannot read properties of undefined (reading 'tasks')"),
    // The parts of its head are those that Forge's own workflows have, so only its result is wrong.
    whole: failed("whole.mjs: run() must return { status: 'done' } or { status: 'failed', reason }"),
    unfinished: failed('unfinished.mjs: The workflow says it is done, but T1 did not end'),
  });
});

it('leaves failures of the machine, of git and of agents as they are', () => {
  const about = { entry: '.forge/workflows/a.mjs', copies: 'agreed-workflows' };
  const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  const git = new ForgeError('git-failed', 'git said no');
  expect([explainOwnFailure(full, about), explainOwnFailure(git, about)]).toEqual([full, git]);
});
