/** Pieces of test files and of runners' output, from which texts are built that come close to the real thing. */
import { readResults } from '../../src/evidence/read-results.ts';
import { weakenedEvidence } from './weakened-evidence.ts';

export const sourcePieces = [
  'test("a", () => {',
  'it.skip(',
  'describe("b", function () {',
  'expect(x).toBe(y);',
  'if (a) ',
  'return;',
  'try {',
  '} catch {}',
  'expect(true)',
  '});',
  '`${',
  '/*',
  '*/',
  '//',
  '"',
  "'",
  '/[',
  '\\',
  '\n',
  '(',
  '{',
  ')',
  '}',
  '<',
  '=>',
  'def test_a():\n',
  '    assert x\n',
  '@pytest.mark.skip\n',
  'class A:\n',
  '"""',
  'func TestA(t *testing.T) {\n',
  't.Run("x", func(',
  '#[test]\n',
  'fn a() {',
  'r#"',
  "'a",
  'mod b {',
  '@Test',
  'void c(',
  'class D {',
  '@',
  '#[',
  '.expect(1)',
  'it.',
  'a?.b',
]; // prettier-ignore
export const sourcePaths = [
  'a.test.ts',
  'a.test.jsx',
  'test_a.py',
  'a_test.go',
  'src/lib.rs',
  'FooTest.java',
  'x_spec.rb',
];

export const outputPieces = [
  'TAP version 13\n',
  '1..3\n',
  'ok 1 - a\n',
  'not ok 2 - b {\n',
  '}\n',
  '    ',
  '  ---\n',
  '  ...\n',
  '# pass 3\n',
  '# tests 3\n',
  'Bail out!\n',
  '✔ a (1ms)\n',
  '✖ b (2.5ms)\n',
  '▶ c\n',
  '✖ failing tests:\n',
  'test at a.js:1:1\n',
  'ℹ tests 1\n',
  'ℹ pass 1\n',
  '{"numTotalTests":',
  '"numPassedTests":1,"numFailedTests":2',
  '{"ancestorTitles":["a"],"fullName":"x","status":"failed"}',
  '"testResults":[{}]}',
  ' FAIL  a.test.ts > b\n',
  ' Test Files  1 failed (1)\n',
  '      Tests  1 failed | 2 passed (3)\n',
  'FAIL a.js\n',
  '  ● a › b\n',
  'Tests:       1 failed, 1 total\n',
  '<testsuite name="a">',
  '<testcase name="&#x110000;&lt;">',
  '<failure/>',
  '</testcase>',
  '</testsuite>',
  '<![CDATA[',
  '<!DOCTYPE a [',
  '==== 1 failed, 2 passed in 0.1s ====\n',
  '= short test summary info =\n',
  'FAILED a.py::b[ - ] - c\n',
  'ERROR a.py\n',
  '{"Action":"run","Package":"p","Test":"T/x"}\n',
  '{"Action":"fail","Package":"p"}\n',
  '--- FAIL: T/x (0.00s)\n',
  'FAIL\tp\t0.1s\n',
  'ok  \tq\t(cached)\n',
  'running 1 test\n',
  'failures:\n',
  '    x\n',
  'test result: FAILED. 1 passed; 1 failed; 0 ignored;\n',
  '  1 passing (1ms)\n',
  '  1 failing\n',
  '  1) a\n',
  '       b:\n',
  '\u001b[31m',
  '\r',
  '\n',
  '__proto__',
  'constructor',
]; // prettier-ignore

/** Compares a file of this text in every language. Anything worse than linear would not end before the test's limit. */
export function compareEverywhere(text: string): number {
  const found = sourcePaths.map(
    (path) => weakenedEvidence([{ path, before: `test('x', () => {});\n${text}`, after: text }]).length,
  );
  return found.length;
}

/** Reads a text that is this piece over and over, with and without its line ends. */
export function readRepeated(piece: string, length = 400_000): number {
  const bare = piece.trimEnd();
  return [piece, bare].filter((each) => {
    const text = each.repeat(Math.ceil(length / Math.max(1, each.length)));
    readResults({ argv: ['npm', 'test'], stdout: `TAP version 13\nℹ tests 1\nℹ pass 1\n${text}`, stderr: text });
    return true;
  }).length;
}
