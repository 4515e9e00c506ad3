/** What displays say is so: nothing runs in a run that is over, and nothing is released that was not accepted. */
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../src/policy/settings.ts';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { surroundings } from '../../src/views/proposal.ts';
import { markdownReport } from '../../src/views/report/markdown-report.ts';
import { reportOf } from '../../src/views/report/report.ts';
import { linesOf, story, summed } from './modules-told.ts';
import { factsFrom, type Step } from './steps.ts';

const cancelled: Step = ['run.ended', '', { status: 'cancelled', reason: 'enough' }];

describe('a run that was cancelled', () => {
  const facts = factsFrom([...story.midway, cancelled]);

  it('has nothing running and nothing waiting in its report', () => {
    const { units } = reportOf(chronicleOf(facts));
    expect(units.map(({ id, status }) => [id, status])).toEqual([
      ['m1', 'done'],
      ['m2', 'cancelled'],
      ['m3', 'cancelled'],
      ['m4', 'cancelled'],
    ]);
    expect(markdownReport(reportOf(chronicleOf(facts)))).not.toMatch(/RUNNING|WAITING/);
  });

  it('has nothing running in its summary either, and a paused one has not', () => {
    expect(summed([...story.midway, cancelled], 100)).not.toMatch(/running|waiting/);
    const paused: Step = ['run.suspended', '', { reason: 'paused', detail: '' }];
    expect(summed([...story.midway, paused], 100)).toContain('interrupted');
  });
});

describe('a release', () => {
  const failedModule: Step = ['task.ended', 'm4', { task: 'm4', status: 'failed', reason: 'red' }];
  const withFailure = story.complete.map((step) =>
    step[0] === 'task.ended' && step[1] === 'm4' ? failedModule : step,
  );

  it('is not clear while a module is not done, however clean the review is', () => {
    const steps = [...withFailure.slice(0, -1), ['run.ended', '', { status: 'failed', reason: 'm4: red' }] as Step];
    expect(summed(steps, 100)).toContain('Not accepted');
    expect(summed(steps, 100)).not.toContain('RELEASE CLEAR');
    expect(summed(steps, 100)).toContain('RELEASE BLOCKED after 2 rounds: 0 must-fix, 1 advisory; 1 module not done');
    expect(linesOf(factsFrom(steps)).join('\n')).not.toContain('RELEASE CLEAR');
  });

  it('is not clear in a run that was not accepted for another reason', () => {
    const steps = [...story.complete.slice(0, -1), ['run.ended', '', { status: 'failed', reason: 'red' }] as Step];
    expect(summed(steps, 100)).toContain('; the run was not accepted');
    expect(reportOf(chronicleOf(factsFrom(steps))).release).toBe('blocked');
  });
});

it('names agents by what they are', () => {
  const settings = settingsSchema.parse({
    agents: {
      claude: { driver: 'acp', agent: 'claude' },
      own: { driver: 'acp', run: ['my-agent', '--acp'] },
      inner: { driver: 'builtin', provider: 'openai', model: 'gpt-5' },
      tool: { driver: 'command', run: ['tool'] },
      script: { driver: 'scripted', script: 's.json' },
    },
  });
  const facts = factsFrom(story.planning);
  const chronicle = chronicleOf(facts);
  Object.assign(chronicle.state.created ?? {}, { settings, input: {} });
  expect(surroundings(chronicle)[0]?.value).toBe(
    'claude (claude, network on), own (my-agent, network on), inner (built in, openai gpt-5, network on), tool (tool, network on), script (scripted)',
  );
});
