/**
 * Scripts for whole `modules` runs, and what a run's journal says about one: five modules in a diamond, each one file
 * with its test, so that checks stay quick. Everyone answers well unless a job of the test's own says otherwise.
 */
import type { Ended, Project } from './support.ts';
import { job, reply } from './waves-story.ts';

export { job, reply };

const names = ['m1', 'm2', 'm3', 'm4', 'm5'];

const needs: Readonly<Record<string, readonly string[]>> = { m2: ['m1'], m3: ['m1'], m4: ['m2', 'm3'] };

export const task = (id: string, depends: readonly string[] = [], more: object = {}): object => ({
  id,
  title: `Module ${id}`,
  objective: `Export ${id}().`,
  depends,
  writes: [`src/${id}.js`, `test/${id}.test.js`],
  verify: ['node --test'],
  doneWhen: `${id}() is a number`,
  ...more,
});

export const plan = (tasks: readonly object[] = names.map((id) => task(id, needs[id]))): object => ({
  techStack: { language: 'JavaScript', testCommand: 'node --test' },
  tasks,
});

/** `src/m2.js`, which calls what it depends on, and its test. */
export const built = (id: string, more: { value?: number; uses?: readonly string[] } = {}): readonly object[] => {
  const { value = 1, uses = needs[id] ?? [] } = more;
  const imports = uses.map((one) => `import { ${one} } from './${one}.js';\n`).join('');
  const sum = [String(value), ...uses.map((one) => `${one}()`)].join(' + ');
  return [
    { write: { path: `src/${id}.js`, content: `${imports}export const ${id} = () => ${sum};\n` } },
    {
      write: {
        path: `test/${id}.test.js`,
        content: `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${id} } from '../src/${id}.js';\ntest('${id}', () => assert.ok(${id}() > 0));\n`,
      },
    },
  ];
};

export const done = (id: string, more: object = {}): object =>
  reply({ status: 'done', summary: `Did ${id}`, filesChanged: [`src/${id}.js`, `test/${id}.test.js`], ...more });

export const noFindings = reply({ findings: [] });

/** A script in which all goes well; the given jobs come first and so count instead. */
export function script(first: readonly object[] = [], planned: object = plan()): readonly object[] {
  return [
    ...first,
    { when: { role: 'architect' }, do: [reply(planned)] },
    ...names.map((id) => ({ when: { role: 'worker', task: id }, repeat: true, do: [...built(id), done(id)] })),
    { when: { role: 'reviewer' }, repeat: true, do: [noFindings] },
    { when: { role: 'auditor' }, repeat: true, do: [noFindings] },
    { when: { role: 'learner' }, do: [reply({ lessons: [] })] },
  ];
}

export interface ModulesFact {
  readonly seq: number;
  readonly type: string;
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ModulesOutput {
  readonly outcomes: readonly { readonly task: string; readonly status: string; readonly reason: string }[];
  readonly release: string;
  readonly retries: number;
  readonly branch?: string;
  readonly findings: { readonly mustFix: readonly object[]; readonly advisory: readonly object[] };
}

export interface ModulesStory extends Ended {
  readonly run: string;
  readonly facts: readonly ModulesFact[];
  readonly output: ModulesOutput | undefined;
  /** How each module ended, by its id. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly reason: (module: string) => string | undefined;
  /** Where the last fact of a key stands in the journal; 0 for none. */
  readonly seq: (type: string, key: string) => number;
  readonly keys: (type: string, pattern: RegExp) => readonly string[];
}

export function runModules(project: Project, ...flags: string[]): Promise<ModulesStory> {
  return tell(project, 'run', 'Five modules', '--workflow', 'modules', ...flags);
}

/** A command, and what the project's last run is after it. */
export async function tell(project: Project, ...words: string[]): Promise<ModulesStory> {
  const ended = await project.forge(...words);
  const run = project.runs().at(-1) ?? '';
  const facts = project.facts(run) as readonly ModulesFact[];
  const output = facts.findLast((fact) => fact.type === 'run.ended')?.data['output'] as ModulesOutput | undefined;
  return {
    ...ended,
    run,
    facts,
    output,
    statuses: Object.fromEntries(output?.outcomes.map((one) => [one.task, one.status]) ?? []),
    reason: (module) => output?.outcomes.find((one) => one.task === module)?.reason,
    seq: (type, key) => facts.findLast((fact) => fact.type === type && fact.key === key)?.seq ?? 0,
    keys: (type, pattern) =>
      facts.filter((fact) => fact.type === type && pattern.test(fact.key)).map((fact) => fact.key),
  };
}

/** Whether one was over before the other began. */
export function isApart({ seq }: ModulesStory, one: string, other: string): boolean {
  return seq('task.ended', one) < seq('task.started', other) || seq('task.ended', other) < seq('task.started', one);
}

/** What a job was asked. */
export function promptOf({ facts }: Pick<ModulesStory, 'facts'>, wanted: string): string {
  const started = facts.find(({ type, key }) => type === 'effect.started' && key === wanted);
  return String((started?.data['input'] as { readonly prompt?: string } | undefined)?.prompt);
}
