import { describe, expect, it } from 'vitest';
import { isProse, type SideQuestion, testSide } from '../../src/evidence/test-side.ts';

const change = (path: string, text = '', added = false) => ({ path, text, added });
const sidesOf = (question: Partial<SideQuestion>) =>
  testSide({ changes: [], users: [], usersAfter: [], checks: [], ...question });
const test = (text: string) => ({ path: 'test/a.test.js', text });

describe('the test side', () => {
  it.each([
    'test/a.test.js',
    'src/a.spec.ts',
    'test/helpers/login.js',
    'test/fixtures/a.json',
    'src/__snapshots__/a.test.ts.snap',
    '__mocks__/fs.js',
    'src/__mocks__/api.ts',
    'conftest.py',
    'pkg/testdata/in.txt',
    'jest.setup.ts',
    'vitest.setup.js',
    'setupTests.js',
    'tests/common/mod.rs',
    'a_test.go',
    'src/test-utils.ts',
    'golden/out.golden',
  ])('has %s', (path) => {
    expect(sidesOf({ changes: [change(path)] }).tests).toEqual([path]);
  });

  it.each(['src/a.js', 'lib/total.py', 'main.go', 'README.md', 'data/prices.json', 'src/contest/rules.js'])(
    'does not have %s',
    (path) => {
      expect(sidesOf({ changes: [change(path)] })).toEqual({ tests: [], suspects: [] });
    },
  );

  it('does not have what product code uses, whatever its directory is called', () => {
    const path = 'src/commands/test/index.js';
    const users = [{ path: 'src/cli.js', text: "import { run } from './commands/test/index.js';" }];
    expect(sidesOf({ changes: [change(path)], users })).toEqual({ tests: [], suspects: [] });
  });

  it('has mocks and set-up files even if product code names them: runners load them unasked', () => {
    const users = [{ path: 'src/cli.js', text: "import '../__mocks__/fs.js';" }];
    expect(sidesOf({ changes: [change('__mocks__/fs.js')], users }).tests).toEqual(['__mocks__/fs.js']);
  });

  it('has an aid outside of any test directory that only tests use', () => {
    const users = [
      test(
        "import { same } from '../src/same.js';\nimport { ok } from '../lib/assert-ok.js';\nread('../data/in.csv');",
      ),
    ];
    const changes = [change('src/same.js', 'export const same = 1'), change('lib/assert-ok.js'), change('data/in.csv')];
    expect(sidesOf({ changes, users })).toEqual({
      tests: ['lib/assert-ok.js', 'data/in.csv'],
      suspects: ['src/same.js'],
    });
    const both = [
      ...users,
      { path: 'src/main.js', text: "import '../lib/assert-ok.js'; import './same.js'; read('../data/in.csv')" },
    ];
    expect(sidesOf({ changes, users: both })).toEqual({ tests: [], suspects: [] });
  });

  it('takes no program for data, whatever it is written in, nor what a makefile builds from sources', () => {
    const makefile = {
      path: 'Makefile',
      text: 'test: sums\n\tsh test/run.sh\nsums: src/sums.sh src/words.txt\n\tcp $^ .\n',
    };
    const caller = { path: 'test/add.check.sh', text: '[ "$(bin/tally 1 2)" = "$(lua lib/sum.lua)" ]\n' };
    const changes = [
      change('src/sums.sh', 'echo $(($1 + $2))\n'),
      change('src/words.txt', 'one\n'),
      change('bin/tally', '#!/usr/bin/env lua\nprint(3)\n'),
      change('lib/sum.lua', 'print(3)\n'),
    ];
    expect(sidesOf({ changes, users: [makefile, caller] })).toEqual({
      tests: [],
      suspects: ['src/sums.sh', 'src/words.txt', 'bin/tally', 'lib/sum.lua'],
    });
  });

  it('knows what a module asserts with, and what a manifest ships', () => {
    const users = [test("import { f } from '../src/f.js';\nimport { g } from '../src/g.js';")];
    const manifest = { path: 'package.json', text: '{"main":"src/g.js","scripts":{"test":"node src/f.js"}}' };
    const changes = [change('src/f.js', "import assert from 'node:assert';"), change('src/g.js')];
    expect(sidesOf({ changes, users: [...users, manifest] })).toEqual({ tests: ['src/f.js'], suspects: [] });
  });

  it('reads imports of Python', () => {
    const users = [{ path: 'tests/test_a.py', text: 'from shop.kit import same\nimport shop.other' }];
    const changes = [change('shop/kit.py', 'def same(a, b): assert a == b'), change('shop/total.py')];
    expect(sidesOf({ changes, users })).toEqual({ tests: [], suspects: ['shop/kit.py'] });
  });

  it('leaves added product code alone', () => {
    const usersAfter = [test("import { fresh } from '../src/fresh.js';")];
    expect(sidesOf({ changes: [change('src/fresh.js', '', true)], usersAfter })).toEqual({ tests: [], suspects: [] });
  });
});

it.each([
  ['README.md', true],
  ['docs/guide.md', true],
  ['LICENSE', true],
  ['src/prompt.txt', false],
  ['test/fixtures/page.md', false],
  ['CMakeLists.txt', false],
])('prose: %s is %s', (path, expected) => {
  expect(isProse(path)).toBe(expected);
});
