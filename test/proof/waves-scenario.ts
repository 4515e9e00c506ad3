/**
 * A run of `waves` for the proofs: two waves, a bug that a tester finds and a developer mends in the first, red checks
 * in the second, a tester whose reply is cut off, an integration test, a lesson.
 */
import { makeRepository, type Scenario } from './scenario.ts';
import { contentTesters, develops, learned, planned } from './two-waves.ts';

const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'test/one.test.js': "import test from 'node:test';\ntest('one', () => {});\n",
};

const bug = { title: 'neg(0) is -0', category: 'unit', severity: 'minor', wave: 1, files: ['src/neg.js'] };
const found = { result: 'fail', unit: { passed: 1, total: 2 }, bugs: [bug], summary: 'One bug' };

const script = [
  planned,
  { when: { key: 'W1/develop#*' }, do: develops(['mul', 'neg']) },
  { when: { key: 'W1/develop#*' }, do: develops(['mul', 'neg']) },
  { when: { key: 'W1/test#1' }, do: [{ reply: 'I am nearly' }] },
  { when: { key: 'W1/test#1/recovery#2' }, do: [{ reply: found }] },
  { when: { key: 'W2/develop#1' }, do: develops(['sub', 'sqr'], ['sqr']) },
  { when: { key: 'W2/develop#2' }, do: develops(['sub', 'sqr']) },
  ...contentTesters(4),
  learned,
];

export const expectedWaves = {
  files: ['.forge/script.json', ...Object.keys(files)]
    .concat(['mul', 'neg', 'sqr', 'sub'].flatMap((name) => [`src/${name}.js`, `test/${name}.test.js`]))
    .sort(),
  output: {
    outcomes: [
      { task: 'W1', status: 'done', reason: '' },
      { task: 'W2', status: 'done', reason: '' },
    ],
    bugsFound: 1,
    bugsFixed: 1,
    remainingBugs: [],
    lessonsAdded: 1,
    unverified: [],
    branch: 'forge/proof',
  },
};

export function makeWavesScenario(area: string): Scenario {
  return makeRepository(area, { ...files, '.forge/script.json': JSON.stringify(script) });
}
