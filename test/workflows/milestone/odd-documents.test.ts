/** Documents of other tools, of mistakes and of ill will: whatever they say, a run opens them or names what is wrong. */
import { expect, it } from 'vitest';
import { taskSchema } from '../../../src/plan/plan.ts';
import { chooseMilestone, type OpenedTask } from '../../../src/workflows/milestone/open-milestone.ts';
import { scheduledTask, toTask } from '../../../src/workflows/milestone/planned-task.ts';

const roadmap = '# M001: Numbers\n\n## Slices\n\n- [ ] **S01: Sums** `risk:low` `depends:[]`\n';
const folder = 'milestones/M001/slices/S01';

function tasksOf(files: Readonly<Record<string, string>>): readonly OpenedTask[] {
  const texts = new Map(Object.entries({ 'milestones/M001/M001-ROADMAP.md': roadmap, ...files }));
  const opened = chooseMilestone(texts, 'M001');
  if (opened.status !== 'opened') throw new Error(opened.reason);
  return opened.milestone.slices?.[0]?.tasks ?? [];
}

it('opens tasks however they are numbered', () => {
  const plan = '# S01: Sums\n\n- [ ] **T1234: a**\n- [ ] **T01.1.1: b**\n- [ ] **T01.123: c**\n';
  const tasks = tasksOf({ [`${folder}/S01-PLAN.md`]: plan, [`${folder}/tasks/T20260101-PLAN.md`]: '# much later\n' });
  expect(tasks.map(({ planned }) => planned.id)).toEqual(['T1234', 'T01.1.1', 'T01.123']);
});

const promise = (lines: string) =>
  `must_haves:\n  truths: []\n  artifacts: [{path: a.js, provides: a, min_lines: ${lines}}]\n  key_links: []`;

it.each([
  ['endless lines', promise('.inf')],
  ['no number of lines', promise('.nan')],
  ['more lines than can be counted', promise('1e300')],
  ['fewer than none', promise('-5')],
  ['what every object has', '__proto__: {a: 1}\nconstructor: {b: 2}\ndepends: {toString: 1}\nwrites: 7'],
  ['lists of lists', 'depends: [[T01]]\nwrites: [[a], {b: c}]\nverify: [[x], {run: []}, {run: [y], extra: 1}]'],
  ['wrong kinds', 'tier: 7\neffort: [x]\nrisk: none\ntag: 3\ncomplexity: {a: b}\nlarge_task: maybe\nsymbols: 9'],
  ['very long words', `tier: ${'t'.repeat(5000)}\neffort: ${'e'.repeat(5000)}\ndone_when: ${'d'.repeat(5000)}`],
  ['nothing', ''],
])('opens a plan with %s', (_, front) => {
  const source = `---\n${front}\n---\n# T01: a\n\n## Steps\n\n1. ${'x'.repeat(5000)}\n`;
  const [task] = tasksOf({
    [`${folder}/S01-PLAN.md`]: '# S01: Sums\n\n- [ ] **T01: a**\n',
    [`${folder}/tasks/T01-PLAN.md`]: source,
  });
  if (task === undefined) throw new Error('there is no task');
  for (const one of [toTask('S01', task.planned), scheduledTask(task.planned)])
    expect(taskSchema.parse(structuredClone(one))).toEqual(one);
});

it.each([
  ['a command with operators', 'verify: ["true; touch x"]', /^verify\[0\]: /],
  ['a command that is prose', 'verify: ["Look at the page and see that it is nice"]', /^verify\[0\]: /],
  ['a path outside', 'writes: ["../../x"]', /^writes\[0\]: /],
  ['a path from the root', 'writes: [/etc/passwd]', /^writes\[0\]: /],
])('names %s as a fault of its task', (_, front, fault) => {
  const [task] = tasksOf({
    [`${folder}/S01-PLAN.md`]: '# S01: Sums\n\n- [ ] **T01: a**\n',
    [`${folder}/tasks/T01-PLAN.md`]: `---\ndepends: []\n${front}\n---\n# T01: a\n`,
  });
  expect(task?.fault).toMatch(fault);
  expect([task?.planned.writes, task?.planned.verify]).toEqual([[], []]);
});

it('names a folder that is no milestone and leaves it alone', () => {
  const texts = new Map([['milestones/M001; touch x/M001-ROADMAP.md', roadmap]]);
  expect(chooseMilestone(texts, 'M001; touch x')).toMatchObject({ status: 'opened', milestone: { found: undefined } });
});
