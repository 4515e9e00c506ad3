/**
 * Scripts for whole `modules` runs: five modules in a diamond, each one file with its test, so that checks stay quick.
 * Everyone answers well unless a job of the test's own says otherwise.
 */
import { job, reply } from './waves-story.ts';

export { job, reply };

export const names = ['m1', 'm2', 'm3', 'm4', 'm5'] as const;
export type Name = (typeof names)[number];

const needs: Readonly<Record<Name, readonly Name[]>> = { m1: [], m2: ['m1'], m3: ['m1'], m4: ['m2', 'm3'], m5: [] };

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
export const built = (id: Name, more: { value?: number; uses?: readonly string[] } = {}): readonly object[] => {
  const { value = 1, uses = needs[id] } = more;
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
