/** Approving modules: a person says in words what should be different, or changes the plan themselves. */
import { describe, expect, it } from 'vitest';
import { job, plan, reply, task } from './modules-story.ts';
import { openScreen } from './screen.ts';
import { makeProject } from './support.ts';
import { storyOf } from './waves-story.ts';

const run = ['run', 'Add numbers', '--workflow', 'modules', '--plan-only'];
const two = plan([task('m1'), task('m2', ['m1'])]);

describe('the plan of a run of modules', () => {
  it('is planned again as a person says at the terminal, and shown again', async () => {
    const project = makeProject({ script: [job('plan#1', reply(two)), job('plan#2', reply(plan([task('m1')])))] });
    const first = openScreen(project, run, { columns: 80, rows: 60 });
    await first.shows('The plan is ready, and nothing is built yet.');
    expect(await first.exit()).toBe(0);
    const order = '  1. m1\n  2. m2 (after m1)\n  One module after the other, in one workspace (lite).';
    expect(first.all()).toContain(order);
    const screen = openScreen(project, ['resume'], { columns: 80, rows: 60 });
    await screen.shows(/Go ahead with this plan\?[\s\S]*1\. Yes, start/);
    expect(screen.all()).toContain(order);
    screen.press('2', 'Enter');
    await screen.shows('What should be different?');
    screen.press('Leave m2 out', 'Enter');
    await screen.shows(/ {2}1\. m1\n {2}One module[\s\S]*1\. Yes, start/);
    screen.press('C-c');
    expect(await screen.exit()).toBe(130);
    const story = storyOf(project);
    expect(story.input('plan#2').prompt).toContain('Leave m2 out');
    expect(story.questions).toEqual(['approve', 'approve#2']);
  });

  it('is changed as text, which is refused with its line while it cannot be used', async () => {
    const project = makeProject({
      script: [job('plan#1', reply(two))],
      env: { EDITOR: 'sed -i s/Module.m1/First/' },
    });
    expect((await project.forge(...run)).code).toBe(0);
    const faulty = await project.forge('answer', '--text', 'tasks:\n  - id: m1\n    depends: [m7]\n');
    expect(faulty).toMatchObject({ code: 2, stdout: '' });
    expect(faulty.stderr).toContain('line 2, tasks[0]');
    // There is nobody to build it.
    const edited = await project.forge('answer', '--edit');
    expect(edited.code).toBe(1);
    const [name = ''] = project.runs();
    const shown = await project.forge('show', name, '--plan');
    // The page is the proposal as it was asked about; what the person made of it stands below.
    const [asked = '', approved = ''] = shown.stdout.split('Approved with these changes\n');
    expect(asked).toContain('  m1  Module m1  M     -\n');
    expect(approved).toContain('    - id: m1\n      title: First\n');
    expect(approved).toContain('    - id: m2\n      title: Module m2\n');
  });
});
