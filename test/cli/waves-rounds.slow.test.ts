/** Three rounds of mending are enough, for a wave and for the whole: then it fails with the bugs named, and teaches. */
import { expect, it } from 'vitest';
import { makeProject } from './support.ts';
import { bug, developed, failed, job, learned, module, passed, plan, reply, storyOf } from './waves-story.ts';

it('gives up on the whole after three rounds, keeps what the waves brought, and names the bugs', async () => {
  const cross = bug('the waves disagree', { files: ['src/T3.js', 'src/T1.js'] });
  const rounds = [1, 2, 3, 4].flatMap((round) => [
    job(`integration/test#${round}`, failed(cross, ...(round < 3 ? [bug('T3 is odd', { wave: 2 })] : []))),
    job(`integration/fix#${round}/W1`, { session: `mending-${round}` }, ...module('T1', round + 1), developed()),
    job(`integration/fix#${round}/W2`, ...module('T3', round + 1), developed()),
  ]);
  const project = makeProject({
    script: [
      job(
        'plan#1',
        reply(
          plan([
            ['T1', 'T2'],
            ['T3', 'T4'],
          ]),
        ),
      ),
      job('W1/develop#1', { session: 'building' }, ...module('T1'), developed()),
      job('W1/test#1', passed()),
      job('W2/develop#1', ...module('T3'), developed()),
      job('W2/test#1', passed()),
      ...rounds,
      learned(),
    ],
  });
  const { code, stdout } = await project.forge('run', 'Add numbers', '--yes');
  expect(code).toBe(1);
  const story = storyOf(project);
  expect(story.jobs.filter((key) => key.startsWith('integration/'))).toEqual([
    'integration/test#1',
    'integration/fix#1/W1',
    'integration/fix#1/W2',
    'integration/test#2',
    'integration/fix#2/W1',
    'integration/fix#2/W2',
    'integration/test#3',
    'integration/fix#3/W1',
    'integration/test#4',
  ]);
  const spoken = [1, 2, 3].map((round) => story.input(`integration/fix#${round}/W1`).session);
  expect(spoken).toEqual(['building', 'mending-1', 'mending-2']);
  expect(story.outcomes).toEqual({ W1: 'done', W2: 'done' });
  expect(story.end).toMatchObject({
    status: 'failed',
    reason: 'integration test: 1 bug(s) remain',
    output: { bugsFound: 2, bugsFixed: 1, remainingBugs: [{ title: 'the waves disagree' }], lessonsAdded: 1 },
  });
  // What was not accepted is captured and not part of the branch.
  expect(project.git('show', `forge/${story.run}:src/T1.js`)).toBe('export const T1 = () => 1;');
  expect(project.git('show', `refs/forge/${story.run}/task-integration/5:src/T1.js`)).toBe(
    'export const T1 = () => 4;',
  );
  expect(stdout).toContain('the waves disagree');
});

it('gives up on a wave after three rounds, with green checks, and merges nothing of it', async () => {
  const rounds = [1, 2, 3, 4].flatMap((round) => [
    job(`W1/develop#${round}`, ...module('T1', round), developed({ bugsFixed: ['too small'] })),
    job(`W1/test#${round}`, failed(bug('too small'))),
  ]);
  const project = makeProject({ script: [job('plan#1', reply(plan([['T1', 'T2']]))), ...rounds, learned()] });
  const { code, stdout } = await project.forge('run', 'Add numbers', '--yes');
  expect(code).toBe(1);
  const story = storyOf(project);
  expect(story.outcomes).toEqual({ W1: 'failed: 1 bug(s) remain: too small' });
  expect(story.end).toMatchObject({
    status: 'failed',
    output: { bugsFound: 1, bugsFixed: 0, remainingBugs: [{ title: 'too small' }], lessonsAdded: 1 },
  });
  // Nothing was merged: nothing to test as a whole, and no branch.
  expect(story.effects('integration')).toEqual([]);
  expect(project.git('for-each-ref', 'refs/heads', '--format=%(refname:short)')).toBe('main');
  expect(project.git('show', `refs/forge/${story.run}/W1/4:src/T1.js`)).toBe('export const T1 = () => 4;');
  expect(story.input('learn').prompt).toContain(
    'W1: failed (1 bug(s) remain: too small); 1 bug(s) found in 4 round(s); open: too small',
  );
  expect(stdout).toContain('too small');
});
