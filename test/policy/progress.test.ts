import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLastRound, nextMove, type ProgressEvent, type ProgressPolicy } from '../../src/policy/progress.ts';

type Escalation = 'replan' | 'diagnose';
type Event = ProgressEvent<Escalation>;
const modules: ProgressPolicy<Escalation> = {
  rounds: 21,
  flatRounds: 3,
  escalations: ['replan', 'diagnose'],
  lastEscalations: ['diagnose'],
};
const measured = (...left: number[]): Event[] => left.map((remaining) => ({ type: 'measured', remaining }));
const replan: Event = { type: 'escalated', to: 'replan' };
const diagnose: Event = { type: 'escalated', to: 'diagnose' };
const infrastructure: Event = { type: 'infrastructure' };
const improving = (rounds: number): Event[] => measured(...Array.from({ length: rounds }, (_, round) => 100 - round));
const flat = measured(3, 3, 3, 3);
const again = { next: 'again' };
const stopped = (stalledAt: string) => ({ next: 'stop', stalledAt });
const escalated = (to: Escalation, stalledAt = 'progress') => ({ next: 'escalate', to, stalledAt });

it.each<[string, Event[], unknown]>([
  ['nothing measured yet', [], again],
  ['flat, then better', measured(3, 3, 3, 2), again],
  ['three flat rounds', flat, escalated('replan')],
  ['up and down is not progress', measured(3, 5, 3, 5), escalated('replan')],
  ['slow but steady is', measured(9, 8, 7, 6, 5), again],
  ['a rule of the round itself', [{ type: 'measured', remaining: 2, isStalled: true }], escalated('replan')],
  [
    'no number is no progress',
    [...measured(3), ...flat.map(() => ({ type: 'measured' }) as const)],
    escalated('replan'),
  ],
  ['a new strategy may begin worse', [...flat, replan, ...measured(9, 8, 7)], again],
  ['and has three rounds too', [...flat, replan, ...measured(3, 3, 3)], again],
  ['replanned and flat', [...flat, replan, ...flat], escalated('diagnose')],
  ['diagnosed and flat', [...flat, replan, ...flat, diagnose, ...flat], stopped('progress')],
  ['rounds used up while it improves', improving(21), escalated('diagnose', 'ceiling')],
  ['one round more after that', [...improving(21), diagnose, ...measured(1)], stopped('ceiling')],
  ['one round before', improving(20), again],
  ['no second diagnosis', [diagnose, ...improving(21)], stopped('ceiling')],
  ['infrastructure once', [...measured(3), infrastructure], again],
  ['infrastructure twice in a row', [infrastructure, infrastructure], stopped('infrastructure')],
  ['infrastructure twice, work between', [infrastructure, ...measured(3), infrastructure], again],
  ['infrastructure does not count as a round', [infrastructure, ...improving(20)], again],
])('%s', (_name, events, wanted) => {
  expect(nextMove(events, modules)).toEqual(wanted);
});

it('counts rounds alone where nothing else is asked of them', () => {
  const policy = { rounds: 4 };
  expect(nextMove(measured(5, 5, 5), policy)).toEqual(again);
  expect(nextMove(measured(5, 5, 5, 5), policy)).toEqual(stopped('ceiling'));
  expect([0, 2, 3].map((rounds) => isLastRound(improving(rounds), policy))).toEqual([false, false, true]);
});

it('asks that each round improves', () => {
  const policy = { rounds: 3, flatRounds: 1 };
  expect(nextMove(measured(4, 2), policy)).toEqual(again);
  expect(nextMove(measured(4, 4), policy)).toEqual(stopped('progress'));
  expect(nextMove(measured(4, 2, 1), policy)).toEqual(stopped('ceiling'));
});

it('says that a round is the last only when no escalation is left', () => {
  expect(isLastRound(improving(20), modules)).toBe(false);
  expect(isLastRound([...improving(21), diagnose], modules)).toBe(true);
});

it('ends whatever is measured, and tries each escalation once', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.option(fc.nat(5), { nil: -1 })), (results) => {
      const events: Event[] = [];
      for (let step = 0; step < 100; step++) {
        const move = nextMove(events, modules);
        if (move.next === 'stop') {
          const tried = events.flatMap((event) => (event.type === 'escalated' ? [event.to] : []));
          expect(tried).toEqual([...new Set(tried)]);
          expect(events.filter(({ type }) => type === 'measured').length).toBeLessThanOrEqual(22);
          return;
        }
        if (move.next === 'escalate') events.push({ type: 'escalated', to: move.to });
        const result = results.next().value ?? 0;
        events.push(result === -1 ? infrastructure : { type: 'measured', remaining: result });
      }
      throw new Error('a loop of a hundred rounds');
    }),
  );
});
