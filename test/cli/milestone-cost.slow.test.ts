/** What a milestone cost beside what was forecast, with an agent whose use is counted by its provider and with one that only says so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeStory, type Story } from './builtin-story.ts';
import { reply, roadmap, runMilestone, slice, slicePlan, task } from './milestone-story.ts';

let story: Story | undefined;
afterEach(() => story?.model.close());

const tokens = { input: 8000, output: 500 };
const answering = (name: string, now: string, result: object) => ({
  name,
  says: now,
  answers: [{ calls: [{ submit: { ...result } }], tokens }],
});

const file = { path: 'notes/one.md', content: 'one\n' };
const planned = {
  ...task('T01', 'one'),
  kind: 'docs',
  writes: [file.path],
  verify: [],
  mustHaves: { truths: [`${file.path} has one line`] },
};
const flags = ['--skip-discuss', '--skip-research', '--plan-check', 'disabled', '--symbols', 'disabled'];

it('stands in the report beside the forecast', async () => {
  story = await makeStory({
    agent: { tiers: { standard: 'claude-sonnet-4-6', heavy: 'claude-opus-4-8' } },
    script: [
      answering('planner', 'Plan M001.', roadmap([slice('S01')])),
      answering('slice planner', 'Plan S01: ', slicePlan(planned)),
      {
        name: 'executor',
        says: 'Do the task in this workspace.',
        answers: [
          { calls: [{ write: file }], tokens },
          { calls: [{ submit: { status: 'done', summary: 'one is there' } }], tokens },
        ],
      },
      answering('challenger', 'Challenge', { objections: [] }),
      answering('scribe of the slice', 'Write the summary of S01', { summary: 'It is done.' }),
      answering('scribe', 'Write the summary of M001', { summary: 'It is done.' }),
    ],
  });
  const { project } = story;
  const ended = await project.forge('milestone', 'Notes', '--yes', ...flags);
  if (ended.code !== 0) throw new Error(`${ended.stdout}\n${ended.stderr}`);
  // Strong models think, and everybody can see why.
  const events = readFileSync(join(project.root, '.gsd/milestones/M001/M001-events.jsonl'), 'utf8').split('\n');
  const thinking = events.filter((line) => line.includes('thinking adaptive: usual for this work in this workflow'));
  expect(thinking.map((line) => (JSON.parse(line) as { role: string }).role)).toEqual(['slice-planner', 'challenger']);
  const { stdout } = await project.forge('milestone', 'report');
  expect(stdout).toMatch(/\n {2}\$0\.\d\d, \d+(\.\d)?k tokens in, .* out, \d+ s of work\n/);
  expect(stdout).toMatch(
    /\n {2}Forecast for the slices when they were planned: \$\d\.\d\d \(\$\d\.\d\d to \$\d\.\d\d\),/,
  );
});

it('is what agents report where nobody counts, and the report says that nothing was forecast', async () => {
  const first = { when: { role: 'milestone-planner' }, do: [{ usage: tokensUsed }, reply(roadmap([slice('S01')]))] };
  const { project, code } = await runMilestone([first], flags);
  expect(code).toBe(0);
  const { stdout } = await project.forge('milestone', 'report');
  expect(stdout).toMatch(/\n {2}\$0\.20, 1\.0k tokens in, 100 out, \d+ s of work\n/);
  expect(stdout).toContain('  Nothing was forecast: Forge keeps no history of scripted agents and commands.\n');
});

it('was not forecast where no slice was planned', async () => {
  const stopped = { when: { role: 'milestone-planner' }, do: [reply(roadmap([slice('S01', { depends: ['S01'] })]))] };
  const { project } = await runMilestone([stopped], flags);
  const { stdout } = await project.forge('milestone', 'report');
  expect(stdout).toContain('  Nothing was forecast: no slice was planned.\n');
});

const tokensUsed = { inputTokens: 1000, outputTokens: 100, costUsd: 0.2, turns: 1 };
