/**
 * Scripts for whole `milestone` runs: two slices with small tasks, each one file with its test. Everyone answers well
 * unless a job of the test's own says otherwise.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planDimensions } from '../../src/workflows/milestone/rules/plan-check.ts';
import { makeProject, type Project, type ProjectOptions } from './support.ts';
import { job, reply } from './waves-story.ts';

export { job, reply };

export const roadmap = (slices: readonly object[]): object => ({
  title: 'Numbers',
  vision: 'People count.',
  criteria: ['Sums work'],
  slices,
});
export const slice = (id: string, more: object = {}): object => ({
  id,
  title: `Slice ${id}`,
  risk: 'low',
  depends: [],
  demo: `${id} works`,
  ...more,
});

export const task = (id: string, name: string, more: object = {}): object => ({
  id,
  title: `Export ${name}`,
  objective: `src/${name}.js exports ${name}().`,
  writes: [`src/${name}.js`, `test/${name}.test.js`],
  verify: ['node --test'],
  mustHaves: {
    truths: [`${name}() is a number`],
    artifacts: [{ path: `src/${name}.js`, provides: name, minLines: 1 }],
  },
  ...more,
});

export const slicePlan = (...tasks: readonly object[]): object => ({ goal: 'Numbers are there', tasks });

/** `src/one.js` and its test. */
export const built = (name: string, value = '1'): readonly object[] => [
  { write: { path: `src/${name}.js`, content: `export const ${name} = () => ${value};\n` } },
  {
    write: {
      path: `test/${name}.test.js`,
      content: `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${name} } from '../src/${name}.js';\ntest('${name}', () => assert.ok(${name}() > 0));\n`,
    },
  },
];

export const done = (summary: string, more: object = {}): object => reply({ status: 'done', summary, ...more });

export const dimensions = (failed: readonly string[] = []): object => ({
  dimensions: planDimensions.map((dimension) => ({
    dimension,
    verdict: failed.includes(dimension) ? 'fail' : 'pass',
    why: `${dimension} is looked at`,
  })),
});

/** Two slices, S02 after S01; the given jobs come first and so count instead. */
export function script(first: readonly object[] = []): readonly object[] {
  return [
    ...first,
    {
      when: { role: 'milestone-planner' },
      do: [
        reply({
          ...roadmap([slice('S01'), slice('S02', { depends: ['S01'] })]),
          decisions: [{ choice: 'Two slices', why: 'they can be shown', alternative: 'One slice' }],
        }),
      ],
    },
    {
      when: { role: 'discusser' },
      do: [
        reply({
          context: 'Keep it small.',
          decisions: [{ choice: 'No dependencies', why: 'it is small', alternative: 'Use a library' }],
        }),
      ],
    },
    { when: { role: 'researcher' }, repeat: true, do: [reply({ research: 'node:test is used.', pitfalls: [] })] },
    job('S01/plan#1', reply(slicePlan(task('T01', 'one'), task('T02', 'two')))),
    job('S02/plan#1', reply(slicePlan(task('T01', 'three')))),
    { when: { role: 'plan-checker' }, repeat: true, do: [reply(dimensions())] },
    { when: { role: 'executor', task: 'S01/T01' }, do: [...built('one'), done('one is there')] },
    { when: { role: 'executor', task: 'S01/T02' }, do: [...built('two', '2'), done('two is there')] },
    { when: { role: 'executor', task: 'S02/T01' }, do: [...built('three', '3'), done('three is there')] },
    { when: { role: 'challenger' }, repeat: true, do: [reply({ objections: [] })] },
    { when: { role: 'scribe' }, repeat: true, do: [reply({ summary: 'It is done.' })] },
  ];
}

export interface MilestoneFact {
  readonly seq: number;
  readonly type: string;
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface MilestoneStory {
  readonly project: Project;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly run: string;
  readonly facts: readonly MilestoneFact[];
  /** The text of a document below `.gsd`; empty where it is not there. */
  readonly document: (path: string) => string;
  /** How a task or slice ended, by its key. */
  readonly ended: (key: string) => { readonly status: string; readonly reason: string } | undefined;
}

export async function runMilestone(
  first: readonly object[] = [],
  args: readonly string[] = [],
  options: ProjectOptions = {},
): Promise<MilestoneStory> {
  const project = makeProject({ script: script(first), ...options });
  return tellMilestone(project, await project.forge('milestone', 'Numbers', '--yes', '--skip-research', ...args));
}

export function tellMilestone(
  project: Project,
  ended: { code: number | null; stdout: string; stderr: string },
): MilestoneStory {
  const [run = ''] = project.runs();
  const facts = run === '' ? [] : (project.facts(run) as unknown as readonly MilestoneFact[]);
  const document = (path: string): string => {
    const file = join(project.root, '.gsd', path);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const endOf = (key: string) =>
    facts.findLast((fact) => fact.type === 'task.ended' && fact.key === key)?.data as never;
  return { project, ...ended, run, facts, document, ended: endOf };
}
