/** A task's plan goes into a document and comes back: nothing of how it is checked is lost on a later run. */
import { expect, it } from 'vitest';
import { chooseMilestone } from '../../../src/workflows/milestone/open-milestone.ts';
import { roadmapText, slicePlanText, taskPlanText } from '../../../src/workflows/milestone/documents/plan-texts.ts';
import { type PlannedTask, plannedTaskSchema } from '../../../src/workflows/milestone/role-results.ts';

const roadmap = '# M001: Numbers\n\n## Slices\n\n- [ ] **S01: Sums** `risk:high` `depends:[]`\n';
const folder = 'milestones/M001/slices/S01';

function reopened(tasks: readonly PlannedTask[], more: Readonly<Record<string, string>> = {}) {
  const plan = slicePlanText({ id: 'S01', title: 'Sums', goal: 'g', demo: 'd', tasks });
  const documents = tasks.map(
    (task) => [`${folder}/tasks/${task.id}/${task.id}-PLAN.md`, taskPlanText('M001', 'S01', task, 'planned')] as const,
  );
  const texts = new Map<string, string>([
    ['milestones/M001/M001-ROADMAP.md', roadmap],
    [`${folder}/S01-PLAN.md`, plan],
    ...documents,
    ...Object.entries(more),
  ]);
  const opened = chooseMilestone(texts, 'M001');
  if (opened.status !== 'opened') throw new Error(opened.reason);
  const slice = opened.milestone.slices?.[0];
  if (slice === undefined) throw new Error('there is no slice');
  return { milestone: opened.milestone, slice };
}

it('keeps commands, promises, size, risk and routing', () => {
  const task = plannedTaskSchema.parse({
    id: 'T01',
    title: 'Export one',
    kind: 'fix',
    depends: [],
    writes: ['src/one.js'],
    verify: ['node --test', { run: ['npm', 'test'], cwd: 'web', timeout: 30 }],
    doneWhen: 'one() is a number',
    steps: ['Write a test', 'Make it pass: quickly'],
    mustHaves: {
      truths: ['one() is a number'],
      artifacts: [{ path: 'src/one.js', provides: '', minLines: 3, stubPatterns: ['TODO'] }],
      links: [{ from: 'src/a.js', to: 'src/one.js', via: '' }],
    },
    expectedOutput: ['docs/one.md'],
    symbols: ['two'],
    isLarge: true,
    risk: 'high',
    tier: 'heavy',
    effort: 'high',
  });
  const [opened] = reopened([task]).slice.tasks;
  expect(opened).toMatchObject({ isDone: false, isInterrupted: false, fault: '', security: '' });
  expect(opened?.planned).toEqual({
    ...task,
    objective: opened?.planned.objective,
    mustHaves: {
      ...task.mustHaves,
      artifacts: [{ path: 'src/one.js', provides: 'src/one.js', minLines: 3, stubPatterns: ['TODO'] }],
      links: [{ from: 'src/a.js', to: 'src/one.js', via: 'use' }],
    },
  });
});

it('names a plan whose promises cannot be read, and reads what other tools say about size and kind', () => {
  const task = plannedTaskSchema.parse({ id: 'T01', title: 'One' });
  const given = (front: string) => ({ [`${folder}/tasks/T01/T01-PLAN.md`]: `---\n${front}\n---\n# T01: One\n` });
  expect(reopened([task], given('must_haves: []')).slice.tasks[0]?.fault).toContain('must be a mapping');
  const odd = `title: ${'x'.repeat(5000)}\nmust_haves:\n  truths: [${'y'.repeat(5000)}]\n  artifacts: [{ path: a, provides: b, min_lines: -2.5 }]\n  key_links: []`;
  expect(reopened([task], given(odd)).slice.tasks[0]?.planned.mustHaves.artifacts[0]?.minLines).toBe(0);
  const [heavy] = reopened([task], given('complexity: heavy\ntag: Docs\nverify: npm test')).slice.tasks;
  expect(heavy?.planned).toMatchObject({ tier: 'heavy', kind: 'docs', verify: ['npm test'] });
});

it('finds the plan of a slice in the flat layout, and what Forge left of it', () => {
  const texts = new Map([
    ['phases/01-shop/01-ROADMAP.md', roadmap],
    ['phases/01-shop/01-CONTEXT.md', '# context\n'],
    ['phases/01-shop/01-01-PLAN.md', '# S01: Sums\n\n- [ ] **T01**: a\n'],
    ['forge/M001/slices/S01/S01-RISK.md', '# risks\n'],
  ]);
  const opened = chooseMilestone(texts, 'M001');
  if (opened.status !== 'opened') throw new Error(opened.reason);
  const [slice] = opened.milestone.slices ?? [];
  expect(opened.milestone.context).toBe('# context\n');
  expect([slice?.plan, slice?.risks]).toEqual(['# S01: Sums\n\n- [ ] **T01**: a\n', '# risks\n']);
});

it('knows what the roadmap of an earlier run wants to see', () => {
  const slices = [{ id: 'S01', title: 'Sums', risk: 'low', depends: [], demo: '', isDone: false }];
  const text = roadmapText({
    id: 'M001',
    title: 'Numbers',
    vision: 'Count.',
    criteria: ['Sums work', 'It is fast'],
    slices,
  });
  const opened = chooseMilestone(new Map([['milestones/M001/M001-ROADMAP.md', text]]), 'M001');
  expect(opened.status === 'opened' && opened.milestone.criteria).toEqual(['Sums work', 'It is fast']);
});

it('goes on with what gates and reviews of an earlier run left', () => {
  const task = plannedTaskSchema.parse({ id: 'T01', title: 'One' });
  const { milestone, slice } = reopened([task], {
    'AUTO-MEMORY.md': '- [MEM001] (gotcha) confidence:0.9 hits:1 — Sums overflow.\n',
    'milestones/M001/M001-MEMORY.md':
      '| Unit | Category | Confidence | Fact |\n|---|---|---|---|\n| S01/T01 | pattern | 0.80 | Sum left to right. |\n',
    [`${folder}/S01-RISK.md`]: '# S01: risks\n\noverflow\n',
    [`${folder}/S01-CONTEXT.md`]: '# S01: context\n',
    [`${folder}/S01-REVIEW.md`]: '# S01: review\n\n**Style:** flags\n\n## R1 (open)\n\nIt overflows.\n',
    [`${folder}/S01-VERIFICATION.md`]: '## Pending requirements\n\n- T01: src/a.js\n- T00: src/b.js\n',
    [`${folder}/tasks/T01/T01-SECURITY.md`]: '- [ ] Check input\n',
  });
  expect(milestone.projectMemory.map(({ text }) => text)).toEqual(['Sums overflow.']);
  expect(milestone.learned.map(({ text }) => text)).toEqual(['Sum left to right.']);
  expect(slice.risks).toContain('overflow');
  expect(slice.context).toBe('# S01: context\n');
  expect(slice.review?.items.map(({ id, state }) => [id, state])).toEqual([['R1', 'open']]);
  expect(slice.owed).toEqual(['src/b.js']);
  expect(slice.tasks[0]?.security).toBe('- [ ] Check input\n');
});

it('reads documents under the names that older tools gave them, and goes on in the same files', () => {
  const texts = new Map([
    ['milestones/M001/roadmap.md', roadmap],
    ['milestones/M001/research/market.md', 'People count.\n'],
    ['milestones/M001/slices/S01/plan.md', '# S01: Sums\n\n- [ ] **T01: a**\n'],
    ['milestones/M001/slices/S01/tasks/T01-plan.md', '# T01: a\n\nAdd two numbers.\n'],
    ['PROJECT.md', 'A calculator.\n'],
    ['DECISIONS.md', 'Decimals are text.\n'],
  ]);
  const opened = chooseMilestone(texts, 'M001');
  if (opened.status !== 'opened') throw new Error(opened.reason);
  const { research, project, paths, slices = [] } = opened.milestone;
  expect(slices[0]?.tasks[0]?.planned.objective).toContain('Add two numbers.');
  expect([research, project]).toEqual(['People count.\n', 'A calculator.\n\n\nDecimals are text.\n']);
  expect([
    paths.milestone('ROADMAP.md'),
    paths.slice('S01', 'PLAN.md'),
    paths.task('S01', 'T01', 'PLAN.md'),
    paths.task('S01', 'T01', 'SUMMARY.md'),
    paths.task('S01', 'T02', 'PLAN.md'),
  ]).toEqual([
    'milestones/M001/roadmap.md',
    'milestones/M001/slices/S01/plan.md',
    'milestones/M001/slices/S01/tasks/T01-plan.md',
    'milestones/M001/slices/S01/tasks/T01-SUMMARY.md',
    'milestones/M001/slices/S01/tasks/T02-PLAN.md',
  ]);
});
