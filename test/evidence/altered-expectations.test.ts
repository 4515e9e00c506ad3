import { describe, expect, test } from 'vitest';
import { withAlteredTests } from '../../src/evidence/altered-expectations.ts';

const luck = '0123456789abcdef0123456789abcdef';
const alter = (path: string, text: string, before = text) => withAlteredTests(path, text, before, luck);

describe('the tests of a file with other expected values', () => {
  test('in JavaScript: what is expected, not what is compared, and nothing that is denied', () => {
    const text = `import assert from 'node:assert/strict';
describe('sums', () => {
  it('adds', () => { assert.equal(sum(1, 2), 3, 'three'); });
  it('joins', () => { expect(join('a', 'b')).toBe('ab'); expect(join('a')).not.toBe('b'); });
  it('is there', () => { assert.ok(sum); });
});
`;
    expect(alter('test/sum.test.js', text)).toEqual({
      text: text.replace(' 3,', ' 1074568,').replace("toBe('ab')", "toBe( '0123456789ab')"),
      tests: ['adds', 'joins'],
    });
  });

  test('in Python: calls and plain assertions', () => {
    const text = `import unittest


class SumTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(1, 2), 3)


def test_joined():
    assert join("a", "b") == "ab"
    assert a == b and c
`;
    expect(alter('tests/test_sum.py', text)).toEqual({
      text: text.replace('2), 3)', '2), 1074568)').replace('== "ab"', "==  '0123456789ab'"),
      tests: ['test_adds', 'test_joined'],
    });
  });

  test('in Rust: small numbers, by a little', () => {
    const text = '#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n    assert_eq!(name(), "a");\n}\n';
    expect(alter('src/lib.rs', text)).toEqual({ text: text.replace('2), 3)', '2), 9)'), tests: ['adds'] });
  });

  test('only those that are on the base as they are, with the same imports', () => {
    const one = "test('one', () => { assert.equal(f(1), 1); });\n";
    const two = "test('two', () => { assert.equal(f(2), 2); });\n";
    const head = "import assert from 'node:assert';\n";
    expect(alter('a.test.js', `${head}${one}${two}`, `${head}${one}`).tests).toEqual(['one']);
    expect(alter('a.test.js', `${head}${one}`, `import assert from './assert.js';\n${one}`).tests).toEqual([]);
    expect(alter('a.test.js', `${head}${one}`, '').tests).toEqual([]);
  });

  test('nothing in comments, in strings, in names that are made at run time, in other languages', () => {
    const text = `// assert.equal(1, 2)
test('a', () => { run("assert.equal(1, 2)"); });
for (const name of names) test(\`is \${name}\`, () => { assert.equal(f(name), 1); });
`;
    expect(alter('a.test.js', text)).toEqual({ text, tests: [] });
    expect(alter('a_test.rb', 'assert_equal 1, 2')).toEqual({ text: 'assert_equal 1, 2', tests: [] });
  });
});
