import { expect, it } from 'vitest';
import type { Amount } from '../../src/policy/amount.ts';
import { defaultRunLimit } from '../../src/policy/budget-backstop.ts';
import { budgetSettingsSchema } from '../../src/policy/budget-schemas.ts';
import { amountText, limitsFrom, parseBudget, refusalText } from '../../src/policy/budget-settings.ts';

it.each<[string, Amount]>([
  ['5', { usd: 5 }],
  ['$5', { usd: 5 }],
  ['$ 0.50', { usd: 0.5 }],
  ['5usd', { usd: 5 }],
  ['5 USD', { usd: 5 }],
  ['2.5 dollars', { usd: 2.5 }],
  ['200k tokens', { tokens: 200_000 }],
  ['1.5M tokens', { tokens: 1_500_000 }],
  ['900 tokens', { tokens: 900 }],
  ['30 turns', { turns: 30 }],
  ['1 turn', { turns: 1 }],
  ['3 attempts', { attempts: 3 }],
  ['2h', { minutes: 120 }],
  ['1h30m', { minutes: 90 }],
  ['90m', { minutes: 90 }],
  ['45 minutes', { minutes: 45 }],
  ['$5, 200k tokens,30 turns , 2h', { usd: 5, tokens: 200_000, turns: 30, minutes: 120 }],
])('reads %s', (text, wanted) => {
  expect(parseBudget(text)).toEqual(wanted);
});

it.each([
  '',
  'lots',
  '-5',
  '0',
  '$0.00',
  '5, 0 turns',
  '0.4 tokens',
  '5,',
  '200k',
  '$5, 6usd',
  '1e9',
  '5 eur',
  '1.5 turns',
  '5;6',
])('refuses "%s"', (text) => {
  expect(() => parseBudget(text)).toThrow(expect.objectContaining({ code: 'bad-input' }));
});

it('has a limit for a run for which nothing is set', () => {
  expect(limitsFrom(budgetSettingsSchema.parse({}))).toEqual({ run: defaultRunLimit, task: {}, roles: {} });
  expect(amountText(defaultRunLimit)).toBe('$10, 20M tokens, 8 h');
});

it('takes settings, and what was asked for this run before them', () => {
  const settings = budgetSettingsSchema.parse({
    usd: 5,
    turns: 100,
    task: { usd: 1, attempts: 4 },
    roles: { developer: { tokens: 500_000 } },
  });
  expect(limitsFrom(settings)).toEqual({
    run: { usd: 5, turns: 100, unpriced: 10_000_000 },
    task: { usd: 1, attempts: 4, unpriced: 2_000_000 },
    roles: { developer: { tokens: 500_000 } },
  });
  expect(limitsFrom(settings, parseBudget('$2, 1h')).run).toEqual({
    usd: 2,
    turns: 100,
    minutes: 60,
    unpriced: 4_000_000,
  });
});

it.each([
  { usd: -1 },
  { unpriced: 5 },
  { tokens: 1.5 },
  { dollars: 5 },
  { roles: { Dev: {} } },
  { task: { usd: 'many' } },
])('refuses settings %j', (value) => {
  expect(budgetSettingsSchema.safeParse(value).success).toBe(false);
});

it('says amounts and refusals as people read them', () => {
  expect(amountText({ usd: 0.05, tokens: 12_345, turns: 3, minutes: 45, attempts: 2 })).toBe(
    '$0.05, 12k tokens, 3 turns, 45 min, 2 attempts',
  );
  expect(amountText({})).toBe('no limit');
  expect(refusalText({ measure: 'usd', level: 'task', name: 'T1', limit: 4, left: 0.25, needed: 1 })).toBe(
    'Task T1 has $0.25 left of its limit of $4; at least $1 would be needed.',
  );
});

it.each<[Partial<Parameters<typeof refusalText>[0]>, string]>([
  [
    { left: 0.000_02, needed: 0.3 },
    'The run has less than $0.0001 left of its limit of $5; at least $0.30 would be needed.',
  ],
  [{ left: 0, needed: 1e-9 }, 'The run has used up its limit of $5; at least $0.0001 would be needed.'],
  [{ left: 1.239, needed: 1.231 }, 'The run has $1.23 left of its limit of $5; at least $1.24 would be needed.'],
  [
    { measure: 'tokens', limit: 50_000, left: 12_345, needed: 12_346 },
    'The run has 12k tokens left of its limit of 50k tokens; at least 13k tokens would be needed.',
  ],
  [
    { left: 0, needed: 0, over: 0.4 },
    'The run is over its limit of $5, by $0.40: more was charged than had been set aside.',
  ],
])('says no more is left, and no less needed, than is: %j', (given, wanted) => {
  const refusal = { measure: 'usd', level: 'run', name: undefined, limit: 5, left: 0, needed: 0 } as const;
  expect(refusalText({ ...refusal, ...given })).toBe(wanted);
});
