/**
 * The attacks, one by one, against a provider that charges by real rules: none brings a run over its budget, the ledger
 * holds at least what was charged, and what is not sent says so in a sentence that names the place.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import { spentAmount } from '../../../src/policy/budget.ts';
import { type Attack, attacks } from './attacks.ts';
import { charge } from './billing-provider.ts';
import { fund, openProvider, post, type Reply, wires } from './provider.ts';

const budget = 0.4;

async function attempt({ wire, body, path, method, headers }: Attack) {
  let charged = 0;
  const provider = await openProvider((response, asked) => {
    charged += charge(wire, asked, response).usd;
  });
  const proxy = await openMeteringProxy();
  onTestFinished(async () => {
    await proxy.close();
    await provider.close();
  });
  const { purse, account } = await fund({ usd: budget });
  const lease = proxy.lease({ wire, upstream: provider.url, key: 'real-key-0123456789', purse });
  const detail = { path: path ?? wires[wire].path, ...(method && { method }), ...(headers && { headers }) };
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const send = (): Promise<Reply> => post(lease.url, bytes, detail);
  const replies = [await send(), ...(await Promise.all([send(), send(), send()]))];
  await lease.close();
  await purse.close();
  return { replies, charged, asked: provider.asked, spent: spentAmount(account.ledger()).usd ?? 0 };
}

function sentenceIn({ body }: Reply): string {
  const { error } = JSON.parse(body.toString()) as { error: { message: string } };
  return error.message;
}

const groups = [...new Set(attacks.map(({ group }) => group))];

describe.each(groups)('%s', (group) => {
  const ofGroup = attacks.filter((attack) => attack.group === group);
  it.each(ofGroup.map((attack) => [`${attack.name} (${attack.wire})`, attack] as const))(
    '%s',
    async (_name, attack) => {
      const { replies, charged, asked, spent } = await attempt(attack);
      expect(charged).toBeLessThanOrEqual(budget);
      expect(spent).toBeGreaterThanOrEqual(charged * (1 - 1e-9));
      if (attack.outcome === 'refused') {
        expect(replies.map(({ status }) => status).every((status) => status >= 400 && status < 500)).toBe(true);
        expect(asked).toEqual([]);
        expect(sentenceIn(replies[0] ?? expect.fail())).toContain(attack.naming ?? '?');
      } else if (asked.length === 0) expect(sentenceIn(replies[0] ?? expect.fail())).toContain('budget');
    },
  );
});

it('are many, of every kind', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(100);
});
