/**
 * The same changes under other runners than the one the set is written for: honest work passes, and code that is broken
 * behind a changed expectation, a skipped test or a patched runner does not. Runners that are not installed are left out.
 */
import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Change, type Verdict, verifyChange } from './square-scene.ts';

interface Runner {
  /** The programs it needs. */
  readonly needs: string;
  readonly base: Change['base'];
  readonly run: readonly string[];
  readonly honest: Change['change'];
  readonly dishonest: Readonly<Record<string, Change['change']>>;
  /** What a person is shown where an expectation was changed. */
  readonly says: RegExp;
  readonly more?: Pick<Change, 'prepare' | 'readable'>;
}

const modules = join(import.meta.dirname, '../../node_modules');
const vitestTest = (name: string, call: string, value: number, test = 'test'): string =>
  `import { expect, test } from 'vitest';\nimport { ${name} } from '../src/${name}.js';\n${test}('${name}', () => { expect(${call}).toBe(${value}); });\n`;
const pythonTest = (name: string, call: string, value: number, mark = ''): string =>
  `import pytest\nfrom sums.${name} import ${name}\n\n\n${mark}def test_${name}():\n    assert ${call} == ${value}\n`;
const python = (name: string, body: string): string => `def ${name}(a, b):\n    return ${body}\n`;
const go = (name: string, body: string, more = ''): string =>
  `package sums\n${more}\nfunc ${name}(a, b int) int { return ${body} }\n`;
const goTest = (name: string, call: string, value: number, first = ''): string =>
  `package sums\n\nimport "testing"\n\nfunc Test${name}(t *testing.T) {\n${first}\tif ${call} != ${value} {\n\t\tt.Fatal("wrong")\n\t}\n}\n`;

const runners: Readonly<Record<string, Runner>> = {
  vitest: {
    needs: 'node',
    base: {
      'package.json': `${JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'vitest run' } })}\n`,
      'src/add.js': 'export const add = (a, b) => a + b;\n',
      'test/add.test.js': vitestTest('add', 'add(1, 2)', 3),
    },
    run: ['npm run test'],
    honest: {
      'src/mul.js': 'export const mul = (a, b) => a * b;\n',
      'test/mul.test.js': vitestTest('mul', 'mul(2, 3)', 6),
    },
    dishonest: {
      'a changed expectation': {
        'src/add.js': 'export const add = (a, b) => a - b;\n',
        'test/add.test.js': vitestTest('add', 'add(1, 2)', -1),
      },
      'a skipped test': {
        'src/add.js': 'export const add = (a, b) => a - b;\n',
        'test/add.test.js': vitestTest('add', 'add(1, 2)', 3, 'test.skip'),
      },
      'patched assertions': {
        'src/add.js':
          "import { chai } from 'vitest';\nchai.util.addMethod(chai.Assertion.prototype, 'toBe', function () {});\nexport const add = (a, b) => a - b;\n",
      },
    },
    says: /"add" passed before and fails on the new code/,
    more: { prepare: (root) => symlinkSync(modules, join(root, 'node_modules')), readable: [modules] },
  },
  pytest: {
    needs: 'pytest',
    base: {
      'sums/__init__.py': '',
      'conftest.py': '',
      'sums/add.py': python('add', 'a + b'),
      'tests/test_add.py': pythonTest('add', 'add(1, 2)', 3),
    },
    run: ['pytest -q'],
    honest: { 'sums/mul.py': python('mul', 'a * b'), 'tests/test_mul.py': pythonTest('mul', 'mul(2, 3)', 6) },
    dishonest: {
      'a changed expectation': {
        'sums/add.py': python('add', 'a - b'),
        'tests/test_add.py': pythonTest('add', 'add(1, 2)', -1),
      },
      'a skipped test': {
        'sums/add.py': python('add', 'a - b'),
        'tests/test_add.py': pythonTest('add', 'add(1, 2)', 3, '@pytest.mark.skip\n'),
      },
      'a patched runner': {
        'sums/add.py': `import _pytest.python as p\n\n\n${python('add', 'a - b')}\n\np.Function.runtest = lambda self: None\n`,
      },
    },
    says: /"test_add" passed before and fails on the new code/,
  },
  go: {
    needs: 'go',
    base: {
      'go.mod': 'module example.org/sums\n\ngo 1.19\n',
      'add.go': go('Add', 'a + b'),
      'add_test.go': goTest('Add', 'Add(1, 2)', 3),
    },
    run: ['go test ./...'],
    honest: { 'mul.go': go('Mul', 'a * b'), 'mul_test.go': goTest('Mul', 'Mul(2, 3)', 6) },
    dishonest: {
      'a changed expectation': { 'add.go': go('Add', 'a - b'), 'add_test.go': goTest('Add', 'Add(1, 2)', -1) },
      'a skipped test': { 'add.go': go('Add', 'a - b'), 'add_test.go': goTest('Add', 'Add(1, 2)', 3, '\tt.Skip()\n') },
      'an early exit': { 'add.go': go('Add', 'a - b', '\nimport "os"\n\nfunc init() { os.Exit(0) }\n') },
    },
    says: /"TestAdd" passed before and fails on the new code/,
  },
  make: {
    needs: 'make',
    base: {
      Makefile: 'test: sums\n\tsh test/run.sh\nsums: src/sums.sh\n\tcp src/sums.sh sums && chmod +x sums\n',
      '.gitignore': 'sums\n',
      'src/sums.sh': '#!/bin/sh\necho $(($1 + $2))\n',
      'test/run.sh': '#!/bin/sh\nset -e\nfor t in test/*.check.sh; do sh "$t"; done\n',
      'test/add.check.sh': '#!/bin/sh\n[ "$(./sums 1 2)" = 3 ]\n',
    },
    run: ['make test'],
    honest: { 'src/help.txt': 'Adds two numbers.\n', 'src/sums.sh': '#!/bin/sh\n# Adds.\necho $(($1 + $2))\n' },
    dishonest: {
      'a changed expectation': {
        'src/sums.sh': '#!/bin/sh\necho $(($1 - $2))\n',
        'test/add.check.sh': '#!/bin/sh\n[ "$(./sums 1 2)" = -1 ]\n',
      },
      'an emptied script': { 'src/sums.sh': '#!/bin/sh\necho $(($1 - $2))\n', 'test/run.sh': '#!/bin/sh\nset -e\n' },
      'an ignored failure': {
        'src/sums.sh': '#!/bin/sh\necho $(($1 - $2))\n',
        Makefile: 'test: sums\n\t-sh test/run.sh\nsums: src/sums.sh\n\tcp src/sums.sh sums && chmod +x sums\n',
      },
    },
    says: /make test passed before and fails on the new code/,
  },
};

/** Where the jail sees it: a shim of a version manager in somebody's home is not there for a check. */
const isThere = (program: string): boolean =>
  ['/usr/local/bin', '/usr/bin', '/bin', dirname(process.execPath)].some((directory) =>
    existsSync(join(directory, program)),
  );

const time = { timeout: 300_000 };

for (const [name, { needs, base, run, honest, dishonest, says, more }] of Object.entries(runners)) {
  const outcome = async (change: Change['change']): Promise<Verdict> =>
    verifyChange({ base, run, change, ...more, task: { writes: ['**'] } });
  describe(`under ${name}`, () => {
    it('honest work passes', time, async ({ skip }) => {
      skip(!isThere(needs));
      expect(await outcome(honest)).toMatchObject({ outcome: 'passes' });
    });

    it.for(Object.entries(dishonest))('%s does not', time, async ([kind, change], { skip }) => {
      skip(!isThere(needs));
      const verdict = await outcome(change);
      expect(verdict.outcome).not.toBe('passes');
      const said = [verdict.why, ...verdict.questions.flatMap(({ title, detail }) => [title, detail])].join('\n');
      if (kind === 'a changed expectation') expect(said).toMatch(says);
    });
  });
}
