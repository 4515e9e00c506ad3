/**
 * Phases, closure, planning rounds, the loop of a module, which module starts next, and when a second delivery is refused.
 * What a changed design touches is in test/design/design-impact.test.ts; the tables of names are left to the workflow.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readyModules } from '../../src/delivery/ready-modules.ts';
import { type EvolveState, evolveRefusal } from '../../src/design/evolve-refusal.ts';
import { dependencyClosure, planningRounds, planStages } from '../../src/plan/graph.ts';
import { nextMove, type ProgressEvent } from '../../src/policy/progress.ts';
import { type ModuleEscalation, moduleLoop } from '../../src/workflows/design/rules/module-loop.ts';
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
  const numbered = Object.fromEntries(planStages(modules).map((ids, place) => [String(place + 1), ids]));
  expect(numbered).toEqual(named('phases').expect);
});

it('closure', () => {
  const { input, expect: wanted } = named('closure');
  expect(dependencyClosure(modules, z.string().parse(input))).toEqual(wanted);
});

it('planning rounds', () => expect(planningRounds(modules)).toEqual(named('planningRounds').expect));

it('a cycle is refused', () => {
  const circle = [...modules, { id: 'M-009', depends: ['M-010'] }, { id: 'M-010', depends: ['M-009'] }];
  expect(() => planStages(circle)).toThrow('Dependency cycle among: M-009, M-010');
});

type LoopEvent = ProgressEvent<ModuleEscalation>;
const loopInput = z.object({ fails: z.array(z.union([z.number(), z.literal('replan')])) });
const asEvent = (value: number | 'replan'): LoopEvent =>
  value === 'replan' ? { type: 'escalated', to: value } : { type: 'measured', remaining: value };
const moves = {
  'developer-retry': { next: 'again' },
  diagnosis: { next: 'escalate', to: 'diagnose', stalledAt: 'progress' },
};

it.each(['progress continues', '2 flat rounds', '3 more flat after replan → diagnosis'])('loop: %s', (name) => {
  const vector = named('moduleLoop', name);
  const events = loopInput.parse(vector.input).fails.map(asEvent);
  expect(nextMove(events, moduleLoop)).toEqual(moves[z.enum(['developer-retry', 'diagnosis']).parse(vector.expect)]);
});

it('loop: 3 flat rounds lead to one replan', () => {
  const move = nextMove([3, 3, 3, 3].map(asEvent), moduleLoop);
  expect(move).toEqual({ next: 'escalate', to: 'replan', stalledAt: 'progress' });
});

it('loop: 20 retries hard ceiling', () => {
  expect(named('moduleLoop', '20 retries hard ceiling').expect).toBe('diagnosis→DECISION_REQUEST');
  const improving = Array.from({ length: 21 }, (_, round) => asEvent(100 - round));
  expect(nextMove(improving.slice(1), moduleLoop)).toEqual({ next: 'again' });
  // A diagnosis goes before every decision: test/workflows/design/module-outcomes.slow.test.ts.
  expect(nextMove(improving, moduleLoop)).toEqual({ next: 'escalate', to: 'decide', stalledAt: 'ceiling' });
  const decided: LoopEvent[] = [...improving, { type: 'escalated', to: 'decide' }, asEvent(1)];
  expect(nextMove(decided, moduleLoop)).toEqual({ next: 'stop', stalledAt: 'ceiling' });
});

it('loop: infra failure twice', () => {
  expect(named('moduleLoop', 'infra failure twice').expect).toBe('DECISION_REQUEST STALLED_AT: infrastructure');
  const twice: LoopEvent[] = [asEvent(3), { type: 'infrastructure' }, { type: 'infrastructure' }];
  expect(nextMove(twice, moduleLoop)).toEqual({ next: 'stop', stalledAt: 'infrastructure' });
  expect(nextMove(twice.slice(0, 2), moduleLoop)).toEqual({ next: 'again' });
});

it('what needs a patch starts first, then the lower tier, then the lower id', () => {
  expect(named('ready_set_execution').expect).toBe('needs_patch first, then tier asc, then id');
  const module = (id: string, execStatus: string, tier: number, deps: string[] = []) => ({
    id,
    deps,
    tier,
    planStatus: 'planned',
    execStatus,
  });
  const all = [
    module('M-002', 'pending', 1),
    module('M-010', 'pending', 0),
    module('M-009', 'pending', 0),
    module('M-003', 'needs_patch', 2),
    module('M-011', 'pending', 0, ['M-002']),
  ];
  expect(readyModules(all)).toEqual(['M-003', 'M-009', 'M-010', 'M-002']);
});

const evolvable: EvolveState = {
  priorPlan: { directory: 'plans/x', isUnfinished: false, modules: ['M-001'] },
  hasUncommittedChanges: false,
  baseline: 'a',
  target: 'b',
  added: ['M-002'],
};
const refused: Readonly<Record<string, [EvolveState, string]>> = {
  'no prior plan dir': [{ ...evolvable, priorPlan: undefined }, 'no-prior-plan'],
  'dirty tree': [{ ...evolvable, hasUncommittedChanges: true }, 'uncommitted-changes'],
  'target tag == baseline': [{ ...evolvable, target: 'a' }, 'nothing-changed'],
  'design adds M-id already burned by a plan': [{ ...evolvable, added: ['M-001'] }, 'id-collision'],
};

it.each(cases.filter(({ fn }) => fn === 'evolveRefuse').map(({ name }) => name ?? ''))('evolve refuses: %s', (name) => {
  const [state, code] = refused[name] ?? [evolvable, 'unknown vector'];
  expect(evolveRefusal(state)?.code).toBe(code);
  expect(evolveRefusal(evolvable)).toBeUndefined();
});
