/**
 * Tiers, efforts and the handover between accounts, as the roles of a milestone's run are routed. Lessons are the one
 * thing that nobody is asked for here: what would extract them has its row in the table of units.
 * The other decisions of the same vectors are in forgeauto-repair-review.test.ts.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { routeWork } from '../../src/policy/routing.ts';
import { type MilestoneRole, milestoneRoles } from '../../src/workflows/milestone/roles.ts';
import { routeUnit } from '../../src/workflows/milestone/rules/unit-routing.ts';
import { chooseSeat } from '../../src/policy/usage-threshold.ts';
import { readVectors } from './read-vectors.ts';

const unit = z.object({
  unit: z.string(),
  tag: z.string().optional(),
  risk: z.string().optional(),
  effort: z.string().optional(),
  model: z.string().optional(),
});
const ours = ['tier', 'tierModel', 'effort', 'accountHandoff'] as const;
const caseSchema = z.discriminatedUnion('fn', [
  z.object({ fn: z.literal('tier'), input: unit, expect: z.string() }),
  z.object({ fn: z.literal('tierModel'), input: z.string(), expect: z.string() }),
  z.object({ fn: z.literal('effort'), input: unit, expect: z.string() }),
  z.object({ fn: z.literal('accountHandoff'), input: z.tuple([z.number(), z.number()]), expect: z.string() }),
]);

const all = readVectors('forgeauto-routing-repair-review', z.looseObject({ fn: z.string() }));
const cases = all
  .filter(({ fn }) => (ours as readonly string[]).includes(fn))
  .map((vector) => caseSchema.parse(vector));
const only = <F extends (typeof ours)[number]>(fn: F) =>
  cases.filter((vector): vector is Extract<(typeof cases)[number], { fn: F }> => vector.fn === fn);

const roles: Readonly<Record<string, MilestoneRole>> = {
  'complete-slice': 'scribe',
  'complete-milestone': 'scribe',
  'research-slice': 'researcher',
  'discuss-milestone': 'discusser',
  'plan-milestone': 'milestone-planner',
  'plan-slice': 'slice-planner',
  'execute-task': 'executor',
};

function route({ unit: name, model, risk, ...task }: z.infer<typeof unit>) {
  const worker = model === undefined ? {} : { model };
  const role = roles[name];
  const spec = role === undefined ? undefined : milestoneRoles[role];
  const usual = name === 'memory-extract' ? routeUnit(name) : { tier: spec?.tier, effort: spec?.effort };
  const isWriter = spec?.access === 'write';
  return routeWork({ role: role ?? name, task, risk, usual, isWriter, agents: { worker }, roles: {} });
}

it('has all of them', () => expect(cases).toHaveLength(11 + 1 + 4 + 2));

it.each(only('tier'))('$input is $expect', ({ input, expect: wanted }) => {
  expect(route(input).tier).toBe(wanted);
});

it.each(only('tierModel'))('a $input has the $expect', ({ input }) => {
  const worker = { tiers: { light: 'small', standard: 'usual', heavy: 'big' } };
  const found = routeWork({ role: 'developer', task: { tier: input }, agents: { worker }, roles: {} });
  expect([found.tier, found.model]).toEqual(['standard', 'usual']);
});

it.each(only('effort'))('$input works with effort $expect', ({ input, expect: wanted }) => {
  expect(route(input).effort).toBe(wanted);
});

it.each(only('accountHandoff'))('$input: $expect', ({ input: [used, threshold], expect: wanted }) => {
  const first = { seat: 'first', windows: [{ window: '5h', used }] };
  const { action } = chooseSeat({ seats: [first, { seat: 'second', windows: [] }], now: 0, threshold });
  expect(action).toBe(wanted === 'continue' ? 'take' : wanted);
});
