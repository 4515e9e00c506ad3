import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextMove, type Round } from '../../src/policy/progress.ts';

const measured = (...failures: number[]): Round[] => failures.map((each) => ({ type: 'measured', failures: each }));
const replanned: Round = { type: 'replanned' };
const diagnosed: Round = { type: 'diagnosed' };
const infrastructure: Round = { type: 'infrastructure' };

it.each<[string, Round[], unknown]>([
  ['nothing measured yet', [], { next: 'retry' }],
  ['nothing left to fix', measured(3, 0), { next: 'done' }],
  ['flat, then better', measured(3, 3, 3, 2), { next: 'retry' }],
  ['three flat rounds', measured(3, 3, 3, 3), { next: 'replan' }],
  ['up and down is not progress', measured(3, 5, 3, 5), { next: 'replan' }],
  ['slow but steady is', measured(9, 8, 7, 6, 5), { next: 'retry' }],
  ['a new strategy may begin worse', [...measured(3, 3, 3, 3), replanned, ...measured(9, 8, 7)], { next: 'retry' }],
  ['and has three rounds too', [...measured(3, 3, 3, 3), replanned, ...measured(3, 3, 3)], { next: 'retry' }],
  ['replanned and flat', [...measured(3, 3, 3, 3), replanned, ...measured(3, 3, 3, 3)], { next: 'diagnose' }],
  [
    'diagnosed and flat',
    [...measured(3, 3, 3, 3), replanned, ...measured(3, 3, 3, 3), diagnosed, ...measured(3, 3, 3, 3)],
    { next: 'decide', stalledAt: 'progress' },
  ],
  ['infrastructure once', [...measured(3), infrastructure], { next: 'retry' }],
  ['infrastructure twice in a row', [infrastructure, infrastructure], { next: 'decide', stalledAt: 'infrastructure' }],
  ['infrastructure twice, work between', [infrastructure, ...measured(3), infrastructure], { next: 'retry' }],
])('%s', (_name, rounds, wanted) => {
  expect(nextMove(rounds)).toEqual(wanted);
});

it('takes other limits', () => {
  const limits = { flatRounds: 1, retries: 10, infrastructure: 1 };
  expect(nextMove(measured(3, 3), limits)).toEqual({ next: 'replan' });
  expect(nextMove([infrastructure], limits)).toEqual({ next: 'decide', stalledAt: 'infrastructure' });
  expect(nextMove(measured(...Array.from({ length: 11 }, (_, i) => 50 - i)), limits)).toEqual({
    next: 'decide',
    stalledAt: 'ceiling',
  });
});

it('ends whatever is measured', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.option(fc.nat(5), { nil: -1 })), (results) => {
      const rounds: Round[] = [];
      for (let step = 0; step < 100; step++) {
        const move = nextMove(rounds);
        if (move.next === 'done' || move.next === 'decide') return;
        if (move.next === 'replan') rounds.push(replanned);
        if (move.next === 'diagnose') rounds.push(diagnosed);
        const result = results.next().value ?? 0;
        rounds.push(result === -1 ? infrastructure : { type: 'measured', failures: result + 1 });
      }
      throw new Error('a loop of a hundred rounds');
    }),
  );
});
