/**
 * Whatever agents send, in whatever order and at once, and however the provider answers: what is charged never exceeds
 * the budget, and nothing that was charged is missing in the ledger. Requests are usual ones, attacks, and usual ones
 * with pieces of attacks in them; the provider charges by its own rules and not by the meter's.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SharedLedger } from '../../../src/agents/meter/shared-ledger.ts';
import { type MeteringProxy, openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import { AllotmentPurse } from '../../../src/agents/meter/purse.ts';
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import { emptyLedger, foldLedger, reservedAmount, spentAmount } from '../../../src/policy/budget.ts';
import type { BudgetEntry } from '../../../src/policy/budget-schemas.ts';
import { type Attack, attacks } from './attacks.ts';
import { charge, type Manner } from './billing-provider.ts';
import { openProvider, type Provider, post, wires } from './provider.ts';

interface Sent extends Pick<Attack, 'wire' | 'body' | 'path' | 'method' | 'headers'> {
  readonly manner: Manner;
}

const wireNames: readonly WireProtocol[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'];
const manner = fc.constantFrom<Manner>('honest', 'honest', 'honest', 'silent', 'cut', 'garbled');

const attack: fc.Arbitrary<Sent> = fc
  .tuple(fc.constantFrom(...attacks), manner)
  .map(([{ wire, body, path, method, headers }, how]) => ({
    wire,
    body,
    manner: how,
    ...(path === undefined ? {} : { path }),
    ...(method === undefined ? {} : { method }),
    ...(headers === undefined ? {} : { headers }),
  }));

/** A usual request of any size, with the fields of some attacks of its wire mixed in. */
const mixed: fc.Arbitrary<Sent> = fc.constantFrom(...wireNames).chain((wire) => {
  const pieces = attacks.filter((each) => each.wire === wire).flatMap(({ body }) => objectIn(body));
  return fc
    .tuple(fc.subarray(pieces, { maxLength: 2 }), fc.integer({ min: 1, max: 20_000 }), fc.nat({ max: 3000 }), manner)
    .map(([some, limit, size, how]) => {
      const body = JSON.stringify(Object.assign({}, wires[wire].body, ...some))
        .replace(/(?<="max\w*okens":)1000/, String(limit))
        .replace('grüße', 'ü'.repeat(size));
      return { wire, body, manner: how };
    });
});

const batches = fc.array(fc.array(fc.oneof(attack, mixed), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 5,
});

let proxy: MeteringProxy;
let provider: Provider;
let charged = 0;
const manners = new Map<string, Manner>();

beforeAll(async () => {
  proxy = await openMeteringProxy();
  provider = await openProvider((response, asked) => {
    const wire = wireNames.find((name) => new URL(asked.url, 'http://x').pathname === pathOf(name)) ?? 'anthropic';
    charged += charge(wire, asked, response, manners.get(String(asked.headers['x-session-id']))).usd;
  });
});
afterAll(async () => {
  await proxy.close();
  await provider.close();
});

it('holds for any requests, in any order and at once', async () => {
  const budget = fc.constantFrom(0.02, 0.1, 0.5, 2);
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(budget, batches, async (usd, sent) => {
      charged = 0;
      provider.asked.length = 0;
      const { spent, reserved, entries, account } = await work(usd, sent);
      reached += provider.asked.length;
      expect(charged).toBeLessThanOrEqual(usd);
      expect(spent).toBeGreaterThanOrEqual(charged * (1 - 1e-9));
      expect(reserved).toEqual({});
      expect(foldLedger({ run: { usd }, task: {}, roles: {} }, entries)).toEqual(account.ledger());
    }),
    { numRuns: 40 },
  );
  // Not everything was refused.
  expect(reached).toBeGreaterThan(20);
});

async function work(usd: number, sent: readonly (readonly Sent[])[]) {
  const entries: BudgetEntry[] = [];
  const account = new SharedLedger(emptyLedger({ run: { usd }, task: {}, roles: {} }), async (entry) => {
    entries.push(entry);
  });
  const leases = new Map<WireProtocol, { lease: ReturnType<MeteringProxy['lease']>; purse: AllotmentPurse }>();
  for (const wire of wireNames) {
    await account.reserve({ id: wire, role: 'developer', want: { usd: usd / 8 }, min: {} });
    const purse = new AllotmentPurse(account, wire);
    leases.set(wire, {
      purse,
      lease: proxy.lease({ wire, upstream: provider.url, key: 'real-key-0123456789', purse }),
    });
  }
  let count = 0;
  for (const batch of sent) {
    await Promise.all(
      batch.map(async ({ wire, body, path, method, headers, manner: how }) => {
        count += 1;
        const id = `s${count}`;
        manners.set(id, how);
        const detail = { path: path ?? wires[wire].path, ...(method === undefined ? {} : { method }) };
        const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
        const url = leases.get(wire)?.lease.url ?? '';
        await post(url, bytes, { ...detail, headers: { 'x-session-id': id, ...headers } }).catch(() => undefined);
      }),
    );
  }
  for (const { lease, purse } of leases.values()) {
    await lease.close();
    await purse.close();
  }
  return {
    spent: spentAmount(account.ledger()).usd ?? 0,
    reserved: reservedAmount(account.ledger()),
    entries,
    account,
  };
}

function pathOf(wire: WireProtocol): string {
  return new URL(wires[wire].path, 'http://x').pathname;
}

function objectIn(body: string | Buffer): readonly object[] {
  // Nested too deep to be written again.
  if (body.includes('[[[')) return [];
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : [];
  } catch {
    return [];
  }
}
