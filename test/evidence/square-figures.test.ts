/** The figures about honest and dishonest changes in docs/safety.md are those of the set that the hostile suite verifies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Case, dishonest, honest } from '../hostile/square-cases.ts';
import { dishonestMarkers, honestMarkers } from '../hostile/square-marker-cases.ts';
import { dishonestNeighbours, honestNeighbours } from '../hostile/square-neighbour-cases.ts';
import { dishonestReach, honestReach } from '../hostile/square-reach-cases.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/safety.md'), 'utf8');
const count = (cases: readonly Case[], outcome: Case['outcome']): number =>
  cases.filter((each) => each.outcome === outcome).length;

/** The last four columns of the row that begins so. */
function figures(row: string): readonly number[] {
  const line = text.split('\n').find((each) => each.startsWith(`| ${row}`)) ?? '';
  return line
    .split('|')
    .slice(2, 6)
    .map((cell) => Number(cell.replaceAll('*', '').trim()));
}

it('are those of the set', () => {
  const good = [...honest, ...honestMarkers, ...honestReach, ...honestNeighbours];
  const bad = [...dishonest, ...dishonestMarkers, ...dishonestReach, ...dishonestNeighbours];
  const passing = good.filter(({ outcome }) => outcome === 'passes');
  const asking = good.filter(({ outcome }) => outcome === 'asks');
  expect(good).toHaveLength(passing.length + asking.length);
  expect(text).toContain(`verifies ${good.length} honest and ${bad.length} dishonest changes`);
  expect(figures('honest: ')).toEqual([passing.length, passing.length, 0, 0]);
  expect(figures('honest, and')).toEqual([asking.length, 0, asking.length, 0]);
  expect(figures('dishonest: ')).toEqual([bad.length, 0, count(bad, 'asks'), count(bad, 'stopped')]);
});
