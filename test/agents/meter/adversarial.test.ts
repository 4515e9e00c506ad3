/**
 * Sixteen jobs at once against a provider that reports too little, nothing or nonsense, cuts its streams and fails:
 * whatever it does, spent and set aside together never exceed the run's budget, not even for a moment, and where it is
 * honest nothing it counted is missing. One that charges more than its request allowed is recorded in full and ends
 * the run.
 */
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { SharedLedger } from '../../../src/agents/meter/shared-ledger.ts';
import { openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import { AllotmentPurse } from '../../../src/agents/meter/purse.ts';
import { type Amount, addAmounts, amountMeasures } from '../../../src/policy/amount.ts';
import { emptyLedger, foldLedger, reservedAmount, spentAmount } from '../../../src/policy/budget.ts';
import type { BudgetEntry } from '../../../src/policy/budget-schemas.ts';
import { openProvider, post, stream } from './provider.ts';

const jobs = 16;

type Conduct = (response: ServerResponse, most: number) => void;

/** What a provider may do, from honest to hostile; `most` is the output it was allowed. */
const conducts: Readonly<Record<string, Conduct>> = {
  honest: (response, most) => say(response, { input: 50, output: Math.floor(most / 2) }),
  frugal: (response) => say(response, { input: 10, output: 1 }),
  exact: (response, most) => say(response, { input: 50, output: most }),
  boundless: (response) => say(response, { input: 1e300, output: 1e300 }),
  negative: (response) => say(response, { input: -1e9, output: -1e9 }),
  silent: (response) => say(response, undefined),
  nonsense: (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"type":\n\ndata: ]\n\n'),
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(stream([{ type: 'message_start', message: { usage: { input_tokens: 9, output_tokens: 1 } } }]), () =>
      response.destroy(),
    );
  },
  vanished: (response) => response.destroy(),
  failing: (response) => response.writeHead(500).end('{}'),
  busy: (response) => response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"type":"rate_limit_error"}}'),
};

function say(response: ServerResponse, usage: { input: number; output: number } | undefined): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const start = usage === undefined ? {} : { usage: { input_tokens: usage.input, output_tokens: 0 } };
  const end = usage === undefined ? {} : { usage: { output_tokens: usage.output } };
  response.end(
    stream([{ type: 'message_start', message: start }, { type: 'message_delta', ...end }, { type: 'message_stop' }]),
  );
}

it.each<[string, Amount, readonly string[]]>([
  ['tokens', { tokens: 150_000 }, Object.keys(conducts)],
  ['dollars', { usd: 0.25 }, Object.keys(conducts)],
  ['turns', { turns: 40 }, Object.keys(conducts)],
  ['everything', { usd: 0.4, tokens: 150_000, turns: 60 }, Object.keys(conducts)],
  ['everything, honestly', { usd: 0.4, tokens: 150_000, turns: 200 }, ['honest', 'frugal', 'exact']],
])('never exceeds %s', async (_name, limits, allowed) => {
  const entries: BudgetEntry[] = [];
  const bounds = { run: limits, task: {}, roles: {} };
  const exceeded: unknown[] = [];
  const account: SharedLedger = new SharedLedger(emptyLedger(bounds), async (entry) => {
    entries.push(entry);
    const used = addAmounts(spentAmount(account.ledger()), reservedAmount(account.ledger()));
    for (const measure of amountMeasures)
      if ((used[measure] ?? 0) > (limits[measure] ?? Infinity)) exceeded.push([measure, used]);
  });
  let asked = 0;
  const truth = { input: 0, output: 0 };
  const provider = await openProvider((response, { body }) => {
    const most = (JSON.parse(body) as { max_tokens: number }).max_tokens;
    const name = allowed[(asked * 7) % allowed.length] ?? 'honest';
    asked += 1;
    if (name === 'honest' || name === 'exact' || name === 'frugal') {
      truth.input += name === 'frugal' ? 10 : 50;
      truth.output += name === 'frugal' ? 1 : name === 'exact' ? most : Math.floor(most / 2);
    }
    conducts[name]?.(response, most);
  });
  const proxy = await openMeteringProxy();
  try {
    const statuses = await Promise.all(Array.from({ length: jobs }, (_, index) => work(`job-${index}`)));
    expect(exceeded).toEqual([]);
    // Every job went on until it was refused, and the provider was really asked.
    expect(statuses.every((each) => each.at(-1) === 402)).toBe(true);
    expect(asked).toBeGreaterThan(jobs);
    const ledger = account.ledger();
    expect(reservedAmount(ledger)).toEqual({});
    const spent = spentAmount(ledger);
    for (const measure of amountMeasures) expect(spent[measure] ?? 0).toBeLessThanOrEqual(limits[measure] ?? Infinity);
    expect(spent.tokens).toBeGreaterThanOrEqual(truth.input + truth.output);
    if (allowed.length === 3) expect(spent.tokens).toBe(truth.input + truth.output);
    expect(foldLedger(bounds, entries)).toEqual(ledger);
  } finally {
    await proxy.close();
    await provider.close();
  }

  async function work(id: string): Promise<number[]> {
    const granted = await account.reserve({ id, role: 'developer', want: { tokens: 3000, usd: 0.005 }, min: {} });
    expect(granted.ok).toBe(true);
    const purse = new AllotmentPurse(account, id);
    const lease = proxy.lease({ wire: 'anthropic', upstream: provider.url, key: 'real-key-0123456789', purse });
    const seen: number[] = [];
    const body = {
      model: 'claude-haiku-4-5',
      max_tokens: 1500,
      stream: true,
      messages: [{ role: 'user', content: 'x'.repeat(500) }],
    };
    while (seen.at(-1) !== 402 && seen.length < 400) {
      // Two at once: a job may ask for a title beside its work.
      const both = await Promise.all([1, 2].map(() => post(lease.url, body).catch(() => ({ status: 0 }))));
      seen.push(...both.map(({ status }) => status).toSorted((a, b) => a - b));
      if (both.some(({ status }) => status === 402)) seen.push(402);
    }
    await lease.close();
    await purse.close({ minutes: 1 });
    return seen;
  }
});
