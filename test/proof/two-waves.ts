/** A plan of two waves within the sizing rules, and the script of agents that carry it out: each task is one function with its test. */
const sources = {
  mul: { task: 'T1', body: '(a, b) => a * b', example: 'mul(2, 3), 6' },
  neg: { task: 'T2', body: '(a) => -a', example: 'neg(2), -2' },
  sub: { task: 'T3', body: '(a, b) => a - b', example: 'sub(5, 3), 2' },
  sqr: { task: 'T4', body: '(a) => a * a', example: 'sqr(3), 9' },
} as const;
type Name = keyof typeof sources;

const usage = { usage: { inputTokens: 1000, outputTokens: 100, costUsd: 0.02 } };

export const twoWaves = {
  overview: { techStack: 'Node.js', architecture: 'a module each', businessLogic: 'sums', keyDecisions: [] },
  tasks: (Object.keys(sources) as Name[]).map((name) => ({
    id: sources[name].task,
    title: `Add ${name}`,
    objective: `Export ${name} from src/${name}.js.`,
    complexity: 'L',
    writes: [`src/${name}.js`, `test/${name}.test.js`],
    depends: sources[name].task === 'T3' || sources[name].task === 'T4' ? ['T1'] : [],
    verify: ['node --test'],
    doneWhen: sources[name].example,
  })),
  waves: [
    ['T1', 'T2'],
    ['T3', 'T4'],
  ],
};

/** What a developer does for these functions; `wrong` ones fail their test. */
export function develops(names: readonly Name[], wrong: readonly Name[] = []): readonly object[] {
  return [
    ...names.flatMap((name) => [
      {
        write: {
          path: `src/${name}.js`,
          content: `export const ${name} = ${wrong.includes(name) ? '() => 0' : sources[name].body};\n`,
        },
      },
      { write: { path: `test/${name}.test.js`, content: testOf(name) } },
    ]),
    usage,
    {
      reply: {
        status: 'success',
        summary: `Added ${names.join(', ')}`,
        handoff: { filesModified: names.map((name) => `src/${name}.js`) },
      },
    },
  ];
}

export const planned = { when: { role: 'planner' }, do: [usage, { reply: twoWaves }] };
export const learned = {
  when: { role: 'learner' },
  do: [usage, { reply: { lessons: [{ category: 'Testing', keywords: ['node'], text: 'Use node --test.' }] } }],
};

/** A tester that is content, as often as that. */
export function contentTesters(times: number): readonly object[] {
  const reply = { result: 'pass', unit: { passed: 2, total: 2 }, summary: 'All good' };
  return Array.from({ length: times }, () => ({ when: { role: 'tester' }, do: [usage, { reply }] }));
}

function testOf(name: Name): string {
  return `import assert from 'node:assert';
import test from 'node:test';
import { ${name} } from '../src/${name}.js';
test('${name}', () => assert.equal(${sources[name].example}));
`;
}
