/** From a requirement to a plan, or to none: every warning about waves, and what a person and the program do about it. */
import { describe, expect, it } from 'vitest';
import { makeProject } from './support.ts';
import { job, nearly, overview, plan, reply, storyOf, task } from './waves-story.ts';

const split = {
  overview,
  tasks: ['T1', 'T2', 'T3'].map((id) => task(id, { complexity: 'M' })),
  waves: [['T1'], ['T2'], ['T3']],
};
const warnings = [
  '3 waves have only one task.',
  '3 waves for 3 tasks.',
  'The complexity adds up to 6; up to 15 fits one wave.',
  '3 waves for a complexity of 6 are probably too many.',
];
const planOnly = ['run', 'Add numbers', '--plan-only'];

describe('a plan of waves', () => {
  it('that is split too much is asked about with every reason, and goes on as it is if a person wants that', async () => {
    const project = makeProject({ script: [job('plan#1', reply(split))] });
    const asked = await project.forge(...planOnly);
    expect(asked.code).toBe(3);
    const [run] = project.runs();
    expect(storyOf(project).detail('waves/merge#1')).toBe(warnings.join('\n'));
    for (const warning of warnings) expect(asked.stderr.replace(/\n {2}/g, ' ')).toContain(warning);
    expect(asked.stderr).toContain(`forge answer ${run} waves/merge#1 --option fewer (recommended) | --option keep`);
    const kept = await project.forge('answer', '--option', 'keep');
    expect(kept).toMatchObject({
      code: 0,
      stderr: `The plan is ready, and nothing is built yet. To go ahead with it:\n  forge resume ${run}\n  forge answer ${run} approve --option yes (recommended) | --option modify --text "…" | --option no | --edit\n`,
    });
    for (const warning of warnings) expect(kept.stdout).toContain(`Warning: ${warning}`);
    expect(kept.stdout).toContain('  Wave 1: T1\n  Wave 2: T2\n  Wave 3: T3\n');
    // The same again shows it again, and takes it for granted no more than before.
    const again = await project.forge(...planOnly, '--yes');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('Waves\n  wave 1          T1\n  wave 2          T2\n  wave 3          T3\n');
    expect(again.stderr).toContain(`continuing ${run}, waiting`);
    // A closed pipe ends no run: it comes to where it would have come.
    expect((await project.start(['resume']).unread()).code).toBe(3);
    expect(await project.forge('answer', '--option', 'no')).toMatchObject({ code: 1 });
    expect(storyOf(project)).toMatchObject({ jobs: ['plan#1'], questions: ['waves/merge#1', 'approve'] });
  });

  it('is planned again with fewer waves once, and then shown with its warnings', async () => {
    const project = makeProject({ script: [job('plan#1', reply(split)), job('plan#2', reply(split))] });
    const { code, stdout } = await project.forge(...planOnly, '--yes');
    expect(code).toBe(0);
    for (const warning of warnings) expect(stdout).toContain(`Warning: ${warning}`);
    const story = storyOf(project);
    expect(story).toMatchObject({ jobs: ['plan#1', 'plan#2'], questions: ['waves/merge#1', 'approve'] });
    expect(story.input('plan#2').prompt).toContain(
      `Plan again with fewer waves:\n${warnings.map((warning) => `- ${warning}`).join('\n')}\n`,
    );
  });

  it('with more than three waves is planned again without asking; three for little work only warn', async () => {
    const many = plan([['T1'], ['T2'], ['T3'], ['T4']]);
    const three = {
      overview,
      tasks: ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'].map((id, at) => task(id, { complexity: at < 2 ? 'L' : 'M' })),
      waves: [
        ['T1', 'T2'],
        ['T3', 'T4'],
        ['T5', 'T6'],
      ],
    };
    const project = makeProject({ script: [job('plan#1', reply(many)), job('plan#2', reply(three))] });
    const { code, stdout } = await project.forge(...planOnly, '--yes');
    expect(code).toBe(0);
    expect(stdout.match(/^Warning: .*$/gm)).toEqual(['Warning: 3 waves for a complexity of 16 are probably too many.']);
    expect(storyOf(project)).toMatchObject({ jobs: ['plan#1', 'plan#2'], questions: ['approve'] });
  });

  it('with more than three waves again and again is given up', async () => {
    const many = plan([['T1'], ['T2'], ['T3'], ['T4']]);
    const project = makeProject({ script: [1, 2, 3].map((round) => job(`plan#${round}`, reply(many))) });
    const { code, stdout } = await project.forge(...planOnly, '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('the plan still has too many waves: 4 waves are more than 3.');
    expect(storyOf(project)).toMatchObject({ jobs: ['plan#1', 'plan#2', 'plan#3'], questions: [] });
  });

  it('that never comes ends the run, after three attempts', async () => {
    const project = makeProject({
      script: [
        job('plan#1', nearly),
        job('plan#1/recovery#2', reply({ overview })),
        job('plan#1/recovery#3', { say: 'nothing' }),
      ],
    });
    const { code, stdout } = await project.forge(...planOnly, '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('Plan › planner › attempt 2 of 3: asking again, unusable reply:');
    expect(stdout).toContain('Plan › planner › attempt 3 of 3: asking again, unusable reply:');
    expect(storyOf(project).end).toMatchObject({
      status: 'failed',
      reason: 'there is no plan: The agent ended without a reply.',
    });
  });
});
