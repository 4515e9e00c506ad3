/** The same requirement, asked for twice at the same instant. */
import { expect, it } from 'vitest';
import { makeProject, plan, until } from './support.ts';

const requirement = 'Add a multiplication';

it('is begun once; the other is told which run works on it, and --fresh begins another', async () => {
  const project = makeProject({
    script: [
      { when: { role: 'planner' }, repeat: true, do: [{ reply: plan }] },
      { when: { role: 'developer' }, repeat: true, do: [{ exec: ['sleep', '120'] }] },
    ],
  });
  const both = [project.start(['run', requirement, '--yes']), project.start(['run', requirement, '--yes'])];
  const refused = await Promise.race(both.map(({ ended }) => ended));
  expect(refused.code).toBe(2);
  const [run = '', ...more] = project.runs();
  expect(more).toEqual([]);
  expect(refused.stderr).toContain(`The run ${run} works on this requirement already\n  Watch it: forge attach ${run}`);

  const fresh = project.start(['run', requirement, '--yes', '--fresh']);
  await until(() => project.runs().length === 2, 'another run');
  for (const { child } of [...both, fresh]) child.kill('SIGKILL');
  await Promise.all([...both, fresh].map(({ ended }) => ended));
});
