/** A run stops at its budget with nothing lost, goes on with a higher one, and what was used is what the model counted. */
import { afterEach, describe, expect, it } from 'vitest';
import { brief, makeStory, type Story } from './builtin-story.ts';

const tokens = { input: 8000, output: 100 };
const script = [
  {
    name: 'developer',
    says: brief,
    answers: [
      { calls: [{ write: { path: 'hello.txt', content: 'hello\n' } }], tokens },
      { calls: [{ run: 'cat hello.txt' }], tokens },
      { calls: [{ submit: { summary: 'said' } }], tokens },
    ],
  },
];

let story: Story | undefined;
afterEach(() => story?.model.close());

describe('a budget', () => {
  it('ends the run as limited in the middle of a job, and a higher one lets the same session finish', async () => {
    story = await makeStory({ script });
    const { project, model } = story;
    const limited = await project.forge('run', brief, '--workflow', 'one', '--yes', '--budget', '28k tokens');
    expect({ code: limited.code, calls: model.tally().calls }).toEqual({ code: 4, calls: 2 });
    const run = story.run();
    const before = await story.status();
    expect(before).toMatchObject({
      status: 'limited',
      reason: expect.stringMatching(
        /^The run has 11k tokens left of its limit of 28k tokens; at least 1\dk tokens would be needed\.$/,
      ),
      budget: { limit: { tokens: 28_000 }, used: { tokens: 16_200, turns: 2, attempts: 1 } },
    });
    expect(limited.stdout).toContain('Stopped by a limit: The run has 11k tokens left');
    expect(limited.stderr).toContain(`forge resume ${run} --budget <limit>`);
    const resumed = await project.forge('resume', run, '--budget', '80k tokens');
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    const counted = model.tally();
    expect(counted).toEqual({ calls: 3, inputTokens: 24_000, outputTokens: 300 });
    expect(await story.status()).toMatchObject({
      status: 'done',
      budget: { limit: { tokens: 80_000 }, used: { tokens: 24_300, turns: 3, attempts: 2 } },
    });
    // One conversation: nothing was asked twice.
    expect(model.calls.map(({ place, problem }) => [place, problem])).toEqual(
      [0, 1, 2].map((place) => [place, undefined]),
    );
  });

  it('that is too small to begin with begins nothing', async () => {
    story = await makeStory({ script, settings: { budget: { tokens: 5000 } } });
    const { code, stderr } = await story.project.forge('run', brief, '--workflow', 'one', '--yes');
    expect({ code, calls: story.model.calls.length }).toEqual({ code: 4, calls: 0 });
    expect(stderr).toContain('--budget <limit>');
    expect(await story.status()).toMatchObject({
      reason: 'The run has 5000 tokens left of its limit of 5000 tokens; at least 20k tokens would be needed.',
      budget: { used: {} },
    });
  });
});
