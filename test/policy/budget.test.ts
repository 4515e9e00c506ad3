import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Amount, addAmounts, amountMeasures, coversAmount, type Measure } from '../../src/policy/amount.ts';
import {
  applyEntry,
  type BudgetLimits,
  emptyLedger,
  extendReservation,
  foldLedger,
  forfeitReservation,
  type Ledger,
  reserveBudget,
  reservedAmount,
  roomFor,
  settleReservation,
  shrinkReservation,
  spentAmount,
} from '../../src/policy/budget.ts';
import { type BudgetEntry, budgetEntrySchema } from '../../src/policy/budget-schemas.ts';

const limits: BudgetLimits = {
  run: { usd: 10, tokens: 1000 },
  task: { usd: 4 },
  roles: { reviewer: { usd: 1, turns: 5 } },
};

function granted(ledger: Ledger, request: Parameters<typeof reserveBudget>[1]): { ledger: Ledger; granted: Amount } {
  const result = reserveBudget(ledger, request);
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result;
}

it('gives as much as every level has left', () => {
  const first = granted(emptyLedger(limits), {
    id: 'a',
    role: 'developer',
    task: 'T1',
    want: { usd: 6, tokens: 600, minutes: 90 },
    min: { usd: 1 },
  });
  expect(first.granted).toEqual({ usd: 4, tokens: 600, minutes: 90 });
  const second = granted(first.ledger, { id: 'b', role: 'reviewer', want: { usd: 9, tokens: 600 }, min: {} });
  expect(second.granted).toEqual({ usd: 1, tokens: 400 });
  expect(roomFor(second.ledger, { role: 'developer', task: 'T2' })).toEqual({ usd: 4, tokens: 0 });
  expect(roomFor(second.ledger, { role: 'developer' })).toEqual({ usd: 5, tokens: 0 });
});

it('says which limit refuses, at which level, and what is left', () => {
  const { ledger } = granted(emptyLedger(limits), { id: 'a', role: 'dev', task: 'T1', want: { usd: 3.5 }, min: {} });
  expect(reserveBudget(ledger, { id: 'b', role: 'dev', task: 'T1', want: { usd: 1 }, min: { usd: 0.75 } })).toEqual({
    ok: false,
    refusal: { measure: 'usd', level: 'task', name: 'T1', limit: 4, left: 0.5, needed: 0.75 },
  });
  expect(reserveBudget(ledger, { id: 'b', role: 'reviewer', want: { turns: 9 }, min: { turns: 6 } })).toEqual({
    ok: false,
    refusal: { measure: 'turns', level: 'role', name: 'reviewer', limit: 5, left: 5, needed: 6 },
  });
});

it('returns the rest when settled, and nothing when forfeited', () => {
  const open = granted(emptyLedger(limits), { id: 'a', role: 'dev', want: { usd: 0.3 }, min: {} }).ledger;
  const settled = settleReservation(open, 'a', { usd: 0.1 });
  expect([spentAmount(settled), reservedAmount(settled)]).toEqual([{ usd: 0.1 }, {}]);
  expect(roomFor(settled, { role: 'dev' })).toEqual({ usd: 9.9, tokens: 1000 });
  expect(spentAmount(forfeitReservation(open, 'a'))).toEqual({ usd: 0.3 });
  expect(settleReservation(settled, 'a', { usd: 5 })).toBe(settled);
  expect(forfeitReservation(settled, 'a')).toBe(settled);
  expect(settleReservation(settled, 'never', { usd: 5 })).toBe(settled);
});

it('extends and shrinks what is open', () => {
  const open = granted(emptyLedger(limits), { id: 'a', role: 'dev', task: 'T1', want: { usd: 1 }, min: {} }).ledger;
  const more = extendReservation(open, 'a', { want: { usd: 9 }, min: { usd: 1 } });
  expect(more.ok && more.granted).toEqual({ usd: 3 });
  expect(more.ok && reservedAmount(shrinkReservation(more.ledger, 'a', { usd: 2, tokens: 5 }))).toEqual({ usd: 2 });
  expect(extendReservation(open, 'a', { want: {}, min: { usd: 3.5 } }).ok).toBe(false);
  expect(() => extendReservation(open, 'b', { want: {}, min: {} })).toThrow('no open reservation');
  expect(() => reserveBudget(open, { id: 'a', role: 'dev', want: {}, min: {} })).toThrow('reserved twice');
});

it('admits what was used beyond a reservation, and has nothing left then', () => {
  const open = granted(emptyLedger(limits), { id: 'a', role: 'dev', want: { usd: 1 }, min: {} }).ledger;
  const over = settleReservation(open, 'a', { usd: 25 });
  expect([spentAmount(over), roomFor(over, { role: 'dev' }).usd]).toEqual([{ usd: 25 }, 0]);
});

it('refuses amounts that are none', () => {
  const wish = (usd: number) => () =>
    reserveBudget(emptyLedger(limits), { id: 'a', role: 'dev', want: { usd }, min: {} });
  expect(wish(-1)).toThrow('not an amount');
  expect(wish(Number.NaN)).toThrow('not an amount');
  expect(wish(Infinity)).toThrow('not an amount');
});

const value = fc.oneof(
  fc.nat({ max: 50 }),
  fc.nat({ max: 2000 }).map((each) => each / 97),
);
const amount = fc.record(Object.fromEntries(amountMeasures.map((measure) => [measure, value])), {
  requiredKeys: [],
}) as fc.Arbitrary<Amount>;
const share = fc.double({ min: 0, max: 1, noNaN: true });
const step = fc.oneof(
  fc.record({
    do: fc.constant('reserve' as const),
    role: fc.constantFrom('developer', 'reviewer', 'constructor'),
    task: fc.constantFrom('T1', 'T2', undefined),
    want: amount,
    min: amount,
  }),
  fc.record({ do: fc.constant('extend' as const), at: fc.nat(), want: amount, min: amount }),
  fc.record({ do: fc.constant('shrink' as const), at: fc.nat(), share }),
  fc.record({ do: fc.constant('settle' as const), at: fc.nat(), share }),
  fc.record({ do: fc.constant('forfeit' as const), at: fc.nat() }),
);
const anyLimits = fc.record({
  run: amount,
  task: amount,
  roles: fc.record({ developer: amount, reviewer: amount }, { requiredKeys: [] }),
}) as unknown as fc.Arbitrary<BudgetLimits>;

function part(whole: Amount, of: number): Amount {
  return Object.fromEntries(Object.entries(whole).map(([measure, each]) => [measure, (each ?? 0) * of]));
}

it('never exceeds a limit, in any order of things', () => {
  fc.assert(
    fc.property(anyLimits, fc.array(step, { maxLength: 30 }), (bounds, steps) => {
      let ledger = emptyLedger(bounds);
      const entries: BudgetEntry[] = [];
      const keep = (entry: BudgetEntry) => entries.push(budgetEntrySchema.parse(entry));
      steps.forEach((each, index) => {
        const ids = [...ledger.open.keys()];
        if (each.do === 'reserve') {
          const id = `r${index}`;
          const result = reserveBudget(ledger, { id, ...each });
          if (!result.ok) return;
          expect(coversAmount(result.granted, each.min)).toBe(true);
          keep({ type: 'reserved', id, role: each.role, task: each.task, amount: result.granted });
          ledger = result.ledger;
          return;
        }
        const id = ids[each.at % Math.max(1, ids.length)];
        if (id === undefined) return;
        const held = ledger.open.get(id)?.amount ?? {};
        if (each.do === 'extend') {
          const result = extendReservation(ledger, id, each);
          if (!result.ok) return;
          ledger = result.ledger;
          keep({ type: 'resized', id, amount: ledger.open.get(id)?.amount ?? {} });
        } else if (each.do === 'shrink') {
          ledger = shrinkReservation(ledger, id, part(held, each.share));
          keep({ type: 'resized', id, amount: ledger.open.get(id)?.amount ?? {} });
        } else if (each.do === 'settle') {
          const actual = rounded(part(held, each.share));
          ledger = settleReservation(ledger, id, actual);
          keep({ type: 'settled', id, amount: actual });
          expect(settleReservation(ledger, id, actual)).toBe(ledger);
        } else {
          ledger = forfeitReservation(ledger, id);
          keep({ type: 'forfeited', id });
          expect(forfeitReservation(ledger, id)).toBe(ledger);
        }
        withinLimits(ledger);
      });
      withinLimits(ledger);
      expect(foldLedger(bounds, entries)).toEqual(ledger);
      expect(entries.reduce(applyEntry, ledger)).toEqual(expect.objectContaining({ limits: bounds }));
    }),
    { numRuns: 300 },
  );
});

function rounded(whole: Amount): Amount {
  return addAmounts(whole, {});
}

function withinLimits(ledger: Ledger): void {
  const held = [...ledger.open.values()];
  const scopes: [string, Amount, (each: (typeof held)[number]) => boolean][] = [
    ['run', ledger.limits.run, () => true],
    ['task:T1', ledger.limits.task, (each) => each.task === 'T1'],
    ['task:T2', ledger.limits.task, (each) => each.task === 'T2'],
    ['role:developer', ledger.limits.roles['developer'] ?? {}, (each) => each.role === 'developer'],
    ['role:reviewer', ledger.limits.roles['reviewer'] ?? {}, (each) => each.role === 'reviewer'],
  ];
  for (const [key, bound, belongs] of scopes) {
    const used = held.filter(belongs).reduce((sum, each) => addAmounts(sum, each.amount), ledger.spent.get(key) ?? {});
    const over = amountMeasures.filter(
      (measure: Measure) => (used[measure] ?? 0) > (bound[measure] ?? Infinity) + 1e-6,
    );
    expect([key, over]).toEqual([key, []]);
    expect(Object.values(used).every((each) => (each ?? 0) >= 0)).toBe(true);
  }
}
