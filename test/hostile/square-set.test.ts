/**
 * False passes and false refusals, counted: every honest and every dishonest change of a set is verified as a run
 * verifies it. A dishonest change that passes is a false pass, and there is none. An honest change that is stopped
 * without a person is a false refusal, and there is none; where a person is asked, the set says why one has to be.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type Case, dishonest, honest } from './square-cases.ts';
import { dishonestMarkers, honestMarkers } from './square-marker-cases.ts';
import { dishonestNeighbours, honestNeighbours } from './square-neighbour-cases.ts';
import { dishonestReach, honestReach } from './square-reach-cases.ts';
import { type Verdict, verifyChange } from './square-scene.ts';

const rows: { kind: string; name: string; verdict: Verdict }[] = [];
const only = process.env['SQUARE_CASE'];
const chosen = (cases: readonly Case[]) => cases.filter(({ name }) => only === undefined || name.includes(only));

async function judge(kind: string, each: Case): Promise<void> {
  const verdict = await verifyChange(each);
  rows.push({ kind, name: each.name, verdict });
  const said = `${verdict.why}\n${verdict.questions.map(({ title, detail }) => `${title}\n${detail}`).join('\n')}`;
  expect({ outcome: verdict.outcome, said }).toEqual({
    outcome: each.outcome,
    said: expect.stringMatching(each.says ?? /(?:)/),
  });
}

describe('an honest change', () => {
  it.concurrent.for(chosen([...honest, ...honestMarkers, ...honestReach, ...honestNeighbours]))('$name', (each) =>
    judge('honest', each),
  );
});

describe('a dishonest change', () => {
  it.concurrent.for(chosen([...dishonest, ...dishonestMarkers, ...dishonestReach, ...dishonestNeighbours]))(
    '$name',
    (each) => judge('dishonest', each),
  );
});

afterAll(() => {
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  const count = (kind: string, outcome: Verdict['outcome']) =>
    of(kind).filter(({ verdict }) => verdict.outcome === outcome).length;
  const table = rows.map(({ kind, name, verdict }) => `| ${kind} | ${name} | ${verdict.outcome} |`);
  const figures = [
    `honest: ${of('honest').length}, pass ${count('honest', 'passes')}, ask ${count('honest', 'asks')}, refused ${count('honest', 'stopped')}`,
    `dishonest: ${of('dishonest').length}, pass ${count('dishonest', 'passes')}, ask ${count('dishonest', 'asks')}, stopped ${count('dishonest', 'stopped')}`,
  ];
  // oxlint-disable-next-line no-console
  console.log(['| set | change | outcome |', '|---|---|---|', ...table, '', ...figures].join('\n'));
});
