/** The budget of a run over its processes: what is shared, waited for, given back and lost. */
import { expect, it } from 'vitest';
import type { ConfiguredAgent } from '../../src/agents/open-agent.ts';
import { openMetering } from '../../src/effects/metering.ts';
import { RunBudget } from '../../src/effects/run-budget.ts';
import type { BudgetShare } from '../../src/effects/shared-limits.ts';
import type { Fact } from '../../src/engine/facts.ts';
import { takeSnapshot } from '../../src/engine/run-snapshot.ts';
import { advanceRun, emptyState, type RunState } from '../../src/engine/run-state.ts';
import { type Amount, addAmounts, amountMeasures } from '../../src/policy/amount.ts';
import {
  emptyLedger,
  foldLedger,
  lostAmount,
  openLedger,
  reservedAmount,
  spentAmount,
} from '../../src/policy/budget.ts';
import type { BudgetEntry } from '../../src/policy/budget-schemas.ts';
import { limitsFrom } from '../../src/policy/budget-settings.ts';
import { settingsSchema } from '../../src/policy/settings.ts';
import { openProvider, post, stream } from '../agents/meter/provider.ts';

/** A run whose facts are kept, as a journal would. */
function makeRun(limit: Amount) {
  const settings = settingsSchema.parse({ budget: limit });
  const state: RunState = emptyState();
  const notes: string[] = [];
  const entries: BudgetEntry[] = [];
  const limits = limitsFrom(settings.budget);
  const exceeded: unknown[] = [];
  const leave = new AbortController();
  const context = {
    get snapshot() {
      return takeSnapshot(state, 'agent.run', {});
    },
    signal: leave.signal,
    progress(data: { note?: string | undefined; budget?: BudgetEntry | undefined }): void {
      if (data.note !== undefined) notes.push(data.note);
      if (data.budget === undefined) return;
      entries.push(data.budget);
      advanceRun(state, { type: 'effect.progressed', key: 'x', seq: 1, at: '', data: { attempt: 1, ...data } } as Fact);
      const ledger = foldLedger(limits, entries);
      const used = addAmounts(spentAmount(ledger), reservedAmount(ledger));
      for (const measure of amountMeasures)
        if ((used[measure] ?? 0) > (limits.run[measure] ?? Infinity)) exceeded.push([measure, used]);
    },
  };
  /** A process that works on it. */
  const open = () => new RunBudget(settings);
  const found = (): Amount => spentAmount(openLedger(limits, state.budget));
  return { settings, context, notes, entries, exceeded, limits, open, found, leave };
}

const request = (id: string, tokens: number, metered = false) => ({
  id,
  role: 'developer',
  task: undefined,
  metered,
  want: { tokens },
  min: { tokens },
});

it('lets work wait for what other work holds, and refuses when nobody holds anything', async () => {
  const run = makeRun({ tokens: 1000 });
  const budget = run.open();
  const first = await budget.share(request('a', 800), run.context);
  let second: BudgetShare | undefined;
  const waiting = budget.share(request('b', 500), run.context).then((share) => (second = share));
  await expect.poll(() => run.notes).toEqual(['waiting for a part of the budget that other work holds']);
  expect(second).toBeUndefined();
  await first.closeWith({ tokens: 400, turns: 1 }, 0);
  await (await waiting).release();
  await expect(budget.share(request('c', 601), run.context)).rejects.toMatchObject({
    code: 'limit-reached',
    message: 'The run has 600 tokens left of its limit of 1000 tokens; at least 601 tokens would be needed.',
  });
});

it('stops waiting when the run is left', async () => {
  const run = makeRun({ tokens: 1000 });
  const budget = run.open();
  await budget.share(request('a', 800), run.context);
  const waiting = budget.share(request('b', 500), run.context);
  run.leave.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
});

it('counts the whole allotment of work that nobody metered and whose process died', async () => {
  const run = makeRun({ tokens: 1000 });
  await run.open().share(request('a', 800), run.context);
  expect(run.found()).toEqual({ tokens: 800 });
  expect(lostAmount(run.entries)).toEqual({ tokens: 800 });
  await expect(run.open().share(request('b', 201), run.context)).rejects.toMatchObject({ code: 'limit-reached' });
});

it('counts what the meter had counted, and what was under way, of work whose process died', async () => {
  const run = makeRun({ tokens: 100_000 });
  const { purse } = await run.open().share(request('a', 50_000, true), run.context);
  expect(run.found()).toEqual({});
  const signal = new AbortController().signal;
  await (await purse.reserve({ tokens: 9000, turns: 1 }, signal))?.pay({ tokens: 700, turns: 1 });
  expect(run.found()).toEqual({ tokens: 700, turns: 1 });
  await purse.reserve({ tokens: 9000, turns: 1 }, signal);
  expect(run.found()).toEqual({ tokens: 9700, turns: 2 });
  // The next process has the rest, and it counts once however often it is opened.
  const next = await run.open().share(request('b', 90_300, true), run.context);
  await next.closeMetered(0);
  expect(run.found()).toEqual({ tokens: 9700, turns: 2, attempts: 1 });
  expect(lostAmount(run.entries)).toEqual({ tokens: 9700, turns: 2 });
});

const sixteen: readonly [string, Amount, string][] = [
  ['a priced model', { tokens: 200_000, usd: 0.4 }, 'claude-haiku-4-5'],
  ['a model without a price, where only dollars are limited', { usd: 0.1 }, 'house-model'],
];

it.each(sixteen)(
  'is never exceeded by sixteen jobs at once, each through the meter: %s',
  async (_what, limit, model) => {
    const run = makeRun(limit);
    const provider = await openProvider((response, { body }) => {
      const most = (JSON.parse(body) as { max_tokens: number }).max_tokens;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        stream([
          { type: 'message_start', message: { usage: { input_tokens: 200, output_tokens: 0 } } },
          { type: 'message_delta', usage: { output_tokens: most } },
          { type: 'message_stop' },
        ]),
      );
    });
    const metering = openMetering();
    const agent = {
      account: 'one',
      metered: { wire: 'anthropic', upstream: provider.url, key: 'real-key-0123456789' },
    } as unknown as ConfiguredAgent;
    const budget = run.open();
    const job = async (id: string): Promise<number> => {
      const share = await budget.share({ ...request(id, 20_000, true), min: { tokens: 1000 } }, run.context);
      const meter = await metering.lease(agent, share.purse, {});
      let answers = 0;
      const body = {
        model,
        max_tokens: 2000,
        stream: true,
        messages: [{ role: 'user', content: 'x' }],
      };
      while ((await post(meter?.url ?? '', body)).status === 200 && answers < 200) answers += 1;
      await meter?.close();
      await share.closeMetered(0);
      return answers;
    };
    try {
      const ended = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => job(`job-${index}`)));
      const answers = ended
        .map((end) => (end.status === 'fulfilled' ? end.value : 0))
        .reduce((sum, one) => sum + one, 0);
      expect(run.exceeded).toEqual([]);
      // Either they worked until the budget ended it, or it did not let them begin.
      for (const end of ended)
        if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'limit-reached' });
      const spent = spentAmount(foldLedger(run.limits, run.entries));
      expect(spent.tokens).toBe(answers * 2200);
      expect(spent.unpriced).toBe(model === 'house-model' ? answers * 2200 : undefined);
      expect(answers).toBeGreaterThan(20);
      expect(reservedAmount(foldLedger(run.limits, run.entries))).toEqual({});
      expect(foldLedger(run.limits, run.entries).open).toEqual(emptyLedger(run.limits).open);
    } finally {
      await provider.close();
    }
  },
);
