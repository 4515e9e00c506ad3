/**
 * Scripts for whole `waves` runs, and what a run's journal says about one. Two waves of two large tasks each raise no
 * warning; each wave's developer writes one module with its test, so that checks stay quick.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './support.ts';

export type Steps = readonly object[];

/** A job by its key, and what the agent does then. */
export const job = (key: string, ...steps: readonly object[]): object => ({ when: { key }, do: steps });

export const reply = (result: unknown): object => ({ reply: result });

/** No role accepts it. */
export const nearly = { reply: 'I am nearly finished, I only have to' };

export const overview = { techStack: 'Node.js', architecture: 'modules', businessLogic: 'numbers', keyDecisions: [] };

export const task = (id: string, more: object = {}): object => ({
  id,
  title: `Task ${id}`,
  complexity: 'L',
  writes: [`src/${id}*.js`, `test/${id}*.test.js`],
  verify: ['node --test'],
  ...more,
});

export const plan = (waves: readonly (readonly string[])[], more: object = {}): object => ({
  overview,
  tasks: waves.flat().map((id) => task(id)),
  waves,
  ...more,
});

/** `src/T1.js` with a function that gives `value`, and a test that wants 1. */
export const module = (id: string, value = 1): Steps => [
  { write: { path: `src/${id}.js`, content: `export const ${id} = () => ${value};\n` } },
  {
    write: {
      path: `test/${id}.test.js`,
      content: `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${id} } from '../src/${id}.js';\ntest('${id}', () => assert.ok(${id}() > 0));\n`,
    },
  },
];

export const developed = (more: object = {}): object => reply({ status: 'success', summary: 'Did it', ...more });

export const passed = (more: object = {}): object =>
  reply({ result: 'pass', unit: { passed: 2, total: 2 }, summary: 'Good', ...more });

export const bug = (title: string, more: object = {}): object => ({ title, category: 'unit', ...more });

export const failed = (...bugs: readonly object[]): object => reply({ result: 'fail', bugs });

export const learned = (text = 'Count twice.'): object =>
  job('learn', reply({ lessons: [{ category: 'Testing', keywords: ['numbers'], text }] }));

interface Line {
  readonly type: string;
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Story {
  readonly run: string;
  /** Keys of agents' jobs, in order. */
  readonly jobs: readonly string[];
  readonly questions: readonly string[];
  detail(question: string): string;
  /** How each wave ended. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly end: {
    readonly status: string;
    readonly reason: string;
    readonly output: Readonly<Record<string, unknown>>;
  };
  /** What a job was asked. */
  input(key: string): { readonly prompt: string; readonly access: string; readonly session?: string };
  effects(prefix: string): readonly string[];
  /** A document of the run, by the end of its name. */
  document(name: string): string;
}

/** The only run of the project. */
export function storyOf(project: Project): Story {
  const [run = ''] = project.runs();
  const facts = project.facts(run) as unknown as readonly Line[];
  const started = facts.filter(({ type }) => type === 'effect.started');
  const { slug } = (facts[0]?.data['input'] ?? { slug: '' }) as { slug: string };
  return {
    run,
    jobs: started.filter(({ data }) => data['kind'] === 'agent.run').map(({ key }) => key),
    questions: facts.filter(({ type }) => type === 'question.asked').map(({ key }) => key),
    detail: (wanted) =>
      String(facts.find(({ type, key }) => type === 'question.asked' && key === wanted)?.data['detail']),
    outcomes: Object.fromEntries(
      facts
        .filter(({ type }) => type === 'task.ended')
        .map(({ key, data }) => [key, [data['status'], data['reason']].filter(Boolean).join(': ')]),
    ),
    end: facts.findLast(({ type }) => type === 'run.ended')?.data as unknown as Story['end'],
    input: (wanted) => started.find(({ key }) => key === wanted)?.data['input'] as ReturnType<Story['input']>,
    effects: (prefix) => started.map(({ key }) => key).filter((key) => key.startsWith(prefix)),
    document: (name) => readFileSync(join(project.root, '.forge', `${slug}-${name}`), 'utf8'),
  };
}
