/** Whole `milestone` runs through the binary: every unit of the table, several milestones, and the gates before the work. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  built,
  dimensions,
  done,
  job,
  reply,
  roadmap,
  runMilestone,
  script,
  slice,
  slicePlan,
  task,
  tellMilestone,
} from './milestone-story.ts';
import { makeProject } from './support.ts';

const in01 = 'milestones/M001';

describe('a milestone where all goes well', () => {
  it('is planned, discussed, researched, built in batches, reviewed, closed and published', async () => {
    const project = makeProject({ script: script() });
    const story = tellMilestone(project, await project.forge('milestone', 'Numbers', '--yes'));
    expect([story.code, story.stderr]).toEqual([0, '']);
    const units = story.facts
      .filter(({ type, data }) => type === 'step.started' && data['kind'] === 'unit')
      .map(({ data }) => data['title']);
    expect([...new Set(units)]).toEqual([
      'plan-milestone',
      'discuss-milestone',
      'research-milestone',
      'plan-slice',
      'research-slice',
      'execute-task',
      'complete-slice',
      'complete-milestone',
    ]);
    expect(story.stdout).toContain('Side by side: T01, T02');
    expect(project.git('show', `forge/${story.run}:src/three.js`)).toBe('export const three = () => 3;');
    for (const name of ['ROADMAP', 'CONTEXT', 'RESEARCH', 'SUMMARY'])
      expect(story.document(`${in01}/M001-${name}.md`)).not.toBe('');
    for (const name of ['PLAN', 'PLAN-CHECK', 'VERIFICATION', 'REVIEW', 'SUMMARY', 'RESEARCH'])
      expect(story.document(`${in01}/slices/S01/S01-${name}.md`)).not.toBe('');
    expect(story.document(`${in01}/M001-ROADMAP.md`)).toContain('- [x] **S02');
    expect(story.document(`${in01}/M001-STATE.md`)).toContain('- [x] S02 Slice S02');
    const events = story.document(`${in01}/M001-events.jsonl`).trim().split('\n');
    expect(events.map((line) => JSON.parse(line) as object)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ unit: 'plan-milestone/M001', status: 'done', summary: '2 slices' }),
        expect.objectContaining({ unit: 'execute-task/S02/T01', milestone: 'M001', status: 'done' }),
      ]),
    );
    const status = await project.forge('milestone', 'status');
    expect(status.stdout).toContain('✓ M001: Numbers (2/2 slices)');
    expect(status.stdout).not.toContain('remark');
    const report = await project.forge('milestone', 'report');
    expect(report.stdout).toContain('one() is a number (S01/T01');
    expect(report.stdout).toContain('D1 plan-milestone: Two slices');
    expect(report.stdout).toContain('D2 M001: No dependencies');
    expect(report.stdout).toContain('forge milestone reverse D1');
    expect(story.document(`${in01}/M001-DECISIONS.md`)).toContain('| D1 | plan-milestone | Two slices |');
    const summary = story.document(`${in01}/slices/S01/tasks/T01/T01-SUMMARY.md`);
    expect(summary).toMatch(/^completed_at: \d{4}-\d\d-\d\dT/m);
  });

  it('does one unit at a time with next, and goes on where it stands', async () => {
    const more = [
      job('S03/plan#1', reply(slicePlan(task('T01', 'four')))),
      { when: { role: 'executor', task: 'S03/T01' }, do: [...built('four', '4'), done('four is there')] },
    ];
    const project = makeProject({ script: script(more) });
    await project.forge('milestone', 'new', 'Numbers');
    const first = await project.forge('milestone', 'next', '--yes');
    expect(first.code).toBe(0);
    const told = tellMilestone(project, first);
    const ended = (): readonly unknown[] =>
      tellMilestone(project, first)
        .facts.filter(({ type, key }) => type === 'step.ended' && key.endsWith('/unit'))
        .map(({ key }) => key);
    expect(ended()).toEqual(['plan-milestone/unit']);
    expect(told.document(`${in01}/M001-ROADMAP.md`)).toContain('S02');
    const second = await project.forge('milestone', 'next', '--yes');
    expect(second.stderr).toContain('M001 is under way');
    expect(ended()).toEqual(['plan-milestone/unit', 'discuss-milestone/unit']);
    // A slice that a person adds meanwhile is built, too; a slice that the run knows is its own.
    expect(await project.forge('milestone', 'add-slice', 'M001', 'More')).toMatchObject({ code: 0 });
    // What is agreed meanwhile counts from the next slice on.
    const agreed = await project.forge('milestone', 'discuss', 'M001', 'Numbers are whole');
    expect(agreed.stdout).toContain(`${told.run} keeps to it`);
    const rest = await project.forge('milestone', 'run', '--yes');
    expect([rest.code, rest.stderr]).toEqual([0, expect.stringContaining('M001 is under way')]);
    expect(project.runs()).toHaveLength(1);
    const { facts, ended: endOf } = tellMilestone(project, rest);
    expect(endOf('S03/T01')?.status).toBe('done');
    const planner = facts.find(({ type, key }) => type === 'effect.started' && key === 'S01/plan#1');
    expect(JSON.stringify(planner?.data)).toContain('Numbers are whole');
    expect(told.document(`${in01}/M001-ROADMAP.md`).match(/- \[x\] \*\*S0[123]/g)).toHaveLength(3);
  });
});

describe('several milestones at once', () => {
  it('are told apart: nothing is guessed, each is paused and shown for itself, and the overview lists both', async () => {
    const planner = { when: { role: 'milestone-planner' }, repeat: true, do: [reply(roadmap([slice('S01')]))] };
    const project = makeProject({ script: script([planner]) });
    for (const title of ['Numbers', 'Letters']) await project.forge('milestone', 'new', title);
    project.write({ '.gsd/STATE.md': legacyState });
    for (const id of ['M001', 'M002'])
      expect(await project.forge('milestone', 'next', id, '--skip-discuss')).toMatchObject({ code: 0 });
    const refused = await project.forge('milestone', 'pause');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('  forge milestone pause M001\n  forge milestone pause M002\n'),
    ]);
    const listed = JSON.parse((await project.forge('list', '--all', '--json')).stdout) as { status: string }[];
    expect(listed.map(({ status }) => status)).toEqual(['paused', 'paused']);
    // The position that an older STATE.md held is kept before the overview takes its place.
    expect(await project.forge('dashboard')).toMatchObject({ code: 0 });
    const again = await project.forge('dashboard');
    expect(again.stdout).toMatch(/M001 .*Numbers[^]*M002 .*/);
    const { document } = tellMilestone(project, again);
    expect(document(`${in01}/M001-STATE-before.md`)).toBe(legacyState);
    expect(document(`${in01}/M001-STATE.md`)).toContain('**Active Milestone:** M001');
  });
});

const legacyState = '# GSD State\n\n**Active Milestone:** M001: Numbers\n**Phase:** planning\n';

describe('the check of a plan', () => {
  const plans = (...rounds: readonly (readonly string[])[]) => [
    ...rounds.map((failed, at) => job(`S01/plan-check#${at + 1}`, reply(dimensions(failed)))),
    ...rounds
      .slice(1)
      .map((_, at) => job(`S01/plan#${at + 2}`, reply(slicePlan(task('T01', 'one'), task('T02', 'two'))))),
  ];

  it('is written down and stops nothing when it is advisory', async () => {
    const story = await runMilestone(plans(['scope']));
    expect(story.code).toBe(0);
    expect(story.document(`${in01}/slices/S01/S01-PLAN-CHECK.md`)).toContain('**Outcome:** recorded');
  });

  it('is not asked for when it is disabled', async () => {
    const story = await runMilestone([], ['--plan-check', 'disabled']);
    expect(story.code).toBe(0);
    expect(story.facts.some(({ key }) => key.startsWith('S01/plan-check'))).toBe(false);
  });

  it('sends a plan back while failures fall, and keeps every round', async () => {
    const story = await runMilestone(plans(['scope', 'ordering'], ['scope'], []), ['--plan-check', 'blocking']);
    expect(story.code).toBe(0);
    expect(story.document(`${in01}/slices/S01/S01-PLAN-CHECK-round1.md`)).toContain('2 fail');
    expect(story.document(`${in01}/slices/S01/S01-PLAN-CHECK-round2.md`)).toContain('1 fail');
    expect(story.document(`${in01}/slices/S01/S01-PLAN-CHECK.md`)).toContain('**Outcome:** passed');
  });

  it('stops the slice when failures do not fall, and says what to do', async () => {
    const story = await runMilestone(plans(['scope'], ['ordering']), ['--plan-check', 'blocking']);
    expect(story.code).toBe(1);
    expect(story.ended('S01')?.reason).toContain('terminated-non-decreasing');
    expect(story.ended('S02')?.status).toBe('skipped');
    expect(story.document(`${in01}/slices/S01/S01-PLAN-CHECK.md`)).toContain('delete S01-PLAN-CHECK.md');
    // The plan is there to be changed. Until its check is deleted nothing is built by it; then it is checked again.
    expect(story.document(`${in01}/slices/S01/tasks/T02/T02-PLAN.md`)).toContain('status: planned');
    const { project } = story;
    const again = () =>
      project.forge('milestone', 'run', 'M001', '--skip-research', '--plan-check', 'blocking', '--yes');
    const refused = await again();
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('S01-PLAN-CHECK.md says that the plan'),
    ]);
    rmSync(join(project.root, `.gsd/${in01}/slices/S01/S01-PLAN-CHECK.md`));
    project.write({ '.forge/script.yaml': JSON.stringify(script()) });
    expect(await again()).toMatchObject({ code: 0 });
    expect(story.document(`${in01}/slices/S01/S01-PLAN-CHECK.md`)).toContain('**Outcome:** passed');
    expect(story.document(`${in01}/slices/S01/S01-PLAN.md`)).toContain('- [x] **T02');
  });

  it('stops the slice when three rounds are used', async () => {
    const story = await runMilestone(plans(['scope', 'ordering', 'decisions'], ['scope', 'ordering'], ['scope']), [
      '--plan-check',
      'blocking',
    ]);
    expect(story.ended('S01')?.reason).toContain('terminated-exhausted');
  });
});

describe('gates before the work', () => {
  it('looks at the risks of a slice before it is planned, and at security before a task', async () => {
    const planned = job('S01/plan#1', reply(slicePlan(task('T01', 'one', { steps: ['Store the password.'] }))));
    const story = await runMilestone([
      { when: { role: 'milestone-planner' }, do: [reply(roadmap([slice('S01', { risk: 'high' })]))] },
      {
        when: { role: 'risk-scout' },
        do: [reply({ risks: [{ risk: 'Data is lost', severity: 'high', mitigation: 'Back up first' }] })],
      },
      { when: { role: 'security-scout' }, do: [reply({ checklist: ['Hash it with a salt'] })] },
      planned,
    ]);
    expect(story.code).toBe(0);
    expect(story.document(`${in01}/slices/S01/S01-RISK.md`)).toContain('Back up first');
    expect(story.document(`${in01}/slices/S01/tasks/T01/T01-SECURITY.md`)).toContain('Hash it with a salt');
    const keys = story.facts.filter(({ type }) => type === 'effect.started').map(({ key }) => key);
    expect(keys.indexOf('S01/risk')).toBeLessThan(keys.indexOf('S01/plan#1'));
  });

  it('writes down which names a plan builds on exist', async () => {
    const planned = job(
      'S01/plan#1',
      reply(slicePlan(task('T01', 'one', { symbols: ['add', 'nowhere', 'src/one.js'] }))),
    );
    const story = await runMilestone([planned]);
    const text = story.document(`${in01}/slices/S01/S01-SYMBOL-CHECK.md`);
    expect(text).toContain('`nowhere` | MISSING');
    expect(text).toContain('`src/one.js` | GREENFIELD');
  });
});
