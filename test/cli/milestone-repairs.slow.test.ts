/** Whole `milestone` runs through the binary that do not go well at once: stops, repairs, continuations and reviews. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  built,
  done,
  job,
  type MilestoneStory,
  reply,
  runMilestone,
  script,
  slicePlan,
  task,
  tellMilestone,
} from './milestone-story.ts';
import { promptOf } from './modules-story.ts';
import { makeProject, scriptedConfig } from './support.ts';

const in01 = 'milestones/M001';

describe('what workers answer', () => {
  it('goes on with what is half done, and stops with a continue document when the budget is used', async () => {
    const partial = {
      when: { role: 'executor', task: 'S01/T01' },
      do: [
        ...built('one'),
        reply({ status: 'partial', summary: 'half', completed: ['a'], remaining: ['b'], nextAction: 'Write b' }),
      ],
    };
    const story = await runMilestone([partial, partial], ['--repairs', '1']);
    expect(story.code).toBe(1);
    expect(story.ended('S01/T01')).toMatchObject({ status: 'blocked', reason: 'partly done, left: b' });
    expect(story.document(`${in01}/slices/S01/continue.md`)).toContain('## Remaining Work\n\n- b');
    expect(story.ended('S01/T02')?.status).toBe('done');
    expect(story.facts.filter(({ key }) => key.startsWith('S01/T01/continue#'))).toHaveLength(1);
    // What it built is on its branch, so a new run does not start without that. Then it goes on from the document.
    const { project, run } = story;
    const refused = await project.forge('milestone', 'run', '--yes');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`forge retry ${run}`)]);
    project.git('merge', '-q', `forge/${run}`);
    expect(await project.forge('milestone', 'run', '--yes')).toMatchObject({ code: 0 });
    const [other = ''] = project.runs().filter((name) => name !== run);
    const facts = project.facts(other) as unknown as MilestoneStory['facts'];
    expect(promptOf({ facts }, 'S01/T01/execute#1')).toMatch(/An earlier session did part of it[^]*- b[^]*Write b/);
    expect(facts.some(({ type, key }) => type === 'task.started' && key === 'S01/T02')).toBe(false);
  });

  it('keeps the numbers of decisions when the task of another one is tried again', async () => {
    const deciding = (id: string, choice: string, status: 'done' | 'blocked') => {
      const decisions = [{ choice, why: 'it is usual', alternative: 'the other way' }];
      const answer = reply({
        status,
        summary: choice,
        blocker: 'two tasks in one',
        blockerKind: 'scope_exceeded',
        decisions,
      });
      return { when: { role: 'executor', task: id }, do: [...built(id.endsWith('1') ? 'one' : 'two'), answer] };
    };
    const second = deciding('S01/T02', 'Lower case', 'done');
    const { project, run, document } = await runMilestone(
      [deciding('S01/T01', 'Upper case', 'blocked'), second],
      ['--parallel', '1'],
    );
    const read = async () => (await project.forge('milestone', 'report')).stdout;
    expect(await read()).toMatch(/D4 S01\/T02: Lower case/);
    const memory = (): string => document(`${in01}/M001-MEMORY.md`);
    expect(memory()).toMatch(/discuss-milestone +\| decision +\| 0\.80 +\| \d +\| No dependencies \(it is small\)/);
    rmSync(join(project.root, `.gsd/${in01}/M001-MEMORY.md`));
    const planned = job('S02/plan#1@try2', reply(slicePlan(task('T01', 'three'))));
    const changed = script([deciding('S01/T01', 'Mixed case', 'done'), planned]);
    project.write({ '.forge/script.yaml': JSON.stringify(changed) });
    expect(await project.forge('retry', run, 'S01/T01', '--yes')).toMatchObject({ code: 0 });
    const after = await read();
    expect(after).toMatch(/D4 S01\/T02: Lower case/);
    expect(after).toMatch(/D5 S01\/T01: Mixed case/);
    expect(after).not.toMatch(/D3 |Upper case/);
    // What was deleted is made anew from the facts, without what was taken back.
    expect(memory()).toMatch(/S01\/T01 +\| decision +\| 0\.80 +\| \d +\| Mixed case/);
    expect(memory()).not.toContain('Upper case');
    const reversed = await project.forge('milestone', 'reverse', 'D4');
    expect([reversed.code, reversed.stdout]).toEqual([0, expect.stringContaining('Lower case')]);
  });

  it('asks another model once after a refusal, and stops a task that is too broad with its sentence', async () => {
    const blocked = (id: string, blocker: string, kind: string) => ({
      when: { role: 'executor', task: id },
      repeat: true,
      do: [reply({ status: 'blocked', summary: 'no', blocker, blockerKind: kind })],
    });
    const story = await runMilestone([
      blocked('S01/T01', 'I will not', 'model_refusal'),
      blocked('S01/T02', 'two tasks in one', 'scope_exceeded'),
    ]);
    expect(story.ended('S01/T01')?.reason).toContain('Two models refused');
    expect(story.ended('S01/T02')?.reason).toContain('Split it into smaller tasks');
    expect(story.facts.some(({ key }) => key === 'S01/T01/execute#1/other-model#1')).toBe(true);
  });

  it('names a claim of success that the checks do not confirm', async () => {
    const story = await runMilestone([
      {
        when: { role: 'executor', task: 'S01/T01' },
        do: [...built('one', '0'), done('one is there', { verification: [{ command: 'node --test', exitCode: 0 }] })],
      },
      {
        when: { role: 'executor', task: 'S01/T01' },
        do: [
          ...built('one'),
          done('one is there', {
            verification: [
              { command: 'node --test', exitCode: 1 },
              { command: 'npx eslint src', exitCode: 0 },
            ],
          }),
        ],
      },
    ]);
    expect(story.code).toBe(0);
    expect(story.document(`${in01}/slices/S01/tasks/T01/T01-SUMMARY.md`)).toContain(
      [
        '## Claims that were not confirmed',
        '',
        '- It says `node --test` failed (1). Forge ran it: passed.',
        '- It says `npx eslint src` passed. Forge did not run it.',
      ].join('\n'),
    );
  });
});

describe('promises that are not kept', () => {
  const promising = (more: object) => job('S01/plan#1', reply(slicePlan(task('T01', 'one', more), task('T02', 'two'))));
  const two = {
    truths: [],
    artifacts: [
      { path: 'src/one.js', provides: 'one', minLines: 1 },
      { path: 'src/more.js', provides: 'more', minLines: 1 },
    ],
  };
  const more = {
    write: { path: 'src/more.js', content: "import { one } from './one.js';\nexport const more = () => one() + 1;\n" },
  };
  const used = {
    append: {
      path: 'test/one.test.js',
      content: "import { more } from '../src/more.js';\ntest('more', () => assert.ok(more() > 1));\n",
    },
  };

  it('are repaired by another try, a fact before it begins', async () => {
    const story = await runMilestone([
      promising({ mustHaves: two }),
      { when: { key: 'S01/T01/execute#1' }, do: [...built('one'), done('one')] },
      { when: { key: 'S01/T01/execute#2' }, do: [more, used, done('one and more')] },
    ]);
    expect(story.code).toBe(0);
    const seq = (type: string, key: string) =>
      story.facts.find((fact) => fact.type === type && fact.key === key)?.seq ?? Number.NaN;
    expect(seq('note.recorded', 'S01/T01/repair#1')).toBeLessThan(seq('effect.started', 'S01/T01/execute#2'));
  });

  it('are split into tasks of the running schedule where the task is large', async () => {
    const four = {
      truths: ['four() counts'],
      artifacts: ['one', 'x', 'y', 'z'].map((name) => ({ path: `src/${name}.js`, provides: name, minLines: 1 })),
    };
    const story = await runMilestone([
      promising({ mustHaves: four }),
      job('S01/T01/decompose', reply(slicePlan(task('T1', 'x'), task('T2', 'y')))),
      { when: { role: 'executor', task: 'S01/T01.1' }, do: [...built('x'), done('x')] },
      { when: { role: 'executor', task: 'S01/T01.2' }, do: [...built('y'), done('y')] },
    ]);
    expect(story.code).toBe(0);
    expect([
      story.ended('S01/T01')?.status,
      story.ended('S01/T01.1')?.status,
      story.ended('S01/T01.2')?.status,
    ]).toEqual(['done', 'done', 'done']);
    const { stdout } = await story.project.forge('milestone', 'report');
    expect(stdout).toMatch(/✓ four\(\) counts \(S01\/T01, [0-9a-f]{7}; passed: .*node --test/);
    expect(story.document(`${in01}/slices/S01/S01-PLAN.md`)).toContain('- [x] **T01.2');
    // What no part delivered is owed: the summary says so, the report too, and the next slice is asked for it.
    expect(story.document(`${in01}/slices/S01/S01-SUMMARY.md`)).toMatch(/## Pending requirements\n\n- src\/z\.js: /);
    expect(promptOf(story, 'S02/plan#1')).toContain('- src/z.js: ');
    expect((await story.project.forge('milestone', 'report')).stdout).toContain('S01/T01 still owes: src/z.js');
  });

  it('are asked for in the next unit, also by another process', async () => {
    const project = makeProject({
      config: `${scriptedConfig}parallel: 1\n`,
      script: script([
        promising({ mustHaves: two }),
        { when: { role: 'executor', task: 'S01/T01' }, repeat: true, do: [...built('one'), done('one')] },
      ]),
    });
    await project.forge('milestone', 'new', 'Numbers');
    const flags = ['--skip-discuss', '--skip-research', '--plan-check', 'disabled', '--repairs', '0'];
    await project.forge('milestone', 'next', ...flags);
    for (let unit = 2; unit <= 3; unit += 1) await project.forge('milestone', 'next');
    const { facts, document, stderr } = tellMilestone(
      project,
      await project.forge('milestone', 'next', '--repairs', '2'),
    );
    expect(stderr).toContain('it keeps the options it was started with; --repairs changes nothing');
    expect(facts.filter(({ type }) => type === 'run.opened')).toHaveLength(4);
    expect(promptOf({ facts }, 'S01/T02/execute#1')).toContain(
      '# Requirements that earlier units did not meet\n\n- src/one.js\n- src/more.js',
    );
    expect(document(`${in01}/slices/S01/S01-VERIFICATION.md`)).toContain('- T01: src/more.js');
  });

  it('are dropped by a recorded decision where the worker shows that they contradict each other', async () => {
    const story = await runMilestone([
      promising({ mustHaves: two }),
      {
        when: { role: 'executor', task: 'S01/T01' },
        do: [...built('one'), done('one', { unmet: ['more'], unmetBecause: 'contradictory' })],
      },
    ]);
    expect(story.code).toBe(0);
    const summary = story.document(`${in01}/slices/S01/tasks/T01/T01-SUMMARY.md`);
    expect(summary).toContain('## Dropped on purpose');
    expect(summary).not.toContain('## Pending requirements');
    const report = await story.project.forge('milestone', 'report');
    expect(report.stdout).toContain('Dropped: src/more.js');
    const reversed = await story.project.forge('milestone', 'reverse', 'D3');
    expect(reversed.stdout).toContain('forge milestone run M002');
  });

  it('block the task when the budget is used, and nothing else', async () => {
    const story = await runMilestone(
      [
        promising({ mustHaves: two }),
        { when: { role: 'executor', task: 'S01/T01' }, repeat: true, do: [...built('one'), done('one')] },
      ],
      ['--repairs', '1'],
    );
    expect(story.code).toBe(1);
    expect(story.ended('S01/T01')).toMatchObject({ status: 'blocked' });
    expect(story.ended('S01/T01')?.reason).toContain('all 1 repairs are used');
    expect(story.ended('S01/T02')?.status).toBe('done');
  });
});

describe('the review of a slice', () => {
  const objections = {
    objections: [
      { id: 'R1', file: 'src/one.js', line: 1, claim: 'It is wrong' },
      { id: 'R2', file: 'src/one.js', line: 1, claim: 'It is odd' },
      { id: 'R3', claim: 'It is slow' },
    ],
  };
  const disputed = [
    job('S01/review/challenge', reply(objections)),
    job(
      'S01/review/defense',
      reply({
        answers: [
          { id: 'R1', verdict: 'conceded', why: 'yes' },
          { id: 'R2', verdict: 'refuted', why: 'no' },
          { id: 'R3', verdict: 'open', why: 'maybe' },
        ],
      }),
    ),
    job(
      'S01/review/rebuttal#1',
      reply({
        rulings: [
          { id: 'R2', ruling: 'withdrawn' },
          { id: 'R3', ruling: 'maintained' },
        ],
      }),
    ),
    { when: { role: 'executor', task: 'S01/review-fix' }, do: [...built('one', '11'), done('fixed')] },
  ];

  it('fixes what was conceded, and asks about what stayed open at the end', async () => {
    const story = await runMilestone(disputed, ['--review', 'dialectic']);
    expect(story.code).toBe(0);
    const text = story.document(`${in01}/slices/S01/S01-REVIEW.md`);
    expect(text).toContain('**Outcome:** 1 resolved · 1 conceded · 1 open');
    expect(text).toContain('**Fix:** applied');
    expect(story.document('KNOWLEDGE.md')).toContain('M001/S01 R3');
    const report = await story.project.forge('milestone', 'report');
    expect(report.stdout).toContain('3 objections (1 fixed, 1 for later, 1 withdrawn)');
    expect(story.project.git('show', `forge/${story.run}:src/one.js`)).toContain('11');
  });

  it('waits for a person before the milestone closes, and changes what they want changed', async () => {
    const project = makeProject({
      script: script([
        ...disputed,
        {
          when: { role: 'executor', task: 'review-fix/triage' },
          do: [{ write: { path: 'src/one.js', content: 'export const one = () => 12;\n' } }, done('faster')],
        },
      ]),
    });
    const stopped = tellMilestone(
      project,
      await project.forge('milestone', 'Numbers', '--skip-research', '--review', 'dialectic'),
    );
    expect(stopped.code).toBe(3);
    expect(stopped.ended('S02')?.status).toBe('done');
    const answered = await project.forge('answer', stopped.run, 'triage/S01-R3', '--option', 'refactor');
    expect(answered.code).toBe(0);
    expect(project.git('show', `forge/${stopped.run}:src/one.js`)).toContain('12');
    const report = await project.forge('milestone', 'report');
    expect(report.stdout).toContain('3 objections (2 fixed, 1 withdrawn)');
  });

  it('is never approval when nobody can be had', async () => {
    const story = await runMilestone([
      { when: { key: 'S01/review/challenge' }, do: [{ error: { code: 'unknown', message: 'gone' } }] },
    ]);
    expect(story.code).toBe(0);
    expect(story.document(`${in01}/slices/S01/S01-REVIEW.md`)).toContain('**Not reviewed:**');
    expect(story.document('KNOWLEDGE.md')).toContain('Nobody reviewed this slice');
  });
});
