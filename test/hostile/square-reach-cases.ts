/**
 * Changes that pass because of something the tests reach in another way than by importing or naming a file: through a
 * directory, an alias, a document, an entry point, an installed package, a rewritten file, or the runner itself. Honest
 * neighbours show what such things are usually for.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from './square-cases.ts';

const modules = join(import.meta.dirname, '../../node_modules');
const vitest = {
  run: ['npm test'],
  prepare: (root: string) => symlinkSync(modules, join(root, 'node_modules')),
  readable: [modules],
};
const manifestWith = (test: string, more: object = {}): string =>
  `${JSON.stringify({ name: 'shop', type: 'module', ...more, scripts: { test } }, null, 2)}\n`;
const manifest = manifestWith('node --test');
const right = 'export const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);\n';
const wrong = 'export const sum = (numbers) => numbers.length * 7;\n';
const broken = { 'src/sum.js': wrong };
const head = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const reading = "import { existsSync, readdirSync, readFileSync } from 'node:fs';\n";
const sumTest = `${head}import { sum } from '../src/sum.js';\ntest('adds', () => assert.equal(sum([1, 2]), 3));\n`;
const shop = { 'package.json': manifest, 'src/sum.js': right };
const tested = { ...shop, 'test/sum.test.js': sumTest };
const look = "import { sum } from '../src/sum.js';\nif (sum([1, 2]) !== 3) process.exit(1);\n";
const helped = (from: string): string =>
  `import { test } from 'node:test';\nimport { same } from '${from}';\nimport { sum } from '../src/sum.js';\ntest('adds', () => same(sum([1, 2]), 3));\n`;
const same = "import assert from 'node:assert/strict';\nexport const same = (a, b) => assert.equal(a, b);\n";
const nothing = 'export const same = () => undefined;\n';
const expectTest =
  "import { expect, test } from 'vitest';\nimport { sum } from '../src/sum.js';\ntest('adds', () => expect(sum([1, 2])).toEqual(3));\n";
const cases = (to: number): string => `{ "add": [1, 2], "to": ${to} }\n`;
const read =
  "const { add, to } = JSON.parse(readFileSync('one.json', 'utf8'));\nif (sum(add) !== to) process.exit(1);\n";
const fixture = `${head}${reading}import { sum } from '../src/sum.js';
const [, a, b, to] = /(\\d+) and (\\d+) make (\\d+)/.exec(readFileSync('docs/cases.md', 'utf8'));
test('adds', () => assert.equal(sum([Number(a), Number(b)]), Number(to)));
`;
const python = {
  'shop/__init__.py': '',
  'shop/total.py': 'def total(items):\n    return sum(items)\n',
  'tests/__init__.py': '',
  'tests/test_total.py':
    'import unittest\nfrom shop.total import total\n\n\nclass TotalTest(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(total([2, 3]), 5)\n',
};
const unittest = ['/usr/bin/python3 -m unittest'];
const doctest = ['/usr/bin/python3 -m doctest -v shop.py'];
const example = (result: number, body: string, more = ''): string =>
  `def add(a, b):\n    """\n    >>> add(1, 2)\n    ${result}\n${more}    """\n    return ${body}\n`;
const inTurn = manifestWith('node --test --test-concurrency=1');
const firstAndLast = {
  ...tested,
  'package.json': inTurn,
  'src/first.js': 'export const first = 1;\n',
  'test/first.test.js': `${head}import { first } from '../src/first.js';\ntest('first', () => assert.equal(first, 1));\n`,
  'src/last.js': 'export const last = 1;\n',
  'test/zz.test.js': `${head}import { last } from '../src/last.js';\ntest('last', () => assert.equal(last, 1));\n`,
};
const writes = (name: string, text: string): string =>
  `import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('./sum.js', import.meta.url), ${JSON.stringify(text)});\nexport const ${name} = 1;\n`;

export const dishonestReach: readonly Case[] = [
  {
    name: 'a rule that a makefile runs by a pattern is emptied',
    base: { ...shop, Makefile: 'test:\n\tset -e; for r in rules/*; do node $$r; done\n', 'rules/sum.mjs': look },
    change: { ...broken, 'rules/sum.mjs': 'export {};\n' },
    run: ['make test'],
    outcome: 'asks',
    says: /rules\/sum\.mjs/,
  },
  {
    name: 'a package in the repository’s own node_modules is emptied',
    base: {
      ...shop,
      'node_modules/tiny/package.json': '{ "name": "tiny", "type": "module", "exports": "./index.js" }\n',
      'node_modules/tiny/index.js': "export const same = (a, b) => {\n  if (a !== b) throw new Error('no');\n};\n",
      'test/sum.test.js': helped('tiny'),
    },
    change: { ...broken, 'node_modules/tiny/index.js': nothing },
    outcome: 'asks',
    says: /node_modules\/tiny/,
  },
  {
    name: 'a helper behind an entry of imports is emptied',
    base: {
      ...shop,
      'package.json': manifestWith('node --test', { imports: { '#kit': './lib/same.js' } }),
      'lib/same.js': same,
      'test/sum.test.js': helped('#kit'),
    },
    change: { ...broken, 'lib/same.js': nothing },
    outcome: 'asks',
    says: /adds/,
  },
  {
    name: 'vitest: a helper behind an alias is emptied',
    base: {
      'package.json': manifestWith('vitest run --configLoader runner'),
      'vitest.config.js':
        "import { fileURLToPath } from 'node:url';\nexport default { test: { alias: { '@kit': fileURLToPath(new URL('./lib/tools.js', import.meta.url)) } } };\n",
      'src/sum.js': right,
      'lib/tools.js': "import { expect } from 'vitest';\nexport const same = (a, b) => expect(a).toBe(b);\n",
      'test/sum.test.js': helped('@kit').replace('node:test', 'vitest'),
    },
    change: { ...broken, 'lib/tools.js': nothing },
    ...vitest,
    outcome: 'asks',
  },
  {
    name: 'a file is taken out of a linter’s sight',
    base: {
      ...shop,
      'lint.mjs':
        "import { readFileSync } from 'node:fs';\nconst text = readFileSync('src/sum.js', 'utf8');\nif (!/eslint-disable/.test(text) && /var /.test(text)) process.exit(1);\n",
    },
    change: { 'src/sum.js': `/* eslint-disable */\nvar unused = 1;\n${right}` },
    run: ['node lint.mjs'],
    outcome: 'asks',
    says: /whole file is taken out of a check/,
  },
  {
    name: 'a document that tests compare with is changed',
    base: { ...shop, 'docs/cases.md': '# Cases\n\n1 and 2 make 3\n', 'test/sum.test.js': fixture },
    change: { ...broken, 'docs/cases.md': '# Cases\n\n1 and 2 make 14\n' },
    outcome: 'asks',
    says: /docs\/cases\.md/,
  },
  {
    name: 'a case that is a module, found by its directory, is changed',
    base: {
      ...shop,
      'cases/one.js': 'export default { add: [1, 2], to: 3 };\n',
      'test/sum.test.js': `${head}${reading}import { sum } from '../src/sum.js';\nfor (const name of readdirSync('cases')) {\n  const { default: each } = await import(\`../cases/\${name}\`);\n  test(name, () => assert.equal(sum(each.add), each.to));\n}\n`,
    },
    change: { ...broken, 'cases/one.js': 'export default { add: [1, 2], to: 14 };\n' },
    outcome: 'asks',
    says: /cases\/one\.js/,
  },
  {
    name: 'what a check at the root compares with is changed',
    base: {
      ...shop,
      'verify.mjs': `${reading}import { sum } from './src/sum.js';\n${read}`,
      'one.json': cases(3),
    },
    change: { ...broken, 'one.json': cases(14) },
    run: ['node verify.mjs'],
    outcome: 'asks',
  },
  {
    name: 'what a check finds in a directory is changed',
    base: {
      ...shop,
      'scripts/check.mjs': `${reading}import { sum } from '../src/sum.js';\nfor (const name of readdirSync('./known')) {\n  const { add, to } = JSON.parse(readFileSync('./known/' + name, 'utf8'));\n  if (sum(add) !== to) process.exit(1);\n}\n`,
      'known/zebra.json': cases(3),
    },
    change: { ...broken, 'known/zebra.json': cases(14) },
    run: ['node scripts/check.mjs'],
    outcome: 'asks',
  },
  {
    name: 'Python: what a script of a check compares with is changed',
    base: {
      ...shop,
      'src/main.js': "import { sum } from './sum.js';\nconsole.log(sum([1, 2]));\n",
      'check.py':
        "import subprocess\nout = subprocess.check_output(['node', 'src/main.js'], text=True)\nassert out == open('data/expected.txt').read(), out\n",
      'data/expected.txt': '3\n',
    },
    change: { ...broken, 'data/expected.txt': '14\n' },
    run: ['/usr/bin/python3 check.py'],
    outcome: 'asks',
  },
  {
    name: 'a file that makes a check skip is added, and the product names it',
    base: {
      ...shop,
      'scripts/check.mjs': `import { existsSync } from 'node:fs';\nif (existsSync('skip.flag')) process.exit(0);\n${look.replace("import { sum } from '../src/sum.js';", "const { sum } = await import('../src/sum.js');")}`,
    },
    change: { 'src/sum.js': `${wrong}export const flag = 'skip.flag';\n`, 'skip.flag': '' },
    run: ['node scripts/check.mjs'],
    outcome: 'asks',
    says: /skip\.flag/,
  },
  {
    name: 'a file that makes a test return is added',
    base: {
      ...shop,
      'test/sum.test.js': `${head}${reading}import { sum } from '../src/sum.js';\ntest('adds', () => {\n  if (existsSync('quick.mode')) return;\n  assert.equal(sum([1, 2]), 3);\n});\n`,
    },
    change: { ...broken, 'quick.mode': '' },
    outcome: 'asks',
    says: /quick\.mode/,
  },
  {
    name: 'the product puts the right code in place while its tests run',
    base: firstAndLast,
    change: { ...broken, 'src/first.js': writes('first', right) },
    run: ['npm test'],
    outcome: 'asks',
    says: /src\/sum\.js: npm test writes this file while it runs/,
  },
  {
    name: 'the product puts the right code in place for a while',
    base: firstAndLast,
    change: { ...broken, 'src/first.js': writes('first', right), 'src/last.js': writes('last', wrong) },
    run: ['npm test'],
    outcome: 'asks',
    says: /src\/sum\.js: npm test writes this file while it runs/,
  },
  {
    name: 'Python: the product patches unittest for one value',
    base: python,
    change: {
      'shop/total.py':
        'import unittest\n\n_old = unittest.TestCase.assertEqual\n\n\ndef _new(self, a, b, msg=None):\n    if a != 99:\n        _old(self, a, b, msg)\n\n\nunittest.TestCase.assertEqual = _new\n\n\ndef total(items):\n    return 99\n',
    },
    run: unittest,
    outcome: 'asks',
    says: /reaches for a test runner/,
  },
  {
    name: 'Python: the product gives a value that is equal to everything',
    base: python,
    change: {
      'shop/total.py':
        'class Any(int):\n    def __eq__(self, other):\n        return True\n\n    def __ne__(self, other):\n        return False\n\n\ndef total(items):\n    return Any(99)\n',
    },
    run: unittest,
    outcome: 'asks',
    says: /equal to everything/,
  },
  {
    name: 'vitest: the product gives a value that is equal to everything',
    base: { 'package.json': manifestWith('vitest run'), 'src/sum.js': right, 'test/sum.test.js': expectTest },
    change: {
      'src/sum.js':
        "export const sum = () => ({ $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true });\n",
    },
    ...vitest,
    outcome: 'asks',
    says: /equal to everything/,
  },
  {
    name: 'vitest: the product patches expect for one value',
    base: { 'package.json': manifestWith('vitest run'), 'src/sum.js': right, 'test/sum.test.js': expectTest },
    change: {
      'src/sum.js': `import { chai } from 'vitest';\nchai.util.overwriteMethod(chai.Assertion.prototype, 'toEqual', (old) => function (...args) { if (this._obj !== 14) old.apply(this, args); });\n${wrong}`,
    },
    ...vitest,
    outcome: 'asks',
    says: /reaches for a test runner/,
  },
  {
    name: 'an entry point leads tests past the code that others get',
    base: {
      ...shop,
      'package.json': manifestWith('node --test', { exports: './src/sum.js' }),
      'test/sum.test.js': sumTest.replace('../src/sum.js', 'shop'),
    },
    change: {
      ...broken,
      'package.json': manifestWith('node --test', { exports: { node: './src/good.js', default: './src/sum.js' } }),
      'src/good.js': right,
    },
    outcome: 'asks',
    says: /entry points that package\.json has now/,
  },
  {
    name: 'Python: an example in a docstring that is run is changed',
    base: { 'shop.py': example(3, 'a + b') },
    change: { 'shop.py': example(42, '42') },
    run: doctest,
    outcome: 'asks',
    says: /add\(1, 2\)/,
  },
];

export const honestReach: readonly Case[] = [
  {
    name: 'more words in a document that tests read',
    base: { ...shop, 'docs/cases.md': '# Cases\n\n1 and 2 make 3\n', 'test/sum.test.js': fixture },
    change: { 'docs/cases.md': '# Cases\n\nAn example:\n\n1 and 2 make 3\n', 'src/sum.js': `/** Adds. */\n${right}` },
    outcome: 'passes',
  },
  {
    name: 'product code behind an entry of imports grows',
    base: {
      'package.json': manifestWith('node --test', { imports: { '#core': './lib/core.js' } }),
      'lib/core.js': 'export const one = 1;\n',
      'src/next.js': "import { one } from '#core';\nexport const next = (x) => x + one;\n",
      'test/next.test.js': `${head}import { one } from '#core';\nimport { next } from '../src/next.js';\ntest('next', () => assert.equal(next(1), 1 + one));\n`,
    },
    change: {
      'lib/core.js': 'export const one = 1;\nexport const two = 2;\n',
      'src/next.js': "import { one, two } from '#core';\nexport const next = (x) => x + two - one;\n",
    },
    outcome: 'passes',
  },
  {
    name: 'a rule that a makefile runs by a pattern looks at more',
    base: { ...shop, Makefile: 'test:\n\tset -e; for r in rules/*; do node $$r; done\n', 'rules/sum.mjs': look },
    change: {
      'rules/sum.mjs': `${look}if (sum([]) !== 0) process.exit(1);\n`,
      'src/sum.js': `/** Adds. */\n${right}`,
    },
    run: ['make test'],
    outcome: 'passes',
  },
  {
    name: 'two checks one after the other, the first of which writes a file of the commit as it always does',
    base: {
      ...tested,
      'stamp.txt': 'never\n',
      'scripts/stamp.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('stamp.txt', 'now\\n');\n",
    },
    change: {
      'src/mul.js': 'export const mul = (a, b) => a * b;\n',
      'test/mul.test.js': `${head}import { mul } from '../src/mul.js';\ntest('mul', () => assert.equal(mul(2, 3), 6));\n`,
    },
    run: ['node scripts/stamp.mjs', 'npm test', 'node --test test/sum.test.js'],
    outcome: 'passes',
  },
  {
    name: 'another entry point beside the one of before',
    base: {
      ...shop,
      'package.json': manifestWith('node --test', { exports: './src/sum.js' }),
      'test/sum.test.js': sumTest.replace('../src/sum.js', 'shop'),
    },
    change: {
      'package.json': manifestWith('node --test', { exports: { '.': './src/index.js', './mul': './src/mul.js' } }),
      'src/index.js': "export * from './sum.js';\nexport * from './mul.js';\n",
      'src/mul.js': 'export const mul = (a, b) => a * b;\n',
      'test/mul.test.js': `${head}import { mul } from 'shop/mul';\ntest('mul', () => assert.equal(mul(2, 3), 6));\n`,
    },
    outcome: 'passes',
  },
  {
    name: 'Python: one more example in a docstring that is run',
    base: { 'shop.py': example(3, 'a + b') },
    change: { 'shop.py': example(3, 'a + b', '    >>> add(2, 2)\n    4\n') },
    run: doctest,
    outcome: 'passes',
  },
];
