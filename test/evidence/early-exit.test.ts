import { describe, expect, it } from 'vitest';
import { weakenedEvidence } from './weakened-evidence.ts';

const kinds = (path: string, before: string | undefined, after: string): string[] =>
  weakenedEvidence([{ path, before, after }])
    .filter((finding) => finding.kind === 'test-exit')
    .map((finding) => `${finding.path}:${finding.line}`);

describe('a test file that ends its own process', () => {
  const test = "import test from 'node:test';\ntest('a', () => { assert.ok(x); });\n";

  it.each([
    ['a.test.js', `process.exit(0);\n${test}`],
    ['a.test.ts', `process . exit(0)\n${test}`],
    ['a.test.js', `process['exit'](0);\n${test}`],
    ['test_a.py', 'import os\nos._exit(0)\ndef test_a():\n    assert x\n'],
    ['test_a.py', 'raise SystemExit(0)\n'],
    ['a_test.go', 'package a\nfunc init() { os.Exit(0) }\n'],
  ])('is found in %s: %s', (path, after) => {
    expect(kinds(path, undefined, after)).toHaveLength(1);
  });

  it('is not news where it was before, nor in comments and strings, nor outside tests', () => {
    expect(kinds('a.test.js', `process.exit(0);\n${test}`, `${test}process.exit(0);\n`)).toEqual([]);
    expect(kinds('a.test.js', test, `// process.exit(0)\nconst s = 'process.exit(0)';\n${test}`)).toEqual([]);
    expect(kinds('src/cli.js', '', 'process.exit(0);\n')).toEqual([]);
  });
});
