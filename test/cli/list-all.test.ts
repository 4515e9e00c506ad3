/** `forge list --all`: runs of every repository of this user, and repositories that are gone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject, plan } from './support.ts';

it('shows the runs of all repositories, from anywhere, and names one that is gone', async () => {
  const script = [{ when: { role: 'planner' }, do: [{ reply: plan }] }];
  const project = makeProject({ script });
  expect((await project.forge('run', 'Add a multiplication', '--plan-only')).code).toBe(0);
  const [run = ''] = project.runs();
  const listed = await project.start(['list', '--all', '--json'], {}, '/').ended;
  expect(JSON.parse(listed.stdout)).toMatchObject([{ repository: 'sums', root: project.root, run, status: 'waiting' }]);
  const text = await project.start(['list', '--all'], {}, '/').ended;
  expect(text.stdout).toMatch(new RegExp(`^${project.root}\\n  ${run}  waiting`));
  rmSync(join(project.root, '.git'), { recursive: true });
  const gone = await project.start(['list', '--all'], {}, '/').ended;
  expect(gone).toMatchObject({ code: 0, stdout: `${project.root}: the repository is not there any more\n` });
});
