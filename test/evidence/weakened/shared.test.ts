import { expect, test } from 'vitest';
import { compareTests } from '../../../src/evidence/weakened.ts';

const rust = `pub fn add(a: i32, b: i32) -> i32 {
    assert!(a > 0);
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: &[(i32, i32)] = &[(1, 2)];

    fn check(a: i32, wanted: i32) {
        assert_eq!(add(a, 1), wanted);
    }

    #[test]
    fn adds() {
        check(1, 2);
    }
}
`;
const changedIn = (after: string) => compareTests([{ path: 'src/lib.rs', before: rust, after }]).changed;

test('a source file with its own tests: what they share is shown when it is gone', () => {
  const share = { path: 'src/lib.rs', test: 'what its tests share' };
  expect(changedIn(rust.replace('assert_eq!(add(a, 1), wanted);', 'let _ = wanted;'))).toMatchObject([
    { ...share, before: ['assert_eq ! ( add ( a , 1 ) , wanted )'], after: ['let _ = wanted'] },
  ]);
  expect(changedIn(rust.replace('&[(1, 2)]', '&[(1, -2)]'))).toMatchObject([share]);
});

test('a source file with its own tests: product code, imports and additions are not', () => {
  expect(changedIn(rust.replace('    assert!(a > 0);\n', ''))).toEqual([]);
  expect(changedIn(rust.replace('use super::*;', 'use super::add;'))).toEqual([]);
  expect(changedIn(rust.replace('    const CASES', '    const MORE: i32 = 1;\n    const CASES'))).toEqual([]);
});

const helper = "import assert from 'node:assert';\nexport const same = (a, b) => assert.equal(a, b);\n";

test('a helper among the tests that asserts less is weakened, one that moved is not', () => {
  const emptied = [{ path: 'test/helpers/same.js', before: helper, after: 'export const same = () => {};\n' }];
  expect(compareTests(emptied).findings).toEqual([
    {
      path: 'test/helpers/same.js',
      line: 1,
      kind: 'assertion-removed',
      claim: 'What tests share has no assertion here, had 1 assertion.',
    },
  ]);
  const moved = [
    { path: 'test/helpers/same.js', before: helper, after: undefined },
    { path: 'test/helpers/equal.js', before: undefined, after: helper },
  ];
  expect(compareTests(moved).findings).toEqual([]);
});

test('a test whose assertions stand in new tests of its file is split, not weakened', () => {
  const whole = "test('adds', () => {\n  assert.equal(f(1), 2);\n  assert.equal(f(2), 3);\n});\n";
  const split =
    "test('adds', () => {\n  assert.equal(f(1), 2);\n});\ntest('adds more', () => {\n  assert.equal(f(2), 3);\n});\n";
  const other = split.replace('f(2), 3', 'f(2), 4');
  const change = (after: string) => [{ path: 'test/f.test.js', before: whole, after }];
  expect([compareTests(change(split)).findings, compareTests(change(split)).changed]).toEqual([[], []]);
  expect(compareTests(change(other)).findings).toMatchObject([{ kind: 'assertion-removed', test: 'adds' }]);
});
