/** Places of failures, read from what real runners printed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failurePlaces } from '../../src/views/report/failure-places.ts';

const samples = join(import.meta.dirname, '../evidence/samples');

function placesIn(name: string): readonly string[] {
  return failurePlaces(readFileSync(join(samples, name), 'utf8')).map(
    ({ file, line, text }) => `${file}:${line} ${text}`,
  );
}

describe('places of failures', () => {
  it.each([
    ['go-fail.txt', ['a_test.go:9 got 1, want 2', 'a_test.go:14 boom', 'b/b_test.go:6 undefined: Missing']],
    ['jest-text.txt', ['src/a.test.js:3 fails plainly']],
    [
      'pytest-v-colour.txt',
      [
        'test_a.py:19 RuntimeError',
        'test_a.py:5 AssertionError',
        'test_a.py:15 AssertionError',
        'test_a.py:17 ValueError',
        'test_a.py:22 ModuleNotFoundError',
      ],
    ],
    [
      'node22-spec.txt',
      ['test/a.test.mjs:10 deep bad (0.167232ms)', 'test/b.test.mjs:1 test/b.test.mjs (153.638358ms)'],
    ],
  ])('are read from %s', (name, places) => {
    expect(placesIn(name)).toEqual(places);
  });

  it('join what a runner says of a place in two ways, from the root of the repository', () => {
    const tree = '/home/a/state/workspaces/r/W1/checks/tree';
    const output = [
      'not ok 1 - adds',
      '  ---',
      '  duration_ms: 1.3',
      `  location: '${tree}/test/a.test.js:2:1'`,
      "  error: '2 == 3'",
      '  stack: |-',
      `    TestContext.<anonymous> (file://${tree}/test/a.test.js:2:29)`,
      '    Test.run (node:internal/test_runner/test:796:25)',
      '    run (/x/node_modules/runner/index.js:7:1)',
    ].join('\n');
    expect(failurePlaces(output)).toEqual([{ file: 'test/a.test.js', line: 2, text: 'adds: 2 == 3' }]);
  });

  it('are few and short, whatever was printed', () => {
    const endless = Array.from({ length: 9000 }, (_, at) => `src/a.js:${at + 1}: ${'wrong '.repeat(500)}`).join('\n');
    const places = failurePlaces(endless);
    expect(places).toHaveLength(50);
    expect(Math.max(...places.map(({ text }) => text.length))).toBeLessThanOrEqual(300);
    expect(failurePlaces(`${'a.'.repeat(300_000)}b:1`).length).toBeLessThanOrEqual(1);
  });
});
