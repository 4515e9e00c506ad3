import { expect, it } from 'vitest';
import { effortCeiling, effortFor, usualEffort } from '../../src/policy/effort.ts';
import { builtinDefinitions } from '../../src/workflows/registry.ts';

it.each([
  ['claude-sonnet-4-6', 'medium'],
  ['claude-haiku-4-5-20251001', 'medium'],
  ['claude-3-5-sonnet-20241022', 'medium'],
  ['us.anthropic.claude-sonnet-4-6-v1:0', 'medium'],
  ['anthropic/claude-sonnet-4.5', 'medium'],
  ['sonnet', 'medium'],
  ['sonnet[1m]', 'medium'],
  ['claude-opus-4-8', 'max'],
  ['claude-fable-5', 'max'],
  ['opus', 'max'],
  ['gpt-5.2-codex', 'xhigh'],
  ['gpt-5.1-codex-max', 'xhigh'],
  ['gpt-5', 'high'],
  ['gemini-3-pro', 'high'],
  ['qwen3:32b', 'high'],
  [undefined, 'max'],
])('%s goes up to %s', (model, ceiling) => {
  expect(effortCeiling(model)).toBe(ceiling);
});

it.each(builtinDefinitions)('every role of $name has a usual effort', async ({ load }) => {
  const { program } = await load();
  const without = Object.entries(program.roles).filter(
    ([role, { effort: wanted }]) => usualEffort({ role, tag: undefined, wanted }) === undefined,
  );
  expect(without).toEqual([]);
});

it('is left to the agent when nobody asks', () => {
  const asked = { task: undefined, risk: false, settings: undefined, model: 'opus' };
  expect(effortFor(asked)).toEqual({ effort: undefined, reasons: [] });
  expect(effortFor({ ...asked, task: '' })).toEqual({ effort: undefined, reasons: [] });
});

it.each([
  ['planner', undefined, 'opus', 'high'],
  ['planner', undefined, 'claude-sonnet-4-6', 'medium'],
  ['reviewer', undefined, 'gpt-5.2', 'high'],
  ['developer', undefined, 'opus', 'medium'],
  ['worker', 'docs', 'opus', 'low'],
  ['planner', 'docs', 'opus', 'high'],
  ['learner', undefined, 'opus', 'low'],
  ['someone', undefined, 'opus', undefined],
  ['developer', undefined, 'claude-haiku-4-5', undefined],
  ['developer', undefined, 'qwen3:32b', undefined],
  ['developer', undefined, undefined, undefined],
])('of a %s on a task tagged %s with %s is %s by default', (role, tag, model, effort) => {
  const asked = {
    task: undefined,
    risk: false,
    settings: undefined,
    usual: usualEffort({ role, tag, wanted: undefined }),
    model,
  };
  expect(effortFor(asked).effort).toBe(effort);
  expect(effortFor({ ...asked, settings: 'low' }).effort).toBe('low');
});

it('is what the workflow gives the work, where nothing else says anything', () => {
  const usual = usualEffort({ role: 'executor', tag: undefined, wanted: 'low' });
  const asked = { task: undefined, risk: false, settings: undefined, usual, model: 'opus' };
  expect(effortFor(asked)).toEqual({
    effort: 'low',
    reasons: ['effort low: usual for the role executor in this workflow'],
  });
  expect(effortFor({ ...asked, settings: 'high' }).effort).toBe('high');
  expect(effortFor({ ...asked, model: 'qwen3:32b' }).effort).toBeUndefined();
});

it('is what the task says, else what the risk needs, else what settings say, as far as the model goes', () => {
  const asked = { task: 'HIGH', risk: true, settings: 'low', model: 'claude-sonnet-4-6' };
  expect(effortFor(asked)).toEqual({
    effort: 'medium',
    reasons: ['effort high: the task says so', 'effort medium: as far as claude-sonnet-4-6 goes'],
  });
  expect(effortFor({ ...asked, task: undefined, model: 'opus' })).toEqual({
    effort: 'max',
    reasons: ['effort max: the risk is high'],
  });
  expect(effortFor({ ...asked, task: undefined, risk: false })).toEqual({
    effort: 'low',
    reasons: ['effort low: settings say so'],
  });
});
