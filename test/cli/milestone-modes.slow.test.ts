/** Gates in their other modes, slices side by side, and a milestone that another tool or an earlier run began. */
import { describe, expect, it } from 'vitest';
import {
  built,
  dimensions,
  done,
  job,
  type MilestoneFact,
  type MilestoneStory,
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
const objection = { objections: [{ id: 'R1', file: 'src/one.js', line: 1, claim: 'It is wrong' }] };
const conceded = [
  job('S01/review/challenge', reply(objection)),
  job('S01/review/defense', reply({ answers: [{ id: 'R1', verdict: 'conceded', why: 'yes' }] })),
];

const asked = ({ facts }: MilestoneStory): readonly string[] =>
  facts.flatMap(({ type, key }) => (type === 'effect.started' ? [key] : []));
const seqOf = (facts: readonly MilestoneFact[], type: string, key: string): number =>
  facts.find((fact) => fact.type === type && fact.key === key)?.seq ?? Number.NaN;

describe('other modes', () => {
  it('build independent slices side by side, flag small changes, and look up no names', async () => {
    const story = await runMilestone(
      [
        { when: { role: 'milestone-planner' }, do: [reply(roadmap([slice('S01'), slice('S02')]))] },
        job('S01/plan#1', reply(slicePlan(task('T01', 'one', { symbols: ['nothing'], kind: 'docs' })))),
        job('S01/review/challenge', reply(objection)),
      ],
      ['--slices', '2', '--symbols', 'disabled', '--skip-discuss', '--plan-check', 'disabled'],
    );
    expect(story.code).toBe(0);
    expect(seqOf(story.facts, 'task.started', 'S02')).toBeLessThan(seqOf(story.facts, 'task.ended', 'S01'));
    expect(asked(story).filter((key) => /symbols|discuss|plan-check|defense/.test(key))).toEqual([]);
    const review = story.document(`${in01}/slices/S01/S01-REVIEW.md`);
    expect(review).toContain('**Style:** flags');
    expect(review).toContain('0 resolved · 0 conceded · 1 open');
    expect(story.document(`${in01}/M001-ROADMAP.md`).match(/- \[x\] /g)).toHaveLength(2);
    // Who did the task tagged `docs`, and why: recorded.
    const dispatched = story.document(`${in01}/M001-events.jsonl`).split('\n');
    const line = dispatched.find((one) => one.includes('"dispatch"') && one.includes('"unit":"S01/T01"'));
    expect(line).toContain('tier light: the task is tagged docs');
  });

  it('leave what is conceded to the person, ask about it at the end, and review nothing where that is wanted', async () => {
    const kept = await runMilestone(conceded, ['--review', 'dialectic', '--fix-now', 'off']);
    expect(kept.code).toBe(0);
    expect(asked(kept).filter((key) => key.includes('review-fix'))).toEqual([]);
    expect(kept.document('KNOWLEDGE.md')).toContain('M001/S01 R1');
    const none = await runMilestone([], ['--review', 'disabled']);
    expect(none.code).toBe(0);
    expect(asked(none).filter((key) => /review\/(?:challenge|defense)/.test(key))).toEqual([]);
  });

  it('ask about an open objection at once, and only that slice waits', async () => {
    const project = makeProject({
      script: script([
        { when: { role: 'milestone-planner' }, do: [reply(roadmap([slice('S01'), slice('S02')]))] },
        job('S01/review/challenge', reply(objection)),
      ]),
    });
    const args = ['--open', 'ask', '--review', 'flags', '--slices', '2', '--skip-research', '--skip-discuss'];
    const stopped = tellMilestone(project, await project.forge('milestone', 'Numbers', ...args));
    expect(stopped.code).toBe(3);
    expect(stopped.ended('S02')?.status).toBe('done');
    expect(stopped.ended('S01')).toBeUndefined();
    const answered = await project.forge('answer', stopped.run, 'S01/review/decide-R1', '--option', 'keep');
    expect(answered.code).toBe(0);
    expect(tellMilestone(project, answered).document(`${in01}/slices/S01/S01-REVIEW.md`)).toContain(
      '**Decision:** keep',
    );
  });
});

const front = (id: string, lines: string): string =>
  `---\nid: ${id}\nslice: S02\nmilestone: M001\n${lines}\n---\n# ${id}: Export\n\nsrc/two.js exports two().\n`;
const given = '.gsd/milestones/M001';
const earlier = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
  '.gsd/AUTO-MEMORY.md':
    '## Gotcha\n- [MEM001] (gotcha) confidence:0.95 hits:3 — The export login needs a session token.\n',
  [`${given}/M001-ROADMAP.md`]:
    '# M001: Numbers\n\n## Slices\n\n- [x] **S01: One** `risk:low` `depends:[]`\n- [ ] **S02: Two** `risk:low` `depends:[S01]`\n',
  [`${given}/slices/S01/S01-SUMMARY.md`]: '---\nid: S01\n---\n# S01: One\n\nIt is there.\n',
  [`${given}/slices/S01/S01-REVIEW.md`]:
    '# S01: review\n\n### R1 · `src/one.js:1` · aberto\nO limite falta.\n**Decisão:** deferido → triagem no fim da milestone\n',
  [`${given}/slices/S02/S02-PLAN.md`]:
    '# S02: Two\n\n**Goal:** two\n\n## Tasks\n\n- [ ] **T01: Export login session**\n- [ ] **T02: Broken**\n',
  [`${given}/slices/S02/tasks/T01/T01-PLAN.md`]: front(
    'T01',
    'status: RUNNING\ndepends: []\nwrites: [src/two.js, test/two.test.js]\nsymbols: [nowhere]\nverify: [node --test]\nmust_haves:\n  truths: [the login session is exported]\n  artifacts: []\n  key_links: []',
  ),
  [`${given}/slices/S02/tasks/T01/T01-SECURITY.md`]: '# T01: security checklist\n\n- [ ] Expire the session\n',
  [`${given}/slices/S02/tasks/T02/T02-PLAN.md`]: front('T02', 'depends: []\nwrites: [src/x.js]\nmust_haves: wrong'),
};

describe('a milestone that was begun before', () => {
  it('goes on from its documents: nothing is asked twice, a plan that is broken waits, and old objections come up', async () => {
    const jobs = [
      { when: { role: 'plan-checker' }, repeat: true, do: [reply(dimensions())] },
      { when: { role: 'executor', task: 'S02/T01' }, do: [...built('two', '2'), done('two is there')] },
      { when: { role: 'challenger' }, repeat: true, do: [reply({ objections: [] })] },
      { when: { role: 'scribe' }, repeat: true, do: [reply({ summary: 'It is done.' })] },
    ];
    const project = makeProject({ script: jobs, files: earlier });
    const args = ['milestone', 'M001', '--yes', '--skip-research', '--skip-discuss'];
    const stopped = tellMilestone(project, await project.forge(...args));
    expect(stopped.code).toBe(1);
    expect(stopped.stdout).toContain('T01: interrupted earlier, starts again');
    expect(stopped.ended('S02/T02')).toMatchObject({ status: 'blocked' });
    expect(stopped.ended('S02/T02')?.reason).toContain('fix its plan first: must_haves');
    expect(stopped.ended('S02/T01')?.status).toBe('done');
    expect(asked(stopped).filter((key) => key.includes('security'))).toEqual([]);
    // Nobody checked the plan before; its gates are passed before its first task.
    const in02 = 'milestones/M001/slices/S02';
    expect(stopped.document(`${in02}/S02-PLAN-CHECK.md`)).toContain('**Outcome:** recorded');
    expect(stopped.document(`${in02}/S02-SYMBOL-CHECK.md`)).toContain('`nowhere` | MISSING');
    const prompt = JSON.stringify(
      stopped.facts.find(({ type, key }) => type === 'effect.started' && key.startsWith('S02/T01/execute')),
    );
    for (const told of ['Expire the session', 'needs a session token']) expect(prompt).toContain(told);
    // A person repairs the plan and takes what is there; a new run does the rest and asks about the old objection.
    project.git('merge', '-q', `forge/${stopped.run}`);
    project.write({
      [`${given}/slices/S02/tasks/T02/T02-PLAN.md`]: front('T02', 'depends: []\nwrites: [src/x.js]\nstatus: DONE'),
    });
    const again = tellMilestone(project, await project.forge(...args, '--fresh'));
    expect(again.stdout).toContain('S01 R1: O limite falta.');
    expect(again.code).toBe(0);
    expect(again.document('KNOWLEDGE.md')).toContain('M001/S01 R1');
  });
});
