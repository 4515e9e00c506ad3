/** Who does a piece of work, from what a person configured, what the run was begun with and what the plan says. */
import { describe, expect, it } from 'vitest';
import { routingQuestion } from '../../src/effects/route-role.ts';
import { emptyState } from '../../src/engine/run-state.ts';
import { planSchema } from '../../src/plan/plan.ts';
import { routeWork } from '../../src/policy/routing.ts';
import { parseSettings } from '../../src/policy/settings.ts';

const settings = parseSettings(
  `
agents:
  first: { driver: acp, agent: claude }
  second: { driver: acp, agent: claude }
roles:
  tester: second
`,
  'config',
);
const tasks = [
  { id: 'A', title: 'A', risk: 'high', agent: 'second' },
  { id: 'B', title: 'B', tier: 'max', effort: 'low' },
];
const state = { ...emptyState(), plan: planSchema.parse({ objective: 'o', tasks }) };
const route = (role: string, agent: string, task?: string) =>
  routeWork(routingQuestion({ settings, env: {} }, { role, agent, task, attempt: 1 }, state));

describe('a route', () => {
  it('says why it is this agent', () => {
    const why = [
      route('developer', 'first'),
      route('tester', 'second'),
      route('developer', 'second'),
      route('developer', 'second', 'A'),
    ].map(({ reasons }) => reasons[0]);
    expect(why).toEqual([
      'agent first: the first that is configured',
      'agent second: settings give it the role tester',
      'agent second: chosen for this run',
      'agent second: the plan gives it this task',
    ]);
  });

  it('goes by the risk, the tier and the effort of its task', () => {
    expect(route('reviewer', 'first', 'A')).toMatchObject({ tier: 'max' });
    expect(route('worker', 'first', 'A')).toMatchObject({ tier: 'standard' });
    expect(route('worker', 'first', 'B')).toMatchObject({ tier: 'max', effort: 'low' });
    expect(route('worker', 'first')).toMatchObject({ tier: 'standard' });
  });
});
