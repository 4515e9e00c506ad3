/**
 * A wave that needs a person after all is parked: the others go on, the run waits at the end, and the answer finishes
 * it. The checks are the plan's own: each wave is held to its own commands and those of what is merged already.
 */
import { expect, it } from 'vitest';
import { makeProject } from './support.ts';
import { developed, job, learned, module, overview, passed, reply, storyOf, task } from './waves-story.ts';

const proposal = {
  overview,
  tasks: ['T1', 'T2', 'T3', 'T4'].map((id) =>
    task(
      id,
      id === 'T1' || id === 'T3' ? { verify: [`node --test test/${id}.test.js`] } : { kind: 'docs', verify: [] },
    ),
  ),
  waves: [
    ['T1', 'T2'],
    ['T3', 'T4'],
  ],
};

it('parks a wave that has to ask, goes on with the next, and finishes when it is answered', async () => {
  const project = makeProject({
    config: 'agents: { actor: { driver: scripted, script: .forge/script.yaml } }\nscope: { undeclared: ask }\n',
    script: [
      job('plan#1', reply(proposal)),
      job('W1/develop#1', ...module('T1'), { write: { path: 'NOTES.md', content: 'more\n' } }, developed()),
      job('W1/test#1', passed()),
      job('W2/develop#1', ...module('T3'), developed()),
      job('W2/test#1', passed()),
      job('integration/test#1', passed()),
      learned(),
    ],
  });
  expect(await project.forge('run', 'Add numbers')).toMatchObject({ code: 3 });
  const waiting = await project.forge('answer', '--option', 'yes');
  expect(waiting.code).toBe(3);
  const asked = storyOf(project);
  expect(asked.outcomes).toEqual({ W2: 'done' });
  expect(waiting.stderr).toContain(`forge answer ${asked.run} W1/integrate#1/scope`);
  expect(asked.detail('W1/integrate#1/scope')).toBe('NOTES.md: not declared by W1');

  expect(await project.forge('answer', '--option', 'accept')).toMatchObject({ code: 0 });
  const story = storyOf(project);
  expect(story.outcomes).toEqual({ W1: 'done', W2: 'done' });
  expect(story.jobs).toEqual([
    'plan#1',
    'W1/develop#1',
    'W1/test#1',
    'W2/develop#1',
    'W2/test#1',
    'integration/test#1',
    'learn',
  ]);
  const checked = (key: string): unknown => (story.input(key) as unknown as { entries: unknown }).entries;
  expect(checked('W1/verify#1/check')).toEqual(['node --test test/T1.test.js']);
  expect(checked('W2/verify#1/check')).toEqual(['node --test test/T3.test.js']);
  expect(checked('integration/verify#1/check')).toEqual(['node --test test/T1.test.js', 'node --test test/T3.test.js']);
  expect(project.git('ls-tree', '-r', '--name-only', `forge/${story.run}`)).toContain('NOTES.md');
});
