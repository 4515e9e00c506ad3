/** A job's share of the budget: it grows, gives back, waits, and is never more than the ledger knows of. */
import { expect, it } from 'vitest';
import { SharedLedger } from '../../../src/agents/meter/shared-ledger.ts';
import { AllotmentPurse } from '../../../src/agents/meter/purse.ts';
import { emptyLedger, foldLedger, reservedAmount, spentAmount } from '../../../src/policy/budget.ts';
import type { BudgetEntry } from '../../../src/policy/budget-schemas.ts';

const never = new AbortController().signal;

async function run(tokens: number, jobs: Readonly<Record<string, number>>) {
  const limits = { run: { tokens }, task: {}, roles: {} };
  const entries: BudgetEntry[] = [];
  const account = new SharedLedger(emptyLedger(limits), async (entry) => {
    entries.push(entry);
  });
  const purses: Record<string, AllotmentPurse> = {};
  for (const [id, want] of Object.entries(jobs)) {
    await account.reserve({ id, role: 'developer', want: { tokens: want }, min: {} });
    purses[id] = new AllotmentPurse(account, id);
  }
  const purse = (id: string): AllotmentPurse => purses[id] ?? expect.fail(id);
  return { account, purse, entries, limits };
}

it('pays from its allotment, then grows, and settles with the rest returned', async () => {
  const { account, purse, entries, limits } = await run(1000, { a: 100 });
  const a = purse('a');
  const first = await a.reserve({ tokens: 80 }, never);
  expect(await first?.pay({ tokens: 30 })).toEqual({ tokens: 30 });
  const second = await a.reserve({ tokens: 500 }, never);
  expect([account.held('a'), a.room()]).toEqual([{ tokens: 530 }, { tokens: 470 }]);
  await second?.pay({ tokens: 200 });
  await second?.pay({ tokens: 999 });
  expect(await a.close({ minutes: 3 })).toEqual({ tokens: 230, minutes: 3 });
  expect([spentAmount(account.ledger()), reservedAmount(account.ledger())]).toEqual([{ tokens: 230, minutes: 3 }, {}]);
  expect(foldLedger(limits, entries)).toEqual(account.ledger());
  expect(await a.reserve({ tokens: 1 }, never)).toBeUndefined();
});

it('gives what it grew by to a job that needs it, and keeps its allotment', async () => {
  const { account, purse } = await run(1000, { a: 100, b: 100 });
  const large = await purse('a').reserve({ tokens: 800 }, never);
  await large?.pay({ tokens: 50 });
  expect(account.held('a')).toEqual({ tokens: 800 });
  expect(await purse('b').reserve({ tokens: 900 }, never)).toBeDefined();
  expect([account.held('a'), account.held('b')]).toEqual([{ tokens: 100 }, { tokens: 900 }]);
});

it('gives what it grew by to a job that begins', async () => {
  const { account, purse, entries } = await run(1000, { a: 100 });
  const large = await purse('a').reserve({ tokens: 800, turns: 1 }, never);
  await large?.pay({ tokens: 50, turns: 1 });
  expect(await account.reserve({ id: 'b', role: 'tester', want: { tokens: 500 }, min: { tokens: 500 } })).toEqual({
    ok: true,
    granted: { tokens: 500 },
  });
  expect(entries.slice(1)).toEqual([
    { type: 'resized', id: 'a', amount: { tokens: 800, turns: 1 } },
    { type: 'resized', id: 'a', amount: { tokens: 100, turns: 1 } },
    { type: 'reserved', id: 'b', role: 'tester', amount: { tokens: 500 } },
  ]);
});

it('does not record what has no limit', async () => {
  const { purse, entries } = await run(1000, { a: 100 });
  for (const _ of [1, 2, 3]) await (await purse('a').reserve({ turns: 1, usd: 1 }, never))?.pay({ turns: 1, usd: 0.5 });
  expect(purse('a').spent()).toEqual({ turns: 3, usd: 1.5 });
  expect(entries.length).toBe(1);
});

it('waits while another request may return something, and gives up when none is under way', async () => {
  const { purse } = await run(1000, { a: 0, b: 0, c: 0 });
  const held = await purse('a').reserve({ tokens: 700 }, never);
  const waiting = purse('b').reserve({ tokens: 600 }, never);
  const leaving = new AbortController();
  const gone = purse('c').reserve({ tokens: 600 }, leaving.signal);
  leaving.abort();
  expect(await gone).toBeUndefined();
  await held?.pay({ tokens: 100 });
  const got = await waiting;
  expect(got?.amount).toEqual({ tokens: 600 });
  await got?.pay({ tokens: 600 });
  expect(await purse('c').reserve({ tokens: 301 }, never)).toBeUndefined();
  expect(purse('c').refusal()).toEqual({
    measure: 'tokens',
    level: 'run',
    name: undefined,
    limit: 1000,
    left: 300,
    needed: 301,
  });
});

it('lets two requests of one job not count on the same money', async () => {
  const { purse } = await run(1000, { a: 1000 });
  const both = [purse('a').reserve({ tokens: 600 }, never), purse('a').reserve({ tokens: 600 }, never)];
  const first = await Promise.race(both);
  expect(first).toBeDefined();
  await first?.pay({ tokens: 500 });
  expect(await both[1]).toBeUndefined();
});

it('charges in full what was more than was set aside, first from what others hold without need', async () => {
  const { account, purse, entries, limits } = await run(1000, { a: 100, b: 300 });
  const inUse = await purse('b').reserve({ tokens: 50 }, never);
  const deposit = await purse('a').reserve({ tokens: 100 }, never);
  expect(await deposit?.pay({ tokens: 900 })).toEqual({ tokens: 900 });
  expect([account.held('a'), account.held('b')]).toEqual([{ tokens: 900 }, { tokens: 50 }]);
  expect([purse('a').overdraft(), purse('b').overdraft()]).toEqual([undefined, undefined]);
  await inUse?.pay({ tokens: 50 });
  const last = await purse('b').reserve({ tokens: 50 }, never);
  await last?.pay({ tokens: 50 });
  expect(purse('b').spent()).toEqual({ tokens: 100 });
  expect(await purse('b').reserve({ tokens: 1 }, never)).toBeUndefined();
  expect(foldLedger(limits, entries)).toEqual(account.ledger());
});

it('shows what was charged beyond the limit, and pays for nothing more', async () => {
  const { account, purse, entries, limits } = await run(1000, { a: 100, b: 300 });
  const deposit = await purse('a').reserve({ tokens: 100 }, never);
  expect(await deposit?.pay({ tokens: 5000 })).toEqual({ tokens: 5000 });
  const overdraft = { measure: 'tokens', level: 'run', name: undefined, limit: 1000, left: 0, needed: 0, over: 4000 };
  expect([purse('a').overdraft(), purse('b').overdraft()]).toEqual([overdraft, overdraft]);
  for (const id of ['a', 'b']) expect(await purse(id).reserve({ tokens: 1 }, never)).toBeUndefined();
  expect(purse('b').refusal()).toEqual(overdraft);
  await purse('a').close();
  expect(spentAmount(account.ledger())).toEqual({ tokens: 5000 });
  expect(await account.reserve({ id: 'c', role: 'tester', want: {}, min: { tokens: 1 } })).toMatchObject({
    ok: false,
    refusal: { left: 0, over: 4000 },
  });
  expect(foldLedger(limits, entries)).toEqual(account.ledger());
});

it('forfeits all of a job that nobody can tell about', async () => {
  const { account, purse } = await run(1000, { a: 100 });
  await purse('a').reserve({ tokens: 250 }, never);
  await account.forfeit('a');
  await account.forfeit('a');
  await account.settle('a', { tokens: 1 });
  expect(spentAmount(account.ledger())).toEqual({ tokens: 250 });
});
