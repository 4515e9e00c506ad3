/** The table that decides what comes next, row by row, on folders as tools write them. */
import { describe, expect, it } from 'vitest';
import { assembleProject } from '../../src/gsd/assemble-project.ts';
import { nextUnit, usualPreferences } from '../../src/gsd/next-unit.ts';

const roadmap =
  '# M001: A shop\n\n## Slices\n- [ ] **S01: Basket** `depends:[]`\n- [ ] **S02: Paying** `risk:high` `depends:[S01]`\n';
const planned = {
  'milestones/M001/M001-ROADMAP.md': roadmap,
  'milestones/M001/M001-CONTEXT.md': '',
  'milestones/M001/M001-RESEARCH.md': '',
};
const slice = 'milestones/M001/slices/S01';
const slicePlan = {
  [`${slice}/S01-PLAN.md`]: '- [ ] **T01: a**\n- [ ] **T02: b**\n- [ ] **T10: c**\n',
  [`${slice}/S01-RESEARCH.md`]: '',
};

function taskPlan(id: string, front: string): Record<string, string> {
  return { [`${slice}/tasks/${id}-PLAN.md`]: `---\n${front}\n---\n# ${id}\n` };
}
function summaries(...ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [`${slice}/tasks/${id}-SUMMARY.md`, '---\nid: x\n---\n']));
}
function project(...files: readonly Readonly<Record<string, string>>[]) {
  return assembleProject(new Map(Object.entries(Object.assign({}, ...files) as Record<string, string>)));
}
function unit(...files: readonly Readonly<Record<string, string>>[]) {
  const { reason: _, ...next } = nextUnit(project(...files));
  return next;
}

it('names an open milestone whose validation did not pass, and a title from its scope', () => {
  const found = project(planned, {
    'milestones/M001/M001-ROADMAP.md': roadmap.replace('# M001: A shop', '# M001'),
    'milestones/M001/M001-SCOPE.md': '# M001: Shopping\n',
    'milestones/M001/M001-VALIDATION.md': '---\nverdict: needs-attention\n---\n',
  });
  expect(found.remarks).toContainEqual({
    file: 'milestones/M001/M001-VALIDATION.md',
    problem: 'The validation says needs-attention',
  });
  expect(found.milestones.map(({ title }) => title)).toEqual(['Shopping']);
});

describe('what comes next', () => {
  const at = { milestone: 'M001' };
  it.each([
    ['no milestone', [{ 'milestones/M001/M001-SUMMARY.md': 'done' }], { unit: 'none' }],
    ['no roadmap', [{ 'milestones/M001/M001-CONTEXT.md': '' }], { unit: 'plan-milestone', ...at }],
    [
      'a roadmap without slices',
      [{ 'milestones/M001/M001-ROADMAP.md': '# M001\n' }],
      { unit: 'plan-milestone', ...at },
    ],
    ['no context', [{ 'milestones/M001/M001-ROADMAP.md': roadmap }], { unit: 'discuss-milestone', ...at }],
    [
      'no research',
      [{ 'milestones/M001/M001-ROADMAP.md': roadmap, 'milestones/M001/M001-CONTEXT.md': '' }],
      { unit: 'research-milestone', ...at },
    ],
    ['a slice without a plan', [planned], { unit: 'plan-slice', ...at, slice: 'S01' }],
    [
      'a plan without research',
      [planned, { [`${slice}/S01-PLAN.md`]: '- [ ] **T01: a**\n' }],
      { unit: 'research-slice', ...at, slice: 'S01' },
    ],
    [
      'a plan without tasks',
      [planned, { [`${slice}/S01-PLAN.md`]: 'soon' }],
      { unit: 'plan-slice', ...at, slice: 'S01' },
    ],
    [
      'tasks that do not say what they write',
      [planned, slicePlan],
      { unit: 'execute-task', ...at, slice: 'S01', tasks: ['T01'], interrupted: [] },
    ],
    [
      'ready tasks with different files',
      [
        planned,
        slicePlan,
        taskPlan('T01', 'depends: []\nwrites: [a.js]'),
        taskPlan('T02', 'depends: []\nwrites: [b.js]'),
        taskPlan('T10', 'depends: [T02]\nwrites: [c.js]'),
      ],
      { unit: 'execute-task', ...at, slice: 'S01', tasks: ['T01', 'T02'], interrupted: [] },
    ],
    [
      'a task somebody began and did not finish',
      [planned, slicePlan, taskPlan('T01', 'status: RUNNING')],
      { unit: 'execute-task', ...at, slice: 'S01', tasks: ['T01'], interrupted: ['T01'] },
    ],
    [
      'tasks that wait for each other',
      [
        planned,
        slicePlan,
        taskPlan('T01', 'depends: [T02]\nwrites: []'),
        taskPlan('T02', 'depends: [T01]\nwrites: []'),
        taskPlan('T10', 'depends: [T01]\nwrites: []'),
      ],
      { unit: 'blocked', ...at, slice: 'S01' },
    ],
    [
      'all tasks done',
      [planned, slicePlan, summaries('T01', 'T02', 'T10')],
      { unit: 'complete-slice', ...at, slice: 'S01' },
    ],
    [
      'the slice done',
      [planned, slicePlan, { [`${slice}/S01-SUMMARY.md`]: 'done' }],
      { unit: 'plan-slice', ...at, slice: 'S02' },
    ],
    [
      'all slices done',
      [planned, { [`${slice}/S01-SUMMARY.md`]: 'x', 'milestones/M001/slices/S02/S02-SUMMARY.md': 'x' }],
      { unit: 'complete-milestone', ...at },
    ],
  ])('%s', (_, files, expected) => expect(unit(...(files as Record<string, string>[]))).toEqual(expected));

  it('skips what the preferences skip', () => {
    const preferences = { ...usualPreferences, skipDiscuss: true, skipResearch: true };
    const next = nextUnit(project({ 'milestones/M001/M001-ROADMAP.md': roadmap }), { preferences });
    expect(next).toMatchObject({ unit: 'plan-slice', slice: 'S01' });
  });

  it('goes on with the milestone that STATE.md names, if it is open', () => {
    const two = { ...planned, 'milestones/M002/M002-CONTEXT.md': '' };
    expect(unit(two, { 'STATE.md': '# GSD State\n\n**Active Milestone:** M002: later\n' })).toEqual({
      unit: 'plan-milestone',
      milestone: 'M002',
    });
    const plain = 'Active Milestone: M002 — later\nActive Slice: S01\nActive Task: None\nPhase: Ready\n';
    expect(unit(two, { 'STATE.md': plain })).toMatchObject({ milestone: 'M002' });
    expect(unit(two, { 'STATE.md': '## Current Position\n- milestone: M009\n' })).toMatchObject({ milestone: 'M001' });
  });
});

describe('what a project says about itself', () => {
  it('counts a summary, not a box, and names where they disagree', () => {
    const { milestones, remarks } = project(planned, slicePlan, summaries('T01'), {
      [`${slice}/S01-SUMMARY.md`]: '---\ndoctor_generated: true\n---\n',
      [`${slice}/tasks/T07-PLAN.md`]: '---\nmust_haves: nope\n---\n',
    });
    expect(milestones[0]?.slices[0]?.tasks.map(({ id, status }) => [id, status.state, status.evidence])).toEqual([
      ['T01', 'done', 'summary'],
      ['T02', 'open', 'none'],
      ['T10', 'open', 'none'],
      ['T07', 'open', 'none'],
    ]);
    expect(remarks).toEqual([
      { file: `${slice}/S01-PLAN.md`, problem: 'It does not list these tasks: T07' },
      {
        file: `${slice}/tasks/T07-PLAN.md`,
        problem: 'must_haves: it must be a mapping of truths, artifacts and key_links',
      },
      {
        file: `${slice}/S01-SUMMARY.md`,
        problem: 'A tool wrote this summary because a box was ticked, so it is not evidence',
      },
      { file: slice, problem: 'It has a summary, but its box in the roadmap is open' },
    ]);
  });

  it('tells two milestones with one number apart', () => {
    const { milestones } = project(planned, { 'milestones/M001-abc123/M001-ROADMAP.md': '# M001-abc123: Other\n' });
    expect(milestones.map(({ id, title }) => [id, title])).toEqual([
      ['M001', 'A shop'],
      ['M001-abc123', 'Other'],
    ]);
  });

  it.each([
    [['STATE.md', 'SPEC.md', 'phases/1/1-PLAN.md'], 'foreign'],
    [[], 'absent'],
    [['milestones/M001/roadmap.md'], 'early'],
    [['phases/01-a/01-ROADMAP.md'], 'flat'],
    [['milestones/M001/slices/S01/tasks/T01/T01-PLAN.md'], 'task-folders'],
  ])('knows the layout of %j', (paths, layout) => {
    expect(assembleProject(new Map(paths.map((path) => [path, '']))).layout).toBe(layout);
  });

  it('reads the flat layout, with its manifest as the truth about tasks', () => {
    const manifest = {
      milestones: [{ id: 'M001', status: 'active' }],
      slices: [{ milestone_id: 'M001', id: 'S02', status: 'skipped' }],
      tasks: [{ milestone_id: 'M001', slice_id: 'S01', id: 'T01', title: 'Do it', status: 'complete' }],
    };
    const flat = project({
      'phases/01-shop/01-ROADMAP.md': roadmap,
      'phases/01-shop/01-01-PLAN.md': '- [ ] **T01**: a\n- [ ] **T02**: b\n',
      'state-manifest.json': JSON.stringify(manifest),
    });
    expect(
      flat.milestones[0]?.slices.map(({ id, status, tasks }) => [
        id,
        status.state,
        tasks.map((task) => task.status.state),
      ]),
    ).toEqual([
      ['S01', 'open', ['done', 'open']],
      ['S02', 'skipped', []],
    ]);
  });

  it('believes the rest of a manifest in which one line is wrong, and no name that is none', () => {
    const manifest = JSON.stringify({
      milestones: [{ title: 'without an id' }, { id: 'M001', status: 'active' }],
      tasks: [
        7,
        { milestone_id: 'M001', slice_id: 'S01', id: '../../x', status: 'pending' },
        { milestone_id: 'M001', slice_id: 'S01', id: 'T01', status: 'complete' },
      ],
    });
    const found = project({
      'phases/01-a/01-ROADMAP.md': '# M001: a\n\n- [ ] **S01: one**\n',
      'phases/01-a/01-01-PLAN.md': '# S01: one\n\n- [ ] **T01: a**\n- [ ] **T02: b**\n',
      'state-manifest.json': manifest,
    });
    const tasks = found.milestones[0]?.slices[0]?.tasks ?? [];
    expect(tasks.map(({ id, status }) => [id, status.state])).toEqual([
      ['T01', 'done'],
      ['T02', 'open'],
    ]);
  });

  it('names a folder that is no milestone', () => {
    const found = project({
      'milestones/M001/M001-ROADMAP.md': '# M001',
      'milestones/M2; touch x/M2-ROADMAP.md': '# M2',
    });
    expect(found.milestones.map(({ id }) => id)).toEqual(['M001']);
    expect(found.remarks.map(({ file }) => file)).toContain('milestones/M2; touch x');
  });

  it('goes on in the flat layout from what Forge left beside it', () => {
    const flat = {
      'phases/01-shop/01-ROADMAP.md': roadmap,
      'phases/01-shop/01-01-PLAN.md': '- [ ] **T01**: a\n- [ ] **T02**: b\n',
      'forge/M001/slices/S01/S01-PLAN.md': '- [x] **T01: a**\n- [ ] **T02: b**\n- [ ] **T02.1: c**\n',
      'forge/M001/slices/S01/tasks/T01/T01-PLAN.md': '---\nstatus: DONE\n---\n',
      'forge/M001/slices/S01/tasks/T01/T01-SUMMARY.md': '# T01\n',
      'forge/M001/M001-CONTEXT.md': '# M001\n',
      'forge/M004/M004-ROADMAP.md': '# M004: Later\n\n## Slices\n\n- [ ] **S01: x** `risk:low` `depends:[]`\n',
    };
    const [first, second] = project(flat).milestones;
    expect(first?.has.context).toBe(true);
    expect(first?.slices[0]?.tasks.map(({ id, status }) => [id, status.state])).toEqual([
      ['T01', 'done'],
      ['T02', 'open'],
      ['T02.1', 'open'],
    ]);
    expect([second?.id, second?.title, second?.slices.length]).toEqual(['M004', 'Later', 1]);
    const closed = project({ ...flat, 'forge/M001/slices/S01/S01-SUMMARY.md': '# S01\n' });
    expect(closed.milestones[0]?.slices[0]?.status).toEqual({ state: 'done', evidence: 'summary' });
  });
});
