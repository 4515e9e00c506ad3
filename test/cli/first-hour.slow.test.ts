/** What a person tries in the first hour: another agent for the rest, an answer left for later, questions before losses. */
import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { openScreen } from './screen.ts';
import { makeProject, script } from './support.ts';

const requirement = 'Add a multiplication';

describe('a run that another agent goes on with', () => {
  it('gives what remains to that agent, and remembers it', async () => {
    const [planner = {}, ...others] = script();
    const project = makeProject({
      config: `agents:
  first: { driver: scripted, script: .forge/script.yaml }
  second: { driver: scripted, script: .forge/second.yaml }
checks: { run: ["node --test"], timeout: 600 }
commits: { author: user }
`,
      script: [planner],
      files: { '.forge/second.yaml': stringify(others) },
    });
    expect(await project.forge('run', requirement, '--plan-only')).toMatchObject({ code: 0 });
    const [run = ''] = project.runs();
    expect(await project.forge('resume', '--agent', 'secnd')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean second?'),
    });
    const ended = await project.forge('resume', '--agent', 'second', '--yes');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('second does the work from now on');
    const routes = project.facts(run).flatMap((fact) => {
      const { output } = (fact as unknown as { data: { output?: { route?: { agent: string } } } }).data;
      return fact.type === 'effect.finished' && output?.route !== undefined
        ? [`${fact.key} ${output.route.agent}`]
        : [];
    });
    expect(routes).toEqual(expect.arrayContaining(['plan#1 first', 'W1/develop#1 second', 'W1/test#1 second']));
    // The author is the user, as settings say; Forge made the commit.
    expect(project.git('log', '-1', '--format=%an <%ae>, %cn', `forge/${run}`)).toBe('Ada <ada@example.org>, Forge');
  });
});

describe('an answer that is left for later', () => {
  it('is shown by status, and an answer without words is the question again', async () => {
    const project = makeProject();
    expect(await project.forge('run', requirement)).toMatchObject({ code: 3 });
    const [run = ''] = project.runs();
    const empty = await project.forge('answer');
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain('No answer was given. The run asks:');
    expect(empty.stderr).toContain(`forge answer ${run} approve --option yes`);
    expect(await project.forge('answer', '--option', 'yes', '--no-resume')).toMatchObject({
      code: 0,
      stdout: `Answered: approve\n  Continue the run: forge resume ${run}\n`,
    });
    const { stdout } = await project.forge('status');
    expect(stdout).toMatch(/Answered: .+\. The run takes it up when it continues\./);
    expect(stdout).toContain(`forge resume ${run}`);
    expect(JSON.parse((await project.forge('status', '--json')).stdout)).toMatchObject({
      questions: [{ key: 'approve', answered: { option: 'yes' } }],
    });
  });
});

describe('words about a plan', () => {
  it('say how it should be different, and are not read as a plan', async () => {
    const project = makeProject();
    const shown = await project.forge('run', requirement, '--plan-only');
    expect(shown.stdout).toContain('Export mul from src/mul.js.');
    expect(await project.forge('answer', '--text', 'use another name: times', '--no-resume')).toMatchObject({
      code: 0,
    });
    expect(JSON.parse((await project.forge('status', '--json')).stdout)).toMatchObject({
      questions: [{ answered: { option: 'modify', text: 'use another name: times' } }],
    });
  });
});

describe('at a terminal', () => {
  it('cancel without a name asks, and Enter does nothing', async () => {
    const project = makeProject();
    expect(await project.forge('run', requirement, '--plan-only')).toMatchObject({ code: 0 });
    const [run = ''] = project.runs();
    const careful = openScreen(project, ['cancel'], { columns: 80 });
    await careful.shows('A cancelled run is over for good');
    careful.press('Enter');
    await careful.shows('Nothing was changed.');
    expect(await careful.exit()).toBe(130);
    const sure = openScreen(project, ['cancel'], { columns: 80 });
    await sure.shows(`Cancel ${run}`);
    sure.press('2', 'Enter');
    await sure.shows('cannot be resumed');
    expect(await sure.exit()).toBe(0);
  });
});
