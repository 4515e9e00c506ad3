/**
 * Before anything runs: a plan that cannot be used goes back to the architect, uncommitted changes it would meet are
 * put to the person, what was begun before is offered, and a no ends it all.
 */
import { describe, expect, it } from 'vitest';
import { job, plan, promptOf, reply, runModules, script, task, tell } from './modules-story.ts';
import { openScreen } from './screen.ts';
import { makeProject, type Project } from './support.ts';

const one = plan([task('m1')]);

const refsOf = (project: Project): readonly string[] => project.git('for-each-ref', '--format=%(refname)').split('\n');

/** No branch of its own; the base stays safe from garbage collection as long as the run is known. */
const refsWithoutResult = (project: Project, run: string): readonly string[] => [
  `refs/forge/${run}/kept/${project.git('rev-parse', 'main')}`,
  'refs/heads/main',
];

describe('a plan that cannot be used', () => {
  it('goes back to the architect with what is wrong, and is shown once it can', async () => {
    const faulty = [
      plan([task('final-touch'), task('m5', [], { agent: 'nobody' })]),
      plan([task('m1', ['m2']), task('m2', ['m1'])]),
      plan([task('m1', ['m9'])]),
    ];
    const project = makeProject({
      script: [...faulty.map((each, at) => job(`plan#${at + 1}`, reply(each))), job('plan#4', reply(one))],
    });
    const { code, facts, keys, stdout } = await runModules(project, '--plan-only');
    expect([code, keys('question.asked', /./)]).toEqual([0, ['approve']]);
    const told = (round: number): string => promptOf({ facts }, `plan#${round}`);
    expect(told(2)).toContain(
      `- tasks[0].id: "final-touch" is a word of the workflow's own. Use another, such as "m1".`,
    );
    expect(told(2)).toContain('- tasks[1].agent: There is no agent "nobody". Leave it out, or use actor.');
    expect(told(3)).toContain('- tasks[0].depends: "m1" and "m2" depend on each other in a circle.');
    expect(told(4)).toContain('- tasks[0].depends[0]: There is no task "m9". Use one of "m1", or remove it.');
    expect(stdout).toMatch(
      /Plan › architect, round 4: planning again\nPlan › architect, round 4: 1 module\n(?:(?:Expected|Limits): .*\n)*Plan ready: 1 module in 1 stage/,
    );
  });

  it('is given up after three more rounds, in words', async () => {
    const project = makeProject({
      script: [{ when: { role: 'architect' }, repeat: true, do: [reply(plan([task('m1', ['m9'])]))] }],
    });
    const story = await runModules(project, '--yes');
    expect([story.code, story.keys('effect.started', /^plan#/)]).toEqual([1, ['plan#1', 'plan#2', 'plan#3', 'plan#4']]);
    expect(story.stdout).toContain(
      'Not accepted: Five modules\nno plan that can be used after 4 rounds: tasks[0].depends[0]: There is no task\n  "m9". Use one of "m1", or remove it.\n',
    );
    expect(story.stdout).not.toContain('\nTasks\n');
    expect(refsOf(project)).toEqual(refsWithoutResult(project, story.run));
  });
});

describe('a plan that is not wanted', () => {
  it('runs nothing and ends with 1', async () => {
    const project = makeProject({ script: [job('plan#1', reply(one))] });
    expect((await runModules(project)).code).toBe(3);
    const { code, stdout, keys, run } = await tell(project, 'answer', '--option', 'no');
    // The base was checked before the question, so that a person knows what judges the changes.
    expect([code, keys('task.started', /./), keys('effect.started', /^(baseline|m1)/)]).toEqual([1, [], ['baseline']]);
    expect(stdout).toContain('the plan was not approved');
    expect(refsOf(project)).toEqual(refsWithoutResult(project, run));
  });

  it('is planned again as --text says, and shown again', async () => {
    const project = makeProject({ script: [job('plan#1', reply(one)), job('plan#2', reply(plan([task('m5')])))] });
    await runModules(project, '--plan-only');
    const again = await tell(project, 'answer', '--option', 'modify', '--text', 'Only m5, please');
    expect([again.code, again.keys('question.asked', /./)]).toEqual([3, ['approve', 'approve#2']]);
    expect(again.stdout).toContain('  m5: Module m5 (M)\n');
    expect(await tell(project, 'answer', '--option', 'no')).toMatchObject({ code: 1 });
  });
});

describe('uncommitted changes that a plan would meet', () => {
  const dirty = () => {
    const project = makeProject({
      files: { 'src/m1.js': 'export const m1 = () => 0;\n' },
      script: script([], plan([task('m1'), task('m5')])),
    });
    project.write({ 'src/m1.js': 'export const m1 = () => 7;\n', 'notes.md': 'Mine.\n' });
    return project;
  };

  it('are named with the choices, and the run stops so that they can be committed', async () => {
    const project = dirty();
    const asked = await runModules(project);
    expect([asked.code, asked.keys('question.asked', /./)]).toEqual([3, ['dirty']]);
    expect(asked.stderr).toContain(
      'You have uncommitted changes in a file that this plan would change\n  src/m1.js\n  Agents start from your last commit',
    );
    expect(asked.stderr).toContain('--option go (recommended) | --option lite | --option commit\n');
    const { code, stdout } = await tell(project, 'answer', '--option', 'commit');
    expect(code).toBe(1);
    expect(stdout).toContain('uncommitted changes are to be committed first');
  });

  it('let a person go on one by one; the changes stay as they are, and landing does not go over them', async () => {
    const project = dirty();
    await runModules(project);
    const asked = await tell(project, 'answer', 'dirty', '--option', 'lite');
    expect([asked.code, asked.keys('question.asked', /./)]).toEqual([3, ['dirty', 'approve']]);
    const shown = await project.forge('show', asked.run, '--plan');
    expect(shown.stdout).toContain('One module after the other, in one workspace (lite).');
    expect(shown.stdout).toContain('Your uncommitted changes\n  - src/m1.js\n');
    const { code, stdout, run } = await tell(project, 'answer', '--option', 'yes');
    expect([code, stdout]).toEqual([0, expect.stringContaining('one after the other')]);
    expect(project.git('status', '--short', 'src', 'notes.md')).toBe(' M src/m1.js\n?? notes.md');
    expect(project.git('show', `forge/${run}:src/m1.js`)).toBe('export const m1 = () => 1;');
    const landing = await project.forge('land', run, '--into', 'main');
    expect(landing.code).toBe(2);
  });

  it('let a person go on as planned', async () => {
    const project = dirty();
    const { code, stdout, statuses } = await runModules(project, '--yes');
    expect([code, statuses]).toEqual([0, { m1: 'done', m5: 'done' }]);
    expect(stdout).toContain('\nPlan: 2 modules in 1 stage\n');
  });
});

describe('a run that is not over', () => {
  it('is offered at the terminal before something new begins, and gone on with', async () => {
    const project = makeProject({ script: [job('plan#1', reply(one))] });
    const first = await runModules(project);
    expect(first.code).toBe(3);
    const words = ['run', 'Something else', '--workflow', 'modules'];
    const screen = openScreen(project, words, { columns: 80, rows: 60 });
    await screen.shows('There are unfinished runs.');
    expect(screen.all().replaceAll(/\s+/g, ' ')).toContain(
      `Continue ${first.run}, waiting at the question "Go ahead with this plan?"`,
    );
    screen.press('2', 'Enter');
    await screen.shows(/Go ahead with this plan\?[\s\S]*1\. Yes, start/);
    screen.press('3', 'Enter');
    expect(await screen.exit()).toBe(1);
    expect(project.runs()).toEqual([first.run]);
  });
});
