/** The table of hostile behaviours in docs/safety.md says how many the tests of this directory really try. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { dishonest } from './square-cases.ts';

const root = join(import.meta.dirname, '../..');

/** Whoever does right among them: honest work, and a machine or a clone that is only unusual. */
const harmless = /\bhonest(?:ly)?\b|^checks that the jail hides >|^runs of a repository >/;

function behaviours(): ReadonlyMap<string, number> {
  const { PATH = '', HOME = '' } = process.env;
  const listed = execFileSync(join(root, 'node_modules/.bin/vitest'), ['list', 'test/hostile', '--json'], {
    cwd: root,
    env: { PATH, HOME, FORGE_TESTS: 'slow' },
    encoding: 'utf8',
  });
  const tests = JSON.parse(listed) as readonly { readonly name: string; readonly file: string }[];
  const counts = new Map<string, number>();
  for (const { name, file } of tests) {
    if (file === import.meta.filename || harmless.test(name)) continue;
    const set = basename(file, '.test.ts');
    counts.set(set, (counts.get(set) ?? 0) + 1);
  }
  return counts;
}

it('are those of the tests', { timeout: 120_000 }, () => {
  const text = readFileSync(join(root, 'docs/safety.md'), 'utf8');
  const rows = [...text.matchAll(/^\| .* \| (\d+) \| `([\w-]+)` \|$/gm)];
  const counts = behaviours();
  expect(new Map(rows.map(([, count, set]) => [set, Number(count)]))).toEqual(counts);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(text).toContain(`plays ${all - dishonest.length} hostile behaviours`);
  expect(text).toContain(`; ${dishonest.length} of them are those of the row above`);
});
