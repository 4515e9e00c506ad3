/** A workspace in which an agent works right now is not validated: the agent could change files while they are read. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { developed, makeProject, type Project, script, until } from '../cli/support.ts';
import { connect } from './client.ts';

const wait = { exec: ['sh', '-c', 'touch here.tmp; until [ -e go.tmp ]; do sleep 0.05; done; rm -f here.tmp go.tmp'] };

/** The tree in which the agent waits. */
function waitingTree(project: Project): string | undefined {
  const area = join(project.env['HOME'] ?? '', '.local/share/forge/workspaces');
  const [repository = ''] = existsSync(area) ? readdirSync(area) : [];
  const tree = join(area, repository, project.runs()[0] ?? '', 'W1', 'tree');
  return existsSync(join(tree, 'here.tmp')) ? tree : undefined;
}

it("is refused while the run works, and the person's own checkout is not", { timeout: 300_000 }, async () => {
  const project = makeProject({ script: script({ develop: [wait, ...developed] }) });
  const run = project.start(['run', 'Add a multiplication', '--yes']);
  const tree = await until(() => waitingTree(project), 'an agent at work');
  const { call } = await connect(project);
  const request = { moduleId: 'm1', runId: 'mine-1', commands: ['touch made'] };
  const refused = (await call('validate', { ...request, cwd: tree })).json();
  expect(refused).toMatchObject({
    passed: false,
    recommendation: 'ESCALATE',
    results: [{ type: 'cwd_check', passed: false, error: expect.stringContaining('is at work there') }],
  });
  expect(existsSync(join(tree, 'made'))).toBe(false);
  expect(
    (await call('validate', { ...request, moduleId: 'm2', commands: ['test -e src/add.js'] })).json(),
  ).toMatchObject({
    results: [{ type: 'command', passed: true }],
  });
  writeFileSync(join(tree, 'go.tmp'), '');
  expect(await run.ended).toMatchObject({ code: 0 });
});
