/** Whether a model is asked to think: whose word counts, and what models cannot do. */
import { describe, expect, it } from 'vitest';
import { type RoutingQuestion, routeWork, tierUp } from '../../src/policy/routing.ts';
import { thinkingFor } from '../../src/policy/thinking.ts';

describe('a model', () => {
  it.each([
    ['claude-opus-4-8', 'adaptive', 'adaptive'],
    ['claude-opus-4-8', 'disabled', 'disabled'],
    ['claude-sonnet-4-6', 'adaptive', 'adaptive'],
    ['sonnet', 'adaptive', 'adaptive'],
    ['claude-opus-5', 'adaptive', 'adaptive'],
    ['claude-fable-5', 'adaptive', 'adaptive'],
    ['claude-fable-5', 'disabled', 'adaptive'],
    ['anthropic/claude-mythos-5.1', 'disabled', 'adaptive'],
    ['claude-haiku-4-5', 'adaptive', undefined],
    ['claude-haiku-4-5', 'disabled', 'disabled'],
    ['claude-opus-4-5-20251101', 'adaptive', undefined],
    ['claude-opus-4-20250514', 'adaptive', undefined],
    ['anthropic/claude-sonnet-4.5', 'adaptive', undefined],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'adaptive', undefined],
    ['claude-3-7-sonnet-20250219', 'adaptive', undefined],
  ] as const)('%s that is to be %s is asked for %s', (model, wanted, thinking) => {
    const answer = thinkingFor({ wanted, provider: 'anthropic', model });
    expect(answer.thinking).toBe(thinking);
    expect(answer.reasons).toHaveLength(1);
  });

  it('of somebody else is not asked, and neither is one for which nobody said anything', () => {
    expect(thinkingFor({ wanted: 'adaptive', provider: 'openai', model: 'gpt-5' }).thinking).toBeUndefined();
    expect(thinkingFor({ wanted: undefined, provider: 'anthropic', model: 'opus' })).toEqual({ reasons: [] });
  });
});

describe('a route', () => {
  const claude = {
    provider: 'anthropic',
    thinking: 'disabled',
    tiers: { standard: 'claude-sonnet-4-6', heavy: 'claude-fable-5' },
  } as const;
  const question = (roles: RoutingQuestion['roles']): RoutingQuestion => ({
    role: 'executor',
    agents: { claude },
    roles,
  });

  it('goes by the role, then by its agent, and says why', () => {
    expect(routeWork(question({})).thinking).toBe('disabled');
    const route = routeWork(question({ executor: { thinking: 'adaptive' } }));
    expect([route.thinking, route.reasons.at(-1)]).toEqual(['adaptive', 'thinking adaptive: settings say so']);
  });

  it('to a stronger model asks for what that one can do', () => {
    const up = tierUp(question({}), routeWork(question({})));
    expect([up?.model, up?.thinking]).toEqual(['claude-fable-5', 'adaptive']);
    expect(up?.reasons).toContain('thinking adaptive: claude-fable-5 does not work without');
  });

  it('asks for what the workflow wants only at strong tiers, of models that take it, where settings say nothing', () => {
    const usual = { thinking: 'adaptive', tier: 'heavy' } as const;
    const tiers = { standard: 'claude-sonnet-4-6', heavy: 'claude-opus-4-8', max: 'claude-3-opus' };
    const ask = (about: Partial<RoutingQuestion>) =>
      routeWork({ role: 'planner', agents: { claude: { provider: 'anthropic', tiers } }, roles: {}, usual, ...about });
    expect([ask({}).thinking, ask({}).reasons.at(-1)]).toEqual([
      'adaptive',
      'thinking adaptive: usual for this work in this workflow',
    ]);
    expect(ask({ task: { tier: 'standard' } }).thinking).toBeUndefined();
    expect(ask({ task: { tier: 'max' } }).thinking).toBeUndefined();
    expect(ask({ agents: { other: { provider: 'openai', tiers } } }).thinking).toBeUndefined();
    expect(ask({ roles: { planner: { thinking: 'disabled' } } }).thinking).toBe('disabled');
  });
});
