/** Dollars that nobody can count are held by tokens, at every level, whatever is asked for. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Amount } from '../../src/policy/amount.ts';
import { amountUsed } from '../../src/policy/amount-used.ts';
import {
  type BudgetLimits,
  emptyLedger,
  reserveBudget,
  roomFor,
  settleReservation,
  spentAmount,
} from '../../src/policy/budget.ts';
import { defaultRunLimit, unpricedPerUsd, withBackstop } from '../../src/policy/budget-backstop.ts';
import { backstopText, limitsText, refusalText } from '../../src/policy/budget-settings.ts';

const limit = fc.record(
  { usd: fc.double({ min: 0, max: 1e6, noNaN: true }), tokens: fc.nat({ max: 1e9 }), minutes: fc.nat({ max: 1e4 }) },
  { requiredKeys: [] },
);
const anyLimits = fc.record({
  run: limit,
  task: limit,
  roles: fc.record({ developer: limit }, { requiredKeys: [] }),
}) as unknown as fc.Arbitrary<BudgetLimits>;

it('every level with dollars holds tokens without a price, and no other level does', () => {
  fc.assert(
    fc.property(anyLimits, (limits) => {
      const backed = withBackstop(limits);
      const pairs: readonly (readonly [Amount, Amount])[] = [
        [limits.run, backed.run],
        [limits.task, backed.task],
        [limits.roles['developer'] ?? {}, backed.roles['developer'] ?? {}],
      ];
      for (const [before, { unpriced, ...rest }] of pairs) {
        expect(rest).toEqual(before);
        const dollarsAlone = before.usd !== undefined && before.tokens === undefined;
        expect(unpriced !== undefined).toBe(dollarsAlone);
        if (before.usd !== undefined) expect(unpriced ?? 0).toBeLessThanOrEqual(before.usd * unpricedPerUsd);
      }
      expect(withBackstop(backed)).toEqual(backed);
    }),
  );
});

it('work without a price ends where dollars alone are limited, however often and however much it asks for', () => {
  const asks = fc.array(fc.record({ want: fc.nat({ max: 5e6 }), used: fc.double({ min: 0, max: 1, noNaN: true }) }));
  fc.assert(
    fc.property(fc.double({ min: 0, max: 20, noNaN: true }), asks, (usd, works) => {
      let ledger = emptyLedger(withBackstop({ run: { usd }, task: {}, roles: {} }));
      for (const [index, { want, used }] of works.entries()) {
        const amount = { tokens: want, unpriced: want };
        const result = reserveBudget(ledger, { id: `w${index}`, role: 'developer', want: amount, min: amount });
        if (!result.ok) continue;
        const tokens = Math.floor(want * used);
        ledger = settleReservation(result.ledger, `w${index}`, { tokens, unpriced: tokens });
      }
      expect(spentAmount(ledger).unpriced ?? 0).toBeLessThanOrEqual(usd * unpricedPerUsd);
      // What is priced is none of its business.
      expect(roomFor(ledger, { role: 'developer' })).toEqual({ usd: expect.any(Number), unpriced: expect.any(Number) });
      expect(reserveBudget(ledger, { id: 'priced', role: 'developer', want: {}, min: { tokens: 1e12 } }).ok).toBe(true);
    }),
  );
});

it('so many tokens stand for a dollar as in the limit of a run without any', () => {
  expect(withBackstop({ run: { usd: defaultRunLimit.usd }, task: {}, roles: {} }).run.unpriced).toBe(
    defaultRunLimit.tokens,
  );
});

it('tokens that an agent reports are unpriced unless it tells dollars, or the model is known to cost nothing', () => {
  const used = { inputTokens: 90, outputTokens: 10, costUsd: 0, turns: 2 };
  const counted = { usd: 0, tokens: 100, turns: 2 };
  expect(amountUsed(used, 'house', {})).toEqual({ ...counted, unpriced: 100 });
  expect(amountUsed(used, undefined, {})).toEqual({ ...counted, unpriced: 100 });
  expect(amountUsed(used, 'house', { house: { input: 0, output: 0 } })).toEqual(counted);
  expect(amountUsed(used, 'house', { house: { input: 1, output: 0 } })).toEqual({ ...counted, unpriced: 100 });
  expect(amountUsed({ ...used, costUsd: 0.5 }, 'house', {})).toEqual({ ...counted, usd: 0.5 });
});

it('is said where it matters, and nowhere else', () => {
  const limits = withBackstop({ run: { usd: 5 }, task: { usd: 1 }, roles: { reviewer: { tokens: 5 } } });
  expect(limitsText(limits, ['house', 'other'])).toBe(
    '$5; no price is known for house, other: held by 10M tokens, 2M tokens for each task instead of dollars',
  );
  expect(limitsText(limits, [])).toBe('$5');
  expect(backstopText(withBackstop({ run: { tokens: 5 }, task: {}, roles: {} }), ['house'])).toBe('');
  expect(
    refusalText({ measure: 'unpriced', level: 'run', name: undefined, limit: 20_000, left: 11_000, needed: 14_000 }),
  ).toBe(
    'The run has 11k tokens left of the 20k tokens that stand for its limit in dollars where no price is known; at least 14k tokens would be needed.',
  );
});
