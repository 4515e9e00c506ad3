import { expect, test } from 'vitest';
import { readsOfTests } from '../../src/evidence/reads-of-tests.ts';

const paths = ['src/a.js', 'test/fixtures/carts.json', 'test/a.test.js', 'src/testing/kit.js', 'tests/data/x.json'];
const named = (path: string, after: string, before = '') =>
  readsOfTests({ files: [{ path, before, after }], paths }).map((each) => each.named);

test.each([
  ['src/a.js', "read(new URL('../test/fixtures/carts.json', import.meta.url))", ['test/fixtures/carts.json']],
  ['src/a.js', 'read(`test/fixtures/${name}.json`)', ['test/fixtures']],
  ['shop/a.py', "Path('tests') / 'data' / 'x.json'", ['tests/data/x.json']],
  ['src/a.js', "join(root, 'test', 'fixtures', 'carts.json')", ['test/fixtures/carts.json']],
  ['src/a.js', "import { kit } from './testing/kit.js'", []],
  ['src/a.js', "scaffold('test/index.test.js')", []],
  ['src/a.js', "const ignored = ['test/**', 'node_modules/**']", []],
  ['src/a.js', "read('../test/' + name)", ['test']],
  ['src/a.js', "print('run the test')", []],
  ['scripts/check.js', "read('test/fixtures/carts.json')", []],
  ['vitest.config.js', "setupFiles: ['test/fixtures/carts.json']", []],
  ['test/b.test.js', "read('./fixtures/carts.json')", []],
])('%s with %s', (path, after, wanted) => {
  expect(named(path, after)).toEqual(wanted);
});

test('only what a change adds', () => {
  const text = "read('test/fixtures/carts.json')";
  expect(named('src/a.js', `${text}\n// more`, text)).toEqual([]);
});
