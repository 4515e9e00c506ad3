/** Commands that add to `.gsd`: into the documents that are there, whatever they are called, and nothing that nobody reads. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject, type Project } from './support.ts';

const roadmap = '# M001: A shop\n\n## Slices\n\n- [ ] **S01: Basket** `risk:low` `depends:[]`\n';
const plan = '# S01: Basket\n\n## Tasks\n\n- [ ] **T01: a**\n';

const layouts: readonly (readonly [string, { roadmap: string; plan: string; context: string }])[] = [
  [
    'early',
    {
      roadmap: 'milestones/M001/roadmap.md',
      context: 'milestones/M001/context.md',
      plan: 'milestones/M001/slices/S01/plan.md',
    },
  ],
  [
    'with a suffix that its files do not have',
    {
      roadmap: 'milestones/M001-abc123/M001-ROADMAP.md',
      context: 'milestones/M001-abc123/M001-CONTEXT.md',
      plan: 'milestones/M001-abc123/slices/S01/S01-PLAN.md',
    },
  ],
  [
    'flat',
    {
      roadmap: 'phases/01-shop/01-ROADMAP.md',
      context: 'phases/01-shop/01-CONTEXT.md',
      plan: 'phases/01-shop/01-01-PLAN.md',
    },
  ],
];

interface Status {
  readonly layout: string;
  readonly milestones: readonly {
    readonly id: string;
    readonly title: string;
    readonly slices: readonly { readonly id: string; readonly tasks: readonly { readonly id: string }[] }[];
  }[];
}

async function statusOf(project: Project): Promise<Status> {
  return JSON.parse((await project.forge('milestone', 'status', '--json')).stdout) as Status;
}

it.each(layouts)('add to the documents of a project that is laid out %s', async (_, paths) => {
  const project = makeProject();
  const context = '# M001: context\n\n## Decisions\n\n- Agreed before\n';
  const files = { [paths.roadmap]: roadmap, [paths.plan]: plan, [paths.context]: context };
  project.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`.gsd/${path}`, text])));
  const { layout, milestones } = await statusOf(project);
  const id = milestones[0]?.id ?? '';
  const text = (path: string): string => readFileSync(join(project.root, '.gsd', path), 'utf8');

  const added = await project.forge('milestone', 'add-slice', id, 'Paying', '--depends', 'S01');
  expect(added).toMatchObject({ code: 0, stdout: `S02 was added.\n  .gsd/${paths.roadmap}\n` });
  expect(text(paths.roadmap)).toBe(`${roadmap}- [ ] **S02: Paying** \`risk:medium\` \`depends:[S01]\`\n`);
  expect((await project.forge('milestone', 'add-task', id, 'S01', 'b')).stdout).toContain(`  .gsd/${paths.plan}\n`);
  expect(text(paths.plan)).toBe(`${plan}- [ ] **T02: b**\n`);
  await project.forge('milestone', 'discuss', id, 'Prices are in cents');
  expect(text(paths.context)).toBe(`${context}- Prices are in cents\n`);
  expect((await project.forge('milestone', 'new', 'Later')).code).toBe(0);

  const after = await statusOf(project);
  expect(after.layout === 'flat').toBe(layout === 'flat');
  expect(after.milestones.map((one) => one.title)).toEqual(['A shop', 'Later']);
  expect(after.milestones[0]?.slices.map((slice) => [slice.id, slice.tasks.map((task) => task.id)])).toEqual([
    ['S01', ['T01', 'T02']],
    ['S02', []],
  ]);
});

it('make a project in the layout of Forge, and say what is missing', async () => {
  const project = makeProject();
  expect((await project.forge('milestone', 'new')).stderr).toContain('forge milestone new "<text>"');
  expect((await project.forge('milestone', 'new', 'A shop')).stdout).toBe(
    'M001 was added.\n  .gsd/milestones/M001/M001-SCOPE.md\nPlan and build it: forge milestone run M001\n',
  );
  expect((await project.forge('milestone', 'status')).stdout).toContain('○ M001: A shop (not planned)\n');
  await project.forge('milestone', 'add-slice', 'M001', 'Basket');
  await project.forge('milestone', 'add-task', 'M001', 'S01', 'Put something in');
  expect(existsSync(join(project.root, '.gsd/milestones/M001/slices/S01/tasks/T01/T01-PLAN.md'))).toBe(true);
  const wrong = await project.forge('milestone', 'add-slice', 'M001', 'Paying', '--risk', 'hihg');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/risk.*low.*medium.*high/s);
  expect((await project.forge('milestone')).stderr).toContain('forge milestone "<milestone>"');
});

it('refuse to add to what is done', async () => {
  const project = makeProject();
  const summary = '---\nstatus: complete\n---\n# Done\n';
  const at = '.gsd/milestones/M001';
  project.write({
    [`${at}/M001-ROADMAP.md`]: `${roadmap}- [ ] **S02: Paying** \`depends:[]\`\n`,
    [`${at}/slices/S01/S01-PLAN.md`]: plan,
    [`${at}/slices/S01/S01-SUMMARY.md`]: summary,
  });
  const task = await project.forge('milestone', 'add-task', 'M001', 'S01', 'More');
  expect(task).toMatchObject({ code: 2 });
  expect(task.stderr).toContain('forge milestone add-slice M001 "<title>"');
  project.write({ [`${at}/M001-SUMMARY.md`]: summary });
  for (const command of [
    ['add-slice', 'M001', 'More'],
    ['add-task', 'M001', 'S02', 'More'],
    ['discuss', 'M001', 'More'],
  ]) {
    const refused = await project.forge('milestone', ...command);
    expect(refused, command.join(' ')).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('forge milestone new');
  }
});
