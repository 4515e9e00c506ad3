/** The table of hostile behaviours in docs/safety.md says how many the tests of this directory really try. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { type Case, dishonest, honest } from './square-cases.ts';
import { dishonestMarkers, honestMarkers } from './square-marker-cases.ts';
import { dishonestNeighbours, honestNeighbours } from './square-neighbour-cases.ts';
import { dishonestReach, honestReach } from './square-reach-cases.ts';

const root = join(import.meta.dirname, '../..');

/** Whoever does right among them: honest work, and a machine or a clone that is only unusual. */
const harmless = /\bhonest(?:ly)?\b|^checks that the jail hides >|^runs of a repository >|> is known to every command$/;

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

it('are those of the tests', () => {
  const text = readFileSync(join(root, 'docs/safety.md'), 'utf8');
  const rows = [...text.matchAll(/^\| .* \| (\d+) \| `([\w-]+)` \|$/gm)];
  const counts = behaviours();
  expect(new Map(rows.map(([, count, set]) => [set, Number(count)]))).toEqual(counts);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(text).toContain(`plays ${all - dishonest.length} hostile behaviours`);
  expect(text).toContain(`; ${dishonest.length} of them are those of the row above`);
});

/** Each case says what becomes of it, and `square-set.test.ts` holds it to that. */
it('the table of honest and dishonest changes is that of the set', () => {
  const text = readFileSync(join(root, 'docs/safety.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (?:honest|dishonest)\b.* \| (\d+) \| \**(\d+)\** \| (\d+) \| (\d+) \|$/gm)];
  const [right, wrong] = [
    [...honest, ...honestMarkers, ...honestReach, ...honestNeighbours],
    [...dishonest, ...dishonestMarkers, ...dishonestReach, ...dishonestNeighbours],
  ];
  const count = (cases: readonly Case[]): readonly number[] => [
    cases.length,
    ...(['passes', 'asks', 'stopped'] as const).map((end) => cases.filter(({ outcome }) => outcome === end).length),
  ];
  const passing = right.filter(({ outcome }) => outcome === 'passes');
  const asking = right.filter(({ outcome }) => outcome !== 'passes');
  expect(rows.map(([, ...figures]) => figures.map(Number))).toEqual([passing, asking, wrong].map(count));
  expect(text).toContain(`verifies ${right.length} honest and ${wrong.length} dishonest changes`);
});
