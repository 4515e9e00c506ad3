/**
 * Stages, closure, planning rounds and the loop of a module. Left out, for rooms that do not exist yet:
 * `ready_set_execution`, `evolveClassify`, `evolveRefuse`, and the tables `names`, `scheduler`, `states`.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { closure, planningRounds, stages } from '../../src/plan/graph.ts';
import { nextMove, type Round } from '../../src/policy/progress.ts';
import { readVectors } from './read-vectors.ts';

const cases = readVectors(
  'autoforge-dag-and-loop',
  z.object({ fn: z.string(), name: z.string().optional(), input: z.unknown().optional(), expect: z.unknown() }),
);
const named = (fn: string, name?: string) => {
  const found = cases.find((vector) => vector.fn === fn && vector.name === name);
  if (found === undefined) throw new Error(`no vector ${fn} ${name}`);
  return found;
};
const modules = z
  .array(z.object({ id: z.string(), deps: z.array(z.string()) }))
  .parse(named('phases').input)
  .map(({ id, deps }) => ({ id, depends: deps }));

it('phases', () => {
  const numbered = Object.fromEntries(stages(modules).map((ids, place) => [String(place + 1), ids]));
  expect(numbered).toEqual(named('phases').expect);
});

it('closure', () => {
  const { input, expect: wanted } = named('closure');
  expect(closure(modules, z.string().parse(input))).toEqual(wanted);
});

it('planning rounds', () => expect(planningRounds(modules)).toEqual(named('planningRounds').expect));

it('a cycle is refused', () => {
  const circle = [...modules, { id: 'M-009', depends: ['M-010'] }, { id: 'M-010', depends: ['M-009'] }];
  expect(() => stages(circle)).toThrow('Dependency cycle among: M-009, M-010');
});

const loopInput = z.object({ fails: z.array(z.union([z.number(), z.literal('replan')])) });
const moves = { 'developer-retry': { next: 'retry' }, diagnosis: { next: 'diagnose' } };

it.each(['progress continues', '2 flat rounds', '3 more flat after replan → diagnosis'])('loop: %s', (name) => {
  const vector = named('moduleLoop', name);
  const rounds = loopInput.parse(vector.input).fails.map(asRound);
  expect(nextMove(rounds)).toEqual(moves[z.enum(['developer-retry', 'diagnosis']).parse(vector.expect)]);
});

it('loop: 3 flat rounds lead to one replan', () => {
  expect(nextMove([3, 3, 3, 3].map(asRound))).toEqual({ next: 'replan' });
});

it('loop: 20 retries hard ceiling', () => {
  expect(named('moduleLoop', '20 retries hard ceiling').expect).toContain('DECISION_REQUEST');
  const improving = Array.from({ length: 21 }, (_, round) => asRound(100 - round));
  expect(nextMove(improving)).toEqual({ next: 'decide', stalledAt: 'ceiling' });
  expect(nextMove(improving.slice(1))).toEqual({ next: 'retry' });
});

it('loop: infra failure twice', () => {
  expect(named('moduleLoop', 'infra failure twice').expect).toBe('DECISION_REQUEST STALLED_AT: infrastructure');
  const twice: Round[] = [asRound(3), { type: 'infrastructure' }, { type: 'infrastructure' }];
  expect(nextMove(twice)).toEqual({ next: 'decide', stalledAt: 'infrastructure' });
  expect(nextMove(twice.slice(0, 2))).toEqual({ next: 'retry' });
});

function asRound(value: number | 'replan'): Round {
  return value === 'replan' ? { type: 'replanned' } : { type: 'measured', failures: value };
}
