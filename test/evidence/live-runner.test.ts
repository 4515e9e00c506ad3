/** The node:test of the machine at hand, run for real: readers, per-file command and red-before-green together. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readResults } from '../../src/evidence/read-results.ts';
import { classifyRedGreen } from '../../src/evidence/red-green.ts';
import { perFileRunner } from '../../src/evidence/test-files.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'forge-live-'));
  const head = "import { test, describe } from 'node:test';\nimport assert from 'node:assert';\n";
  writeFileSync(
    join(root, 'a.test.mjs'),
    `${head}describe('outer', () => { test('bad', () => assert.equal(1, 2)); test('good', () => {}); });\n`,
  );
  writeFileSync(join(root, 'b.test.mjs'), "import './missing.mjs';\n");
  writeFileSync(join(root, 'c.test.mjs'), `${head}test('fine', () => {});\ntest('later', { skip: true }, () => {});\n`);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function run(argv: readonly string[]): {
  readonly argv: readonly string[];
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly root: string;
} {
  // Vitest sets variables that would make a nested node:test report to it.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
  const result = spawnSync(process.execPath, argv.slice(1), { cwd: root, env, encoding: 'utf8' });
  return { argv, exit: result.status ?? -1, stdout: result.stdout, stderr: result.stderr, root };
}

describe('node:test of this machine', () => {
  it.each(['tap', 'spec'])('is read from its %s reporter', (reporter) => {
    expect(readResults(run(['node', '--test', `--test-reporter=${reporter}`]))).toEqual({
      reader: reporter === 'tap' ? 'tap' : 'node-spec',
      counts: { passed: 2, failed: 2, skipped: 1, failing: ['a.test.mjs > outer > bad', 'b.test.mjs'] },
      unloaded: ['b.test.mjs'],
      ran: 3,
    });
  });

  it.each([
    ['a.test.mjs', 'red'],
    ['b.test.mjs', 'absent'],
    ['c.test.mjs', 'green'],
  ])('%s alone is %s', (file, result) => {
    const argv = perFileRunner({ argv: ['node', '--test'], testFiles: [file] }) ?? [];
    expect(classifyRedGreen({ status: 'exited', ...run(argv) }, 'feature').result).toBe(result);
  });
});
