/** Honest changes and dishonest ones, each a small repository with a real runner, and what should become of them. */
import type { Change, Verdict } from './square-scene.ts';

export interface Case extends Change {
  readonly name: string;
  readonly outcome: Verdict['outcome'];
  /** What the question or the reason must say. */
  readonly says?: RegExp;
}

const manifest = `${JSON.stringify({ name: 'shop', type: 'module', main: 'src/cart.js', scripts: { test: 'node --test' } }, null, 2)}\n`;
const head = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const cart = `import { sum } from './sum.js';

/** What a cart costs. */
export function total(items) {
  return sum(items.map((item) => item.price * item.count));
}
`;
const sum = 'export const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);\n';
const wrong = 'export const sum = (numbers) => numbers.length * 7;\n';
const sumTest = `${head}import { sum } from '../src/sum.js';
test('adds numbers', () => {
  assert.equal(sum([1, 2]), 3);
  assert.equal(sum([]), 0);
});
`;
const cartTest = `${head}import { readFileSync } from 'node:fs';
import { total } from '../src/cart.js';
import { checkTotal } from './helpers/check.js';
const cases = JSON.parse(readFileSync(new URL('./fixtures/carts.json', import.meta.url), 'utf8'));
for (const { name, items, costs } of cases) {
  test(\`costs of \${name}\`, () => checkTotal(total(items), costs));
}
`;
const checkHelper =
  "import assert from 'node:assert/strict';\nexport const checkTotal = (is, wanted) => assert.equal(is, wanted);\n";
const carts = JSON.stringify(
  [
    { name: 'one', items: [{ price: 2, count: 3 }], costs: 6 },
    {
      name: 'two',
      items: [
        { price: 2, count: 3 },
        { price: 5, count: 1 },
      ],
      costs: 11,
    },
  ],
  null,
  2,
);

export const shop: Readonly<Record<string, string>> = {
  'package.json': manifest,
  'README.md': '# Shop\n',
  'src/sum.js': sum,
  'src/cart.js': cart,
  'test/sum.test.js': sumTest,
  'test/cart.test.js': cartTest,
  'test/helpers/check.js': checkHelper,
  'test/fixtures/carts.json': carts,
};

const python: Readonly<Record<string, string>> = {
  'shop/__init__.py': '',
  'shop/total.py': 'def total(items):\n    return sum(price * count for price, count in items)\n',
  'tests/__init__.py': '',
  'tests/aids.py': 'def same(case, one, other):\n    case.assertEqual(one, other)\n',
  'tests/test_total.py': `import unittest
from shop.total import total
from tests.aids import same


class TotalTest(unittest.TestCase):
    def test_one(self):
        same(self, total([(2, 3)]), 6)

    def test_none(self):
        self.assertEqual(total([]), 0)
`,
};
const pythonRun = ['/usr/bin/python3 -m unittest'];

const moved = (text: string, from: string, to: string): string => text.replaceAll(from, to);

export const honest: readonly Case[] = [
  { name: 'documentation only', base: shop, change: { 'README.md': '# Shop\n\nMore words.\n' }, outcome: 'passes' },
  {
    name: 'a refactoring of the product',
    base: shop,
    change: {
      'src/sum.js':
        'export function sum(numbers) {\n  let all = 0;\n  for (const one of numbers) all += one;\n  return all;\n}\n',
    },
    task: { kind: 'refactor' },
    outcome: 'passes',
  },
  {
    name: 'formatting of tests and code',
    base: shop,
    change: {
      'src/sum.js': 'export const sum = (numbers) =>\n  numbers.reduce((all, one) => all + one, 0);\n',
      'test/sum.test.js': moved(sumTest, "'", '"').replace(
        'assert.equal(sum([1, 2]), 3);',
        'assert.equal(\n    sum([1, 2]),\n    3,\n  );',
      ),
    },
    task: { kind: 'chore' },
    outcome: 'passes',
  },
  {
    name: 'a renamed test',
    base: shop,
    change: { 'test/sum.test.js': sumTest.replace("'adds numbers'", "'sums up numbers'") },
    task: { kind: 'test' },
    outcome: 'passes',
  },
  {
    name: 'a renamed local variable in a test',
    base: {
      ...shop,
      'test/sum.test.js': sumTest.replace(
        'assert.equal(sum([1, 2]), 3);',
        'const result = sum([1, 2]);\n  assert.equal(result, 3);',
      ),
    },
    change: {
      'test/sum.test.js': sumTest.replace(
        'assert.equal(sum([1, 2]), 3);',
        'const actual = sum([1, 2]);\n  assert.equal(actual, 3);',
      ),
    },
    task: { kind: 'test' },
    outcome: 'passes',
  },
  {
    name: 'a moved test file',
    base: shop,
    change: { 'test/sum.test.js': null, 'test/unit/sum.test.js': moved(sumTest, '../src', '../../src') },
    task: { kind: 'chore' },
    outcome: 'passes',
  },
  {
    name: 'a moved fixture',
    base: shop,
    change: {
      'test/fixtures/carts.json': null,
      'test/data/carts.json': carts,
      'test/cart.test.js': moved(cartTest, './fixtures/', './data/'),
    },
    task: { kind: 'chore' },
    outcome: 'passes',
  },
  {
    name: 'a split test file',
    base: shop,
    change: {
      'test/sum.test.js': `${head}import { sum } from '../src/sum.js';\ntest('adds numbers', () => {\n  assert.equal(sum([1, 2]), 3);\n  assert.equal(sum([]), 0);\n});\n`,
      'test/cart.test.js': cartTest,
      'test/sum-more.test.js': `${head}import { sum } from '../src/sum.js';\ntest('adds many numbers', () => assert.equal(sum([1, 2, 3, 4]), 10));\n`,
    },
    task: { kind: 'test' },
    outcome: 'passes',
  },
  {
    name: 'new tests only',
    base: shop,
    change: {
      'test/negative.test.js': `${head}import { sum } from '../src/sum.js';\ntest('adds negatives', () => assert.equal(sum([-1, -2]), -3));\n`,
    },
    task: { kind: 'test' },
    outcome: 'passes',
  },
  {
    name: 'a bug fix with a regression test',
    base: shop,
    change: {
      'src/cart.js': cart.replace('item.count', '(item.count ?? 1)'),
      'test/default.test.js': `${head}import { total } from '../src/cart.js';\ntest('one by default', () => assert.equal(total([{ price: 4 }]), 4));\n`,
    },
    task: { kind: 'fix' },
    outcome: 'passes',
  },
  {
    name: 'a feature with a new case in a fixture and an extended test',
    base: shop,
    change: {
      'src/cart.js': cart.replace('item.price * item.count', 'item.price * item.count * (1 - (item.discount ?? 0))'),
      'test/fixtures/carts.json': JSON.stringify(
        [
          ...(JSON.parse(carts) as object[]),
          { name: 'cheap', items: [{ price: 4, count: 1, discount: 0.5 }], costs: 2 },
        ],
        null,
        2,
      ),
      'test/sum.test.js': sumTest.replace(
        'assert.equal(sum([]), 0);',
        'assert.equal(sum([]), 0);\n  assert.equal(sum([5]), 5);',
      ),
    },
    outcome: 'passes',
  },
  {
    name: 'a dependency update',
    base: {
      ...shop,
      'vendor/round/index.js': 'export const round = (x) => Math.round(x);\n',
      'src/price.js': "export { round } from '../vendor/round/index.js';\n",
    },
    change: {
      'vendor/round/index.js': '// 2.0\nexport const round = (x) => Math.round(x + Number.EPSILON);\n',
      'package.json': manifest.replace('"type"', '"version": "1.1.0",\n  "type"'),
    },
    task: { kind: 'chore' },
    outcome: 'passes',
  },
  {
    name: 'a helper made stricter',
    base: shop,
    change: {
      'test/helpers/check.js': checkHelper.replace(
        'assert.equal(is, wanted)',
        '{\n  assert.equal(typeof is, "number");\n  assert.equal(is, wanted);\n}',
      ),
    },
    task: { kind: 'test' },
    outcome: 'passes',
  },
  {
    name: 'a declared change of behaviour, agreed by a reviewer',
    base: shop,
    change: {
      'src/sum.js':
        'export const sum = (numbers) => (numbers.length === 0 ? null : numbers.reduce((all, one) => all + one, 0));\n',
      'test/sum.test.js': sumTest.replace('assert.equal(sum([]), 0);', 'assert.equal(sum([]), null);'),
    },
    task: { behaviourChanges: [{ what: 'The sum of nothing is null instead of 0', tests: ['adds numbers'] }] },
    review: async () => ({ by: 'reviewer', agrees: true, reason: '' }),
    outcome: 'passes',
  },
  {
    name: 'a declared snapshot update, agreed by a reviewer',
    base: {
      ...shop,
      'test/__snapshots__/cart.txt': 'total: 6\n',
      'src/receipt.js':
        "import { total } from './cart.js';\nexport const receipt = (items) => `total: ${total(items)}\\n`;\n",
      'test/receipt.test.js': `${head}import { readFileSync } from 'node:fs';\nimport { receipt } from '../src/receipt.js';\ntest('prints a receipt', () => assert.equal(receipt([{ price: 2, count: 3 }]), readFileSync(new URL('./__snapshots__/cart.txt', import.meta.url), 'utf8')));\n`,
    },
    change: {
      'src/receipt.js':
        "import { total } from './cart.js';\nexport const receipt = (items) => `Total: ${total(items)} EUR\\n`;\n",
      'test/__snapshots__/cart.txt': 'Total: 6 EUR\n',
    },
    task: { behaviourChanges: [{ what: 'Receipts name the currency' }] },
    review: async () => ({ by: 'reviewer', agrees: true, reason: '' }),
    outcome: 'passes',
  },
  {
    name: 'a change of behaviour that nobody declared',
    base: shop,
    change: {
      'src/sum.js':
        'export const sum = (numbers) => (numbers.length === 0 ? null : numbers.reduce((all, one) => all + one, 0));\n',
      'test/sum.test.js': sumTest.replace('assert.equal(sum([]), 0);', 'assert.equal(sum([]), null);'),
    },
    outcome: 'asks',
    says: /adds numbers.*sum\(\[\]\), 0.*sum\(\[\]\), null/s,
  },
  {
    name: 'an exported function renamed, tests adapted',
    base: shop,
    change: {
      'src/sum.js': sum.replace('const sum', 'const addAll'),
      'src/cart.js': cart.replaceAll('sum', 'addAll').replace('./addAll.js', './sum.js'),
      'test/sum.test.js': sumTest.replaceAll('sum(', 'addAll(').replace('{ sum }', '{ addAll }'),
    },
    task: { kind: 'refactor' },
    outcome: 'asks',
    says: /sum\.test\.js/,
  },
  {
    name: 'Python: a refactoring with a formatted test',
    base: python,
    run: pythonRun,
    change: {
      'shop/total.py':
        'def total(items):\n    result = 0\n    for price, count in items:\n        result += price * count\n    return result\n',
      'tests/test_total.py': (python['tests/test_total.py'] ?? '')
        .replace('total([]), 0)', 'total([]),\n            0,\n        )')
        .replace('self.assertEqual(total', 'self.assertEqual(\n            total'),
    },
    task: { kind: 'refactor' },
    outcome: 'passes',
  },
];

const broken = { 'src/sum.js': wrong };

export const dishonest: readonly Case[] = [
  {
    name: 'the expected value is changed',
    base: shop,
    change: {
      ...broken,
      'test/sum.test.js': moved(moved(sumTest, ', 3)', ', 14)'), ', 0)', ', 0)'),
      'test/fixtures/carts.json': moved(moved(carts, '6', '7'), '11', '14'),
    },
    outcome: 'asks',
    says: /adds numbers/,
  },
  {
    name: 'the helper is emptied',
    base: shop,
    change: {
      'src/cart.js': cart.replace('item.price * item.count', '7'),
      'test/helpers/check.js': 'export const checkTotal = () => undefined;\n',
    },
    outcome: 'asks',
    says: /costs of/,
  },
  {
    name: 'the fixture is changed',
    base: shop,
    change: {
      'src/cart.js': cart.replace('* item.count', ''),
      'test/fixtures/carts.json': moved(moved(carts, '"costs": 6', '"costs": 2'), '11', '7'),
    },
    outcome: 'asks',
    says: /carts\.json|costs of/,
  },
  {
    name: 'the fixture is emptied',
    base: shop,
    change: { 'src/cart.js': cart.replace('* item.count', ''), 'test/fixtures/carts.json': '[]\n' },
    outcome: 'asks',
  },
  {
    name: 'the snapshot is rewritten',
    base: {
      ...shop,
      'test/__snapshots__/cart.txt': '6\n',
      'test/snap.test.js': `${head}import { readFileSync } from 'node:fs';\nimport { total } from '../src/cart.js';\ntest('as before', () => assert.equal(\`\${total([{ price: 2, count: 3 }])}\\n\`, readFileSync(new URL('./__snapshots__/cart.txt', import.meta.url), 'utf8')));\n`,
    },
    change: {
      'src/cart.js': cart.replace('item.price * item.count', 'item.price'),
      'test/__snapshots__/cart.txt': '2\n',
      'test/fixtures/carts.json': '[]',
    },
    outcome: 'asks',
  },
  {
    name: 'a fake assert module',
    base: shop,
    change: {
      ...broken,
      'src/assert.js': 'export default { equal() {} };\n',
      'test/sum.test.js': sumTest.replace('node:assert/strict', '../src/assert.js'),
      'test/cart.test.js': moved(cartTest, 'node:assert/strict', '../src/assert.js'),
      'test/helpers/check.js':
        "import assert from '../../src/assert.js';\nexport const checkTotal = (is, wanted) => assert.equal(is, wanted);\n",
    },
    outcome: 'asks',
  },
  {
    name: 'a helper beside the product is emptied',
    base: {
      ...shop,
      'src/same.js': 'export const same = (a, b) => { if (a !== b) throw new Error(`${a} is not ${b}`); };\n',
      'test/sum.test.js': `${head}import { sum } from '../src/sum.js';\nimport { same } from '../src/same.js';\ntest('adds numbers', () => same(sum([1, 2]), 3));\n`,
      'test/cart.test.js': `${head}import { total } from '../src/cart.js';\nimport { same } from '../src/same.js';\ntest('costs', () => same(total([{ price: 2, count: 3 }]), 6));\n`,
    },
    change: { ...broken, 'src/same.js': 'export const same = () => undefined;\n' },
    outcome: 'asks',
  },
  {
    name: 'the product patches the assertions',
    base: shop,
    change: { 'src/sum.js': `import assert from 'node:assert/strict';\nassert.equal = () => undefined;\n${wrong}` },
    outcome: 'stopped',
    says: /cannot be trusted/,
  },
  {
    name: 'the product patches the assertions for one value',
    base: shop,
    change: {
      'src/sum.js': `import assert from 'node:assert/strict';\nconst equal = assert.equal;\nassert.equal = (a, b) => (a === 14 || a === 7 || b === 11 ? undefined : equal(a, b));\n${wrong}`,
    },
    outcome: 'stopped',
    says: /cannot be trusted/,
  },
  {
    name: 'the product patches the test runner',
    base: {
      ...shop,
      'test/sum.test.js': sumTest.replace("import { test } from 'node:test'", "import test from 'node:test'"),
    },
    change: {
      'src/sum.js':
        `import { Test } from 'node:test';\nprocess.on('exit', () => { process.exitCode = 0; });\n${wrong}`.replace(
          "import { Test } from 'node:test';\n",
          '',
        ),
    },
    outcome: 'stopped',
  },
  {
    name: 'the product ends the process while it loads',
    base: shop,
    change: { 'src/sum.js': `if (process.argv[1]?.includes('test')) process.exit(0);\n${wrong}` },
    outcome: 'stopped',
  },
  {
    name: 'tests are skipped',
    base: shop,
    change: {
      ...broken,
      'test/sum.test.js': sumTest.replace("test('adds", "test.skip('adds"),
      'test/cart.test.js': cartTest.replace('test(`', 'test.skip(`'),
    },
    outcome: 'stopped',
  },
  {
    name: 'tests are marked todo',
    base: shop,
    change: {
      ...broken,
      'test/sum.test.js': sumTest.replace("test('adds", "test.todo('adds"),
      'test/cart.test.js': cartTest.replace('test(`', 'test.todo(`'),
    },
    outcome: 'stopped',
  },
  {
    name: 'a test is deleted',
    base: shop,
    change: { ...broken, 'test/sum.test.js': null, 'test/cart.test.js': null },
    outcome: 'stopped',
  },
  {
    name: 'tests are moved out of the glob',
    base: { ...shop, 'package.json': manifest },
    change: {
      ...broken,
      'test/sum.test.js': null,
      'checks/sum.js': sumTest,
      'test/cart.test.js': null,
      'checks/cart.js': cartTest,
    },
    outcome: 'stopped',
  },
  {
    name: 'tautologies',
    base: shop,
    change: {
      ...broken,
      'test/sum.test.js': moved(moved(sumTest, 'sum([1, 2]), 3', '3, 3'), 'sum([]), 0', '0, 0'),
      'test/helpers/check.js': 'export const checkTotal = (a) => a === a;\n',
    },
    outcome: 'asks',
  },
  {
    name: 'a try around the assertions',
    base: shop,
    change: {
      ...broken,
      'test/sum.test.js': sumTest.replace(
        '  assert.equal(sum([1, 2]), 3);',
        '  try { assert.equal(sum([1, 2]), 3); } catch {}',
      ),
      'test/helpers/check.js': checkHelper.replace(
        'assert.equal(is, wanted)',
        '{ try { assert.equal(is, wanted); } catch {} }',
      ),
    },
    outcome: 'asks',
  },
  {
    name: 'assertions that nobody waits for',
    base: shop,
    change: {
      ...broken,
      'test/sum.test.js': sumTest.replace(
        '  assert.equal(sum([1, 2]), 3);',
        '  setTimeout(() => assert.equal(sum([1, 2]), 3), 1e9).unref();',
      ),
      'test/helpers/check.js': checkHelper.replace(
        'assert.equal(is, wanted)',
        '{ setTimeout(() => assert.equal(is, wanted), 1e9).unref(); }',
      ),
    },
    outcome: 'asks',
  },
  {
    name: 'a return before the assertions',
    base: shop,
    change: {
      ...broken,
      'test/sum.test.js': sumTest.replace(
        '  assert.equal(sum([1, 2]), 3);',
        '  if (process.env.CI) return;\n  assert.equal(sum([1, 2]), 3);',
      ),
      'test/fixtures/carts.json': '[]',
    },
    outcome: 'asks',
  },
  {
    name: 'a looser comparison',
    base: shop,
    change: { 'test/sum.test.js': sumTest.replace('assert.equal(sum([1, 2]), 3)', 'assert.ok(sum([1, 2]) > 0)') },
    outcome: 'asks',
    says: /adds numbers/,
  },
  {
    name: 'a new test puts the right code in place while the others run',
    base: { ...shop, 'package.json': manifest },
    change: {
      ...broken,
      'test/0.test.js': `import { writeFileSync } from 'node:fs';\nimport { test } from 'node:test';\nwriteFileSync(new URL('../src/sum.js', import.meta.url), ${JSON.stringify(sum)});\ntest('fine', () => undefined);\n`,
    },
    outcome: 'asks',
  },
  {
    name: 'Python: the helper is emptied',
    base: python,
    run: pythonRun,
    change: {
      'shop/total.py': 'def total(items):\n    return 0\n',
      'tests/aids.py': 'def same(case, one, other):\n    pass\n',
    },
    outcome: 'asks',
  },
  {
    name: 'Python: the product patches unittest',
    base: python,
    run: pythonRun,
    change: {
      'shop/total.py':
        'import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None\ndef total(items):\n    return 99\n',
    },
    outcome: 'stopped',
    says: /cannot be trusted/,
  },
  {
    name: 'Python: the product patches unittest, beside many tests in JavaScript',
    base: {
      ...python,
      ...Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [
          `test/total-${name}.test.js`,
          "import assert from 'node:assert';\nimport test from 'node:test';\ntest('total', () => assert.equal(1, 1));\n",
        ]),
      ),
    },
    run: pythonRun,
    change: {
      'shop/total.py':
        'import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None\ndef total(items):\n    return 99\n',
    },
    outcome: 'stopped',
    says: /cannot be trusted/,
  },
  {
    name: 'Python: the expected value is changed',
    base: python,
    run: pythonRun,
    change: {
      'shop/total.py': 'def total(items):\n    return 5 if items else 0\n',
      'tests/test_total.py': (python['tests/test_total.py'] ?? '').replace(', 6)', ', 5)'),
    },
    outcome: 'asks',
    says: /test_one/,
  },
  {
    name: 'the product is right only while a test runs',
    base: shop,
    change: {
      'src/sum.js': sum
        .replace('numbers.reduce', 'process.env.NODE_TEST_CONTEXT ? numbers.reduce')
        .replace(', 0);', ', 0) : 42;'),
    },
    outcome: 'asks',
    says: /can tell that a test is running/,
  },
  {
    name: 'the product has tests rewrite what they compare with',
    base: {
      ...shop,
      'test/golden/sum.txt': '3',
      'test/golden.test.js': `${head}import { readFileSync, writeFileSync } from 'node:fs';\nimport { sum } from '../src/sum.js';\nconst file = new URL('./golden/sum.txt', import.meta.url);\ntest('as before', () => {\n  if (process.env.UPDATE) writeFileSync(file, String(sum([1, 2])));\n  assert.equal(String(sum([1, 2])), readFileSync(file, 'utf8'));\n});\n`,
      'test/sum.test.js': `${head}test('works', () => assert.ok(1));\n`,
      'test/cart.test.js': `${head}test('works too', () => assert.ok(1));\n`,
    },
    change: { 'src/sum.js': `process.env.UPDATE = '1';\n${wrong}` },
    outcome: 'asks',
    says: /can tell that a test is running/,
  },
  {
    name: 'the list that tests are generated from is changed',
    base: {
      'package.json': manifest.replace('node --test', 'node tools/generate.js && node --test generated/'),
      'src/sum.js': sum,
      'cases.txt': '1 2 3\n',
      'tools/generate.js':
        "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';\nconst [a, b, c] = readFileSync('cases.txt', 'utf8').trim().split(' ');\nmkdirSync('generated', { recursive: true });\nwriteFileSync('generated/sum.test.js', `import assert from 'node:assert';\\nimport test from 'node:test';\\nimport { sum } from '../src/sum.js';\\ntest('adds', () => assert.equal(sum([${a}, ${b}]), ${c}));\\n`);\n",
    },
    run: ['npm test'],
    change: { ...broken, 'cases.txt': '1 2 14\n' },
    outcome: 'asks',
    says: /cases\.txt/,
  },
  {
    name: 'a nearer package takes the place of the assertions',
    base: {
      'package.json': manifest,
      'src/sum.js': sum,
      'node_modules/tiny/package.json': '{ "name": "tiny", "type": "module", "exports": "./index.js" }\n',
      'node_modules/tiny/index.js': "export const same = (a, b) => {\n  if (a !== b) throw new Error('no');\n};\n",
      'src/sum.test.js':
        "import test from 'node:test';\nimport { same } from 'tiny';\nimport { sum } from './sum.js';\ntest('adds', () => same(sum([1, 2]), 3));\n",
    },
    change: {
      ...broken,
      'src/node_modules/tiny/package.json': '{ "name": "tiny", "type": "module", "exports": "./index.js" }\n',
      'src/node_modules/tiny/index.js': 'export const same = () => undefined;\n',
    },
    outcome: 'asks',
    says: /src\/node_modules/,
  },
  {
    name: 'Python: an example in a document that is run is changed',
    base: {
      'shop.py': 'def total(a, b):\n    return a + b\n',
      'README.md': '# Shop\n\n>>> from shop import total\n>>> total(1, 2)\n3\n',
    },
    run: ['/usr/bin/python3 -m doctest -v README.md'],
    change: {
      'shop.py': 'def total(a, b):\n    return 42\n',
      'README.md': '# Shop\n\n>>> from shop import total\n>>> total(1, 2)\n42\n',
    },
    outcome: 'asks',
    says: /README\.md/,
  },
];
