/**
 * A run of `modules` for the proofs: two modules at once that a third needs, a review that sends one back, red checks
 * that a debugger mends, a finding of the final review mended by a module of its own, a lesson.
 */
import { makeRepository, type Scenario } from './scenario.ts';

const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'test/one.test.js': "import test from 'node:test';\ntest('one', () => {});\n",
};

const needs = { m1: [], m2: [], m3: ['m1', 'm2'] } as const;
type Name = keyof typeof needs;
const names = Object.keys(needs) as Name[];

const plan = {
  tasks: names.map((id) => ({
    id,
    title: `Module ${id}`,
    objective: `Export ${id}().`,
    depends: needs[id],
    writes: [`src/${id}.js`, `test/${id}.test.js`],
    verify: ['node --test'],
    doneWhen: `${id}() is positive`,
  })),
};

const usage = { usage: { inputTokens: 1000, outputTokens: 100, costUsd: 0.02 } };

function builds(id: Name, value = 1): readonly object[] {
  const imports = needs[id].map((one) => `import { ${one} } from './${one}.js';\n`).join('');
  const sum = [value, ...needs[id].map((one) => `${one}()`)].join(' + ');
  const test = `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${id} } from '../src/${id}.js';\ntest('${id}', () => assert.ok(${id}() > 0));\n`;
  return [
    { write: { path: `src/${id}.js`, content: `${imports}export const ${id} = () => ${sum};\n` } },
    { write: { path: `test/${id}.test.js`, content: test } },
    usage,
    { reply: { status: 'done', summary: `Did ${id}` } },
  ];
}

const finding = { file: 'src/m1.js', line: 1, severity: 'error', element: 'm1', claim: 'too small' };
const job = (key: string, ...steps: readonly object[]): object => ({ when: { key }, do: steps });
const review = (...findings: readonly object[]): object => ({ reply: { findings } });

const script = [
  { when: { role: 'architect' }, do: [usage, { reply: plan }] },
  job('m1/develop#1', ...builds('m1')),
  job('m1/review#1', review({ ...finding, claim: 'wrong name' })),
  job('m1/develop#2', ...builds('m1', 2)),
  job('m2/develop#1', ...builds('m2', -1)),
  job('m2/overseer#1', { reply: { classification: 'stuck', evidence: 'a wrong sign' } }),
  job('m2/debug#1', ...builds('m2')),
  job('m3/develop#1', ...builds('m3')),
  job('final/review#1/A', review(finding)),
  job('final/review#1/B', review(finding)),
  job('final/fix#1/F1-1/develop#1', ...builds('m1', 3)),
  { when: { role: 'reviewer' }, repeat: true, do: [review()] },
  { when: { role: 'auditor' }, repeat: true, do: [review()] },
  {
    when: { role: 'learner' },
    do: [{ reply: { lessons: [{ category: 'Testing', keywords: [], text: 'Use node --test.' }] } }],
  },
];

export const expectedModules = {
  files: ['.forge/script.json', ...Object.keys(files)]
    .concat(names.flatMap((name) => [`src/${name}.js`, `test/${name}.test.js`]))
    .sort(),
  asked: [
    'final/fix#1/F1-1/develop#1',
    'final/fix#1/F1-1/review#1',
    'final/review#1/A',
    'final/review#1/B',
    'final/review#1/C',
    'final/review#2/A',
    'final/review#2/B',
    'final/review#2/C',
    'learn',
    'm1/develop#1',
    'm1/develop#2',
    'm1/review#1',
    'm1/review#2',
    'm2/debug#1',
    'm2/debug#1/review',
    'm2/develop#1',
    'm2/overseer#1',
    'm2/review#1',
    'm3/develop#1',
    'm3/review#1',
    'plan#1',
  ],
};

export function makeModulesScenario(area: string): Scenario {
  return makeRepository(area, { ...files, '.forge/script.json': JSON.stringify(script) });
}
