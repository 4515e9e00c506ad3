/** Plans that Forge did not make, with what is wrong in them: each fault stops its own part, and the rest is built. */
import { expect, it } from 'vitest';
import { built, done, reply, tellMilestone } from './milestone-story.ts';
import { makeProject } from './support.ts';

const given = '.gsd/milestones/M001';
const plan = (id: string, ...tasks: readonly string[]) =>
  `# ${id}: Numbers\n\n## Tasks\n\n${tasks.map((task) => `- [ ] **${task}: Export**\n`).join('')}`;
const task = (id: string, name: string, front: string) =>
  `---\nid: ${id}\n${front}writes: [src/${name}.js, test/${name}.test.js]\nverify: [node --test]\n---\n# ${id}: Export ${name}\n`;
const works = (at: string, name: string) => ({
  when: { role: 'executor', task: at },
  do: [...built(name), done(name)],
});

it('what cannot start is named, a plan that says too little goes task by task, and the rest is built', async () => {
  const project = makeProject({
    script: [
      works('S01/T1234', 'one'),
      works('S01/T02', 'two'),
      works('S02/T04', 'four'),
      { when: { role: 'challenger' }, repeat: true, do: [reply({ objections: [] })] },
      { when: { role: 'scribe' }, repeat: true, do: [reply({ summary: 'It is done.' })] },
    ],
    files: {
      [`${given}/M001-ROADMAP.md`]:
        '# M001: Numbers\n\n## Slices\n\n- [ ] **S01: One** `depends:[]`\n- [ ] **S02: Two** `depends:[]`\n- [ ] **S03: Three** `depends:[S04]`\n- [ ] **S04: Four** `depends:[S03]`\n',
      [`${given}/slices/S01/S01-PLAN.md`]: plan('S01', 'T02', 'T1234'),
      [`${given}/slices/S01/tasks/T1234-PLAN.md`]: task('T1234', 'one', ''),
      [`${given}/slices/S01/tasks/T02-PLAN.md`]: task('T02', 'two', ''),
      [`${given}/slices/S02/S02-PLAN.md`]: plan('S02', 'T01', 'T02', 'T03', 'T04', 'T05'),
      [`${given}/slices/S02/tasks/T01-PLAN.md`]: task('T01', 'x', 'depends: [T99]\n'),
      [`${given}/slices/S02/tasks/T02-PLAN.md`]: task('T02', 'y', 'depends: [T03]\n'),
      [`${given}/slices/S02/tasks/T03-PLAN.md`]: task('T03', 'z', 'depends: [T02]\n'),
      [`${given}/slices/S02/tasks/T05-PLAN.md`]:
        '---\nid: T05\ndepends: []\nwrites: [v.js]\nverify: ["true; touch v"]\n---\n# T05\n',
      [`${given}/slices/S02/tasks/T04-PLAN.md`]: task('T04', 'four', 'depends: []\n'),
    },
  });
  const args = ['milestone', 'M001', '--yes', '--skip-research', '--skip-discuss', '--plan-check', 'disabled'];
  const story = tellMilestone(project, await project.forge(...args));
  expect([story.code, story.stderr]).toEqual([1, '']);
  expect(story.stdout).toContain('One task at a time');
  const order = story.facts.flatMap(({ type, key }) =>
    type === 'task.started' || type === 'task.ended' ? [`${key} ${type}`] : [],
  );
  expect(order.filter((one) => one.startsWith('S01/'))).toEqual([
    'S01/T02 task.started',
    'S01/T02 task.ended',
    'S01/T1234 task.started',
    'S01/T1234 task.ended',
  ]);
  const ends = ['S01', 'S02/T01', 'S02/T02', 'S02/T03', 'S02/T04', 'S02/T05', 'S02', 'S03', 'S04'].map((key) => {
    const { status, reason } = story.ended(key) ?? { status: 'none', reason: '' };
    return [key, status, reason.split(/; T0|, like|, not/)[0]];
  });
  expect(ends).toEqual([
    ['S01', 'done', ''],
    ['S02/T01', 'blocked', 'fix its plan first: it waits for T99, which is not there'],
    ['S02/T02', 'blocked', 'fix its plan first: these wait for each other: T02, T03'],
    ['S02/T03', 'blocked', 'fix its plan first: these wait for each other: T02, T03'],
    ['S02/T04', 'done', ''],
    ['S02/T05', 'blocked', 'fix its plan first: verify[0]: "true; touch v" reads like prose'],
    ['S02', 'blocked', 'T01: fix its plan first: it waits for T99, which is not there'],
    ['S03', 'blocked', 'fix the roadmap first: these wait for each other: S03, S04'],
    ['S04', 'blocked', 'fix the roadmap first: these wait for each other: S03, S04'],
  ]);
});
