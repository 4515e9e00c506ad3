/** Waves that are not accepted: captured, not merged, with the reason; what does not depend on them goes on. */
import { describe, expect, it } from 'vitest';
import { makeProject } from './support.ts';
import {
  developed,
  job,
  learned,
  module,
  nearly,
  overview,
  passed,
  plan,
  reply,
  storyOf,
  task,
} from './waves-story.ts';

/** Three truncated replies in a row. */
const never = (key: string, ...steps: readonly object[]): object[] => [
  job(key, ...steps, nearly),
  job(`${key}/recovery#2`, nearly),
  job(`${key}/recovery#3`, reply({ result: 'fail', bugs: [] })),
];

describe('work that is not accepted', () => {
  it('is unverified without a tester, skips what depends on it, and is kept; the rest goes on', async () => {
    const proposal = {
      overview,
      tasks: ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'].map((id) => task(id, id === 'T3' ? { depends: ['T1'] } : {})),
      waves: [
        ['T1', 'T2'],
        ['T3', 'T4'],
        ['T5', 'T6'],
      ],
    };
    const project = makeProject({
      script: [
        job('plan#1', reply(proposal)),
        job('W1/develop#1', ...module('T1'), developed()),
        ...never('W1/test#1'),
        job('W3/develop#1', ...module('T5'), reply({ status: 'partial', summary: 'T6 is open' })),
        job('W3/test#1', passed()),
        job('W3/develop#2', ...module('T6'), developed()),
        job('W3/test#2', passed()),
        ...never('integration/test#1'),
        ...never('learn'),
      ],
    });
    const { code, stdout } = await project.forge('run', 'Add numbers', '--yes');
    expect(code).toBe(1);
    const story = storyOf(project);
    const why =
      "The reply does not fit the role's result: bugs: a failed test must name its bugs, and a skipped test is none.";
    expect(story.outcomes).toEqual({
      W1: `failed: unverified: the tester: ${why}`,
      W2: 'skipped: depends on W1, which is failed',
      W3: 'done',
    });
    expect(story.end).toMatchObject({
      status: 'failed',
      output: {
        unverified: [`W1: the tester: ${why}`, `integration: unverified: the tester: ${why}`],
        lessonsAdded: 0,
      },
    });
    // Neither checked nor merged: there was nothing to go by.
    expect(story.effects('W1/').filter((key) => !key.startsWith('W1/test'))).toEqual(['W1/base', 'W1/develop#1']);
    expect(project.git('ls-tree', '-r', '--name-only', `forge/${story.run}`, 'src')).toBe(
      'src/T5.js\nsrc/T6.js\nsrc/add.js',
    );
    const kept = project.git('for-each-ref', '--format=%(refname)', `refs/forge/${story.run}`).split('\n');
    expect(kept.some((ref) => project.git('ls-tree', '-r', '--name-only', ref, 'src').includes('src/T1.js'))).toBe(
      true,
    );
    // What its developer calls partial is not done, whatever the tester says.
    expect(story.input('W3/develop#2').prompt).toContain(
      '## What you left unfinished\n\nthe developer calls its work partial: T6 is open\n',
    );
    expect(story.input('integration/test#1').prompt).toContain('## Not part of the code you see\n\n- W1: failed: ');
    expect(stdout).toContain(' › Round 1 › tester: no usable reply in 3 attempts: ');
    expect(stdout).toContain(']: skipped, depends on W1, which is failed');
    expect(stdout).toContain('Learn › learner: no usable reply in 3 attempts');
  });

  it('fails without a developer after three attempts, keeps what was there, and still learns', async () => {
    const project = makeProject({
      script: [job('plan#1', reply(plan([['T1', 'T2']]))), ...never('W1/develop#1', ...module('T1')), learned()],
    });
    const { code, stdout } = await project.forge('run', 'Add numbers', '--yes');
    expect(code).toBe(1);
    const story = storyOf(project);
    expect(story.outcomes).toEqual({ W1: expect.stringMatching(/^failed: the developer: The reply does not fit/) });
    expect(story.end).toMatchObject({ status: 'failed', output: { lessonsAdded: 1, unverified: [] } });
    expect(project.git('show', `refs/forge/${story.run}/W1/1:src/T1.js`)).toBe('export const T1 = () => 1;');
    expect(project.git('for-each-ref', 'refs/heads', '--format=%(refname:short)')).toBe('main');
    expect(stdout).toContain('1 lesson learned');
  });
});
