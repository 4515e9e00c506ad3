/** `forge run` where something is not over yet: completed, gone on with, or left alone while something new begins. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScreen } from './screen.ts';
import { makeProject, type Project, script, until } from './support.ts';

const requirement = 'Add a multiplication';

async function listed(project: Project): Promise<Record<string, string>> {
  const lines = JSON.parse((await project.forge('list', '--json')).stdout) as { run: string; status: string }[];
  return Object.fromEntries(lines.map(({ run, status }) => [run, status]));
}

describe('a run whose last line alone is missing', () => {
  it('is completed without a word, and something new begins', async () => {
    const project = makeProject();
    // Nobody reads what it prints, which is no reason to end.
    expect((await project.start(['run', requirement, '--yes']).unread()).code).toBe(0);
    const [run = ''] = project.runs();
    const journal = join(project.directory(run), 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`);
    expect(await listed(project)).toEqual({ [run]: 'interrupted' });
    const next = await project.forge('run', requirement, '--plan-only');
    expect(next).toMatchObject({ code: 0, stderr: expect.not.stringContaining('note:') });
    const facts = project.facts(run);
    expect(facts.at(-1)).toMatchObject({ type: 'run.ended' });
    expect(facts.slice(lines.length - 1).map(({ type }) => type)).toEqual(['run.opened', 'run.ended']);
    expect(Object.values(await listed(project)).sort()).toEqual(['done', 'waiting']);

    // Both have this slug: what the second has not written again goes with the first, what it has stays.
    expect(await project.forge('cleanup', run, '--force')).toMatchObject({ code: 0 });
    const left = readdirSync(join(project.root, '.forge')).filter((name) => name.startsWith('add-multiplication-'));
    expect(left).toEqual(['plan.md', 'state.json', 'waves.json'].map((name) => `add-multiplication-${name}`));
    expect(project.git('status', '--short')).toBe('?? .forge/memory/');
  });
});

describe('the same requirement again', () => {
  it('goes on with what it began, unless that is over, began elsewhere, or something fresh is wanted', async () => {
    const project = makeProject();
    expect(await project.forge('run', requirement)).toMatchObject({ code: 3 });
    const [first = ''] = project.runs();
    const again = await project.forge('run', ` ${requirement}\n`, '--yes');
    expect(again).toMatchObject({
      code: 0,
      stderr: `note: this was started before: continuing ${first}, waiting at the question "Go ahead with this plan?" (--fresh starts a new run)\n`,
    });
    expect(await listed(project)).toEqual({ [first]: 'done' });

    // Over: the same words are a new run of the same slug.
    expect(await project.forge('run', requirement)).toMatchObject({ code: 3 });
    const second = project.runs().find((run) => run !== first) ?? '';
    expect(second).toMatch(/^add-multiplication-/);

    // Other words of the same slug are something else; what waits is pointed out.
    const other = await project.forge('run', 'Add the multiplication', '--plan-only');
    expect(other).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        `note: ${second} is waiting at the question "Go ahead with this plan?"; continue it: forge resume ${second}\n`,
      ),
    });
    expect(project.runs()).toHaveLength(3);
    const fresh = await project.forge('run', requirement, '--fresh');
    expect(fresh).toMatchObject({ code: 3, stderr: expect.not.stringContaining('begun before') });
    expect(project.runs()).toHaveLength(4);

    // What is committed since is what the person wants it built on.
    project.write({ 'src/more.js': 'export const more = 1;\n' });
    project.git('add', 'src/more.js');
    project.git('commit', '-qm', 'more');
    expect(await project.forge('run', requirement)).toMatchObject({ code: 3 });
    expect(project.runs()).toHaveLength(5);
  });

  it('goes on by itself where that is asked for', async () => {
    const project = makeProject();
    expect(await project.forge('run', requirement)).toMatchObject({ code: 3 });
    const [run = ''] = project.runs();
    const detached = await project.forge('run', requirement, '--detach', '--yes');
    expect(detached).toMatchObject({ code: 0, stdout: expect.stringContaining(`${run} continues in the background`) });
    expect(await project.forge('attach', run)).toMatchObject({ code: 0 });
    expect(await listed(project)).toEqual({ [run]: 'done' });
  });
});

describe('at a terminal', () => {
  it('lists what is not over with where it stopped; what is asked for now is kept', async () => {
    const project = makeProject({ script: [...script(), ...script()] });
    expect(await project.forge('run', requirement)).toMatchObject({ code: 3 });
    const [old = ''] = project.runs();
    const screen = openScreen(project, ['run', 'Add a division'], { columns: 120 });
    const shown = await screen.shows('There are unfinished runs.');
    expect(shown).toContain('Start the new one');
    expect(shown).toContain(`Continue ${old}, waiting at the question "Go ahead with this plan?"`);
    screen.press('1', 'Enter');
    // The list names the question too, so it is the run that is waited for.
    await until(() => project.runs().length === 2, 'another run');
    await screen.shows('Go ahead with this plan?');
    const begun = project.runs().find((run) => run !== old) ?? '';
    const journal = readFileSync(join(project.directory(begun), 'journal.jsonl'), 'utf8');
    expect(JSON.parse(journal.split('\n')[0] ?? '')).toMatchObject({
      data: { input: { requirement: 'Add a division', slug: 'add-division' } },
    });
    screen.press('C-c');
    expect(await screen.exit()).toBe(130);

    const second = openScreen(project, ['run', 'Add a logarithm'], { columns: 120 });
    await second.shows(`Continue ${old}`);
    second.press('3', 'Enter');
    await second.shows('your new request was not started; the same command with --fresh starts it');
    await second.shows('Go ahead with this plan?');
    expect(project.runs()).toHaveLength(2);
    second.press('C-c');
    expect(await second.exit()).toBe(130);

    // Who leaves at the list has begun nothing.
    const third = openScreen(project, ['run', 'Add a root'], { columns: 120 });
    await third.shows(`Continue ${old}`);
    third.press('C-c');
    expect(await third.exit()).toBe(130);
    expect(project.runs()).toHaveLength(2);
  });
});
