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
});
