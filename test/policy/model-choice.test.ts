/** Clusters of the provider's default models, and what goes before them. */
import { describe, expect, it } from 'vitest';
import { tierNames } from '../../src/policy/agent-settings.ts';
import { clusterOf, modelFor } from '../../src/policy/model-choice.ts';
import { priceOf } from '../../src/policy/prices.ts';

const claude = { provider: 'anthropic' };
const variables = (opus?: string, sonnet?: string, haiku?: string, fable?: string) => ({
  ANTHROPIC_DEFAULT_OPUS_MODEL: opus,
  ANTHROPIC_DEFAULT_SONNET_MODEL: sonnet,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: haiku,
  ANTHROPIC_DEFAULT_FABLE_MODEL: fable,
});
const models = (env: ReturnType<typeof variables>, agent = claude) =>
  tierNames.map((tier) => modelFor({ tier, agent, own: undefined, env }).model);

describe('the variables', () => {
  it('are a single cluster when they are all the same', () => {
    expect(clusterOf(variables('m', 'm', 'm'))).toEqual({ cluster: 'single', model: 'm' });
    expect(clusterOf(variables('m', 'm', 'm', 'm'))).toEqual({ cluster: 'single', model: 'm' });
    expect(models(variables('m', 'm', 'm'))).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('are tiered when they differ or some are missing', () => {
    expect(clusterOf(variables('o', 's', 'h'))).toMatchObject({ cluster: 'tiered' });
    expect(models(variables('o', 's', 'h'))).toEqual(['h', 's', 'o', 'o']);
    expect(models(variables('o', 's', 'h', 'f'))).toEqual(['h', 's', 'o', 'f']);
    expect(models(variables('m', 'm', 'm', 'f'))).toEqual(['m', 'm', 'm', 'f']);
    expect(models(variables('o'))).toEqual(['haiku', 'sonnet', 'o', 'o']);
    expect(models(variables(undefined, 's'))).toEqual(['haiku', 's', 'opus', 'opus']);
  });

  it('are unknown when none is set, and then models have their full names, with a known price', () => {
    expect(clusterOf(variables())).toEqual({ cluster: 'unknown' });
    expect(clusterOf(variables('', ' '))).toEqual({ cluster: 'unknown' });
    const usual = models(variables());
    expect(usual).toEqual(['claude-haiku-4-5-20251001', 'claude-sonnet-4-6', 'claude-opus-4-8', 'claude-fable-5']);
    expect(usual.map((model) => priceOf(model ?? '').known)).toEqual([true, true, true, true]);
  });

  it('mean nothing to agents of other providers', () => {
    expect(models(variables('o', 's', 'h'), { provider: 'openai' })).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('settings', () => {
  const env = variables('o', 's', 'h');

  it('go before variables: the role, the tier, the agent, the nearest tier', () => {
    const agent = { ...claude, tiers: { heavy: 'big' }, model: 'one' };
    expect(modelFor({ tier: 'heavy', agent, own: 'mine', env }).model).toBe('mine');
    expect(modelFor({ tier: 'heavy', agent, own: undefined, env }).model).toBe('big');
    expect(modelFor({ tier: 'light', agent, own: undefined, env }).model).toBe('one');
  });

  it('that leave a tier out give the nearest, a smaller one first', () => {
    const agent = { tiers: { light: 'small', max: 'huge' } };
    const found = tierNames.map((tier) => modelFor({ tier, agent, own: undefined, env }).model);
    expect(found).toEqual(['small', 'small', 'small', 'huge']);
  });

  it('may name a family, which stands for what its variable says', () => {
    expect(modelFor({ tier: 'light', agent: claude, own: 'opus', env })).toEqual({
      model: 'o',
      reason: "model o: the role's settings (opus)",
    });
    expect(modelFor({ tier: 'light', agent: claude, own: 'opus', env: {} }).model).toBe('opus');
    expect(modelFor({ tier: 'light', agent: {}, own: 'opus', env }).model).toBe('opus');
  });
});
