/** The meter between real sockets: what passes, what is counted, what is refused, and what it never keeps. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { LeaseTerms, MeterLease } from '../../../src/agents/meter/lease.ts';
import { type MeteringProxy, openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import type { Amount } from '../../../src/policy/amount.ts';
import { reservedAmount, spentAmount } from '../../../src/policy/budget.ts';
import { type Asked, fund, later, openProvider, type Provider, post, stream, wires } from './provider.ts';

const key = 'sk-ant-real-0123456789abcdefghij';
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

interface Stage extends Awaited<ReturnType<typeof fund>> {
  readonly proxy: MeteringProxy;
  readonly provider: Provider;
  readonly lease: MeterLease;
}

async function stage(
  answer: (response: ServerResponse, asked: Asked) => unknown,
  detail: { limits?: Amount } & Partial<LeaseTerms> = {},
): Promise<Stage> {
  const { limits = { usd: 100, tokens: 10_000_000 }, ...terms } = detail;
  const provider = await openProvider(answer);
  const proxy = await openMeteringProxy();
  open.push(provider, proxy);
  const funded = await fund(limits);
  const lease = proxy.lease({ wire: 'anthropic', upstream: provider.url, key, purse: funded.purse, ...terms });
  return { ...funded, proxy, provider, lease };
}

function sse(text: string, pieces = 1): (response: ServerResponse) => Promise<void> {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'r1' });
    const bytes = Buffer.from(text);
    const size = Math.ceil(bytes.length / pieces);
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      await new Promise(setImmediate);
    }
    response.end();
  };
}

function json(value: unknown, status = 200, headers: Record<string, string> = {}): (response: ServerResponse) => void {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

const { body: asking, path, stream: answering } = wires.anthropic;
const counted = { inputTokens: 300, outputTokens: 20, turns: 1 };

describe.each(Object.entries(wires) as [WireProtocol, (typeof wires)[WireProtocol]][])('%s', (wire, each) => {
  it('passes a stream through, cut anywhere, and counts it', async () => {
    for (const pieces of [1, 7, 1000]) {
      const { lease, provider, purse, account } = await stage(sse(each.stream, pieces), { wire });
      const reply = await post(lease.url, each.body, { path: each.path });
      expect([reply.status, reply.cut, reply.body.toString()]).toEqual([200, false, each.stream]);
      expect(reply.headers['x-request-id']).toBe('r1');
      await lease.close();
      expect(lease.usage()).toEqual({ ...counted, costUsd: expect.closeTo(costs[wire], 9) });
      expect(lease.trouble()).toBeUndefined();
      const [asked] = provider.asked;
      expect([asked?.method, asked?.url, asked?.headers['accept-encoding']]).toEqual(['POST', each.path, 'identity']);
      const sent = wire === 'openai-chat' ? { ...each.body, stream_options: { include_usage: true } } : each.body;
      expect(JSON.parse(asked?.body ?? '')).toEqual(sent);
      await purse.close();
      expect(reservedAmount(account.ledger())).toEqual({});
      expect(spentAmount(account.ledger())).toEqual({ tokens: 320, turns: 1, usd: expect.closeTo(costs[wire], 9) });
    }
  });

  it('counts an answer that is no stream, and one that is compressed unasked', async () => {
    const { lease } = await stage(
      (response, { headers }) =>
        headers['x-app'] === undefined
          ? json(each.json)(response)
          : response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(each.json))),
      { wire },
    );
    const { stream: _stream, ...whole } = each.body;
    const plain = await post(lease.url, whole, { path: each.path });
    const zipped = await post(lease.url, whole, { path: each.path, headers: { 'x-app': 'zip' } });
    expect(JSON.parse(plain.body.toString())).toEqual(each.json);
    expect(zipped.body).toEqual(gzipSync(JSON.stringify(each.json)));
    await lease.close();
    expect(lease.usage()).toMatchObject({ inputTokens: 600, outputTokens: 40, turns: 2 });
  });

  it('refuses in its shape what does not fit, sends nothing, and says why', async () => {
    const { lease, provider } = await stage(sse(each.stream), { wire, limits: { tokens: 1500 } });
    const reply = await post(lease.url, each.body, { path: each.path });
    expect([reply.status, reply.headers['x-should-retry']]).toEqual([expect.toBeOneOf([400, 402]), 'false']);
    expect(JSON.parse(reply.body.toString())).toEqual(refusals[wire]);
    expect(provider.asked).toEqual([]);
    expect(lease.usage()).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 });
    expect(lease.trouble()).toEqual({
      code: 'limit_reached',
      message: expect.stringContaining('1500 tokens left') as string,
    });
  });

  it('lowers the limit on the output to what fits', async () => {
    const { lease, provider } = await stage(sse(each.stream), { wire, limits: { tokens: 12_000 } });
    const large = JSON.parse(JSON.stringify(each.body).replace(':1000', ':50000')) as object;
    const reply = await post(lease.url, large, { path: each.path });
    expect(reply.status).toBe(200);
    const limit = Number(/"max\w*okens":(\d+)/.exec(provider.asked[0]?.body ?? '')?.[1]);
    expect(limit).toBeGreaterThan(7000);
    expect(limit).toBeLessThan(8000);
  });

  it('puts the real key where the other one was', async () => {
    const { lease, provider } = await stage(sse(each.stream), { wire });
    const given = lease.key ?? '';
    const ways: [Record<string, string>, string][] = [
      [{ 'x-api-key': given }, ''],
      [{ authorization: `Bearer ${given}` }, ''],
      [{ 'x-goog-api-key': given }, ''],
      [{}, `key=${given}`],
      [{}, ''],
    ];
    for (const [headers, query] of ways) {
      const target = query === '' ? each.path : `${each.path}${each.path.includes('?') ? '&' : '?'}${query}`;
      expect((await post(lease.url, each.body, { path: target, headers })).status).toBe(200);
    }
    const found = provider.asked.map(({ headers }) =>
      ['x-api-key', 'authorization', 'x-goog-api-key'].filter((name) => headers[name] !== undefined),
    );
    const own = wire === 'gemini' ? 'x-goog-api-key' : wire === 'anthropic' ? 'x-api-key' : 'authorization';
    expect(found.slice(0, 3)).toEqual([['x-api-key'], ['authorization'], ['x-goog-api-key']]);
    expect(found[4]).toEqual([own]);
    const all = JSON.stringify(provider.asked);
    expect(all).not.toContain(given);
    expect(all.split(key).length - 1).toBe(5);
  });
});

/** 100 fresh, 200 from the cache, 20 out, at each model's published rates. */
const costs: Record<WireProtocol, number> = {
  anthropic: (100 * 1 + 200 * 0.1 + 20 * 5) / 1e6,
  'openai-responses': (100 * 0.25 + 200 * 0.025 + 20 * 2) / 1e6,
  'openai-chat': (100 * 0.25 + 200 * 0.025 + 20 * 2) / 1e6,
  gemini: (100 * 0.3 + 200 * 0.03 + 20 * 2.5) / 1e6,
};

const message = expect.stringContaining('The budget does not allow this request') as string;
const quota = { error: { message, type: 'insufficient_quota', code: 'insufficient_quota', param: null } };
const refusals: Record<WireProtocol, unknown> = {
  anthropic: { type: 'error', error: { type: 'billing_error', message } },
  'openai-responses': quota,
  'openai-chat': quota,
  gemini: { error: { code: 400, message, status: 'FAILED_PRECONDITION' } },
};

it('says of what would be needed no more than is enough', async () => {
  const patient = { ...asking, max_tokens: 64_000 };
  const poor = await stage(sse(answering), { limits: { tokens: 3000 } });
  expect((await post(poor.lease.url, patient, { path })).status).toBe(402);
  const { needed = 0 } = poor.purse.refusal() ?? {};
  expect(needed).toBeLessThan(10_000);
  const enough = await stage(sse(answering), { limits: { tokens: needed } });
  expect((await post(enough.lease.url, patient, { path })).status).toBe(200);
});

it('leaves the login of an agent as it is', async () => {
  const { lease, provider } = await stage(sse(answering), { key: undefined });
  expect(lease.key).toBeUndefined();
  await post(lease.url, asking, { path, headers: { authorization: 'Bearer own-login', 'anthropic-beta': 'oauth' } });
  expect(provider.asked[0]?.headers).toMatchObject({ authorization: 'Bearer own-login', 'anthropic-beta': 'oauth' });
});

it('knows nobody without the right address, and only paths it can answer for', async () => {
  const { lease, proxy, provider } = await stage(json({ data: [] }));
  const origin = `http://127.0.0.1:${proxy.port}`;
  const wrong = [`${origin}/${'0'.repeat(64)}`, origin, lease.url.slice(0, -1)];
  for (const base of wrong) expect((await post(base, asking)).status).toBe(404);
  const closed = ['/v1/messages/batches', '/v1/files', '/v1/images/generations', '/v1/x/../messages', '/v1//messages'];
  for (const target of closed)
    expect([target, (await post(lease.url, {}, { path: target })).status]).toEqual([target, 404]);
  expect((await post(lease.url, '', { path: '/v1/files', method: 'GET' })).status).toBe(404);
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
  expect((await post(lease.url, '', { path: '/v1/responses', method: 'GET', headers: upgrade })).status).toBe(426);
  expect(provider.asked).toEqual([]);
  expect((await post(lease.url, '', { path: '/v1/models', method: 'GET' })).status).toBe(200);
  expect((await post(lease.url, asking, { path: '/v1/messages/count_tokens' })).status).toBe(200);
  expect(provider.asked.map(({ url }) => url)).toEqual(['/v1/models', '/v1/messages/count_tokens']);
  expect((await post(lease.url, Buffer.from('{"model'), { path })).status).toBe(400);
  await lease.close();
  expect(lease.usage().turns).toBe(0);
  expect((await post(lease.url, asking, { path })).status).toBe(404);
});

it('reads requests that are compressed', async () => {
  const { lease, provider } = await stage(sse(answering));
  const zipped = gzipSync(JSON.stringify(asking));
  expect((await post(lease.url, zipped, { path, headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
  expect([JSON.parse(provider.asked[0]?.body ?? ''), provider.asked[0]?.headers['content-encoding']]).toEqual([
    asking,
    undefined,
  ]);
  expect((await post(lease.url, zipped, { path, headers: { 'content-encoding': 'zstd' } })).status).toBe(413);
});

it('counts an answer that was cut at the most it can have cost, less what is known', async () => {
  const [start = ''] = answering.split('\n\n');
  const { lease, purse } = await stage((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`${start}\n\n`, () => response.destroy());
  });
  const reply = await post(lease.url, asking, { path });
  expect(reply.cut).toBe(true);
  await lease.close();
  expect(lease.usage()).toMatchObject({ inputTokens: 300, outputTokens: 1000, turns: 1 });
  expect(lease.trouble()?.code).toBe('stream_cut');
  expect(purse.spent().tokens).toBe(1300);
});

it('takes no count for the last one that may be followed by another', async () => {
  const begun = [
    { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
    { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 10 } },
  ];
  const { lease } = await stage((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(stream(begun), () => response.destroy());
  });
  expect((await post(lease.url, asking, { path })).cut).toBe(true);
  await lease.close();
  expect(lease.usage()).toMatchObject({ inputTokens: 5, outputTokens: 1000 });
});

it('counts an answer without usage in full', async () => {
  const { lease, purse } = await stage(json({ type: 'message', content: [] }));
  await post(lease.url, asking, { path });
  await lease.close();
  const most = Buffer.byteLength(JSON.stringify(asking)) + 4000 + 1000;
  expect(purse.spent().tokens).toBe(most);
});

it('cuts an answer that goes beyond what was set aside', async () => {
  const { lease, provider } = await stage((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(stream([{ type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } }]));
    response.write(stream([{ type: 'message_delta', usage: { output_tokens: 1001 } }]));
  });
  expect((await post(lease.url, asking, { path })).cut).toBe(true);
  await provider.left;
  await lease.close();
  expect(lease.usage()).toMatchObject({ inputTokens: 5, outputTokens: 1001 });
});

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(256 * 1024, ': endless\n');
}

it('cuts an answer without end', async () => {
  const { lease } = await stage((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    pipeline(Readable.from(endless()), response, () => {});
  });
  const reply = await post(lease.url, { ...asking, max_tokens: 100 }, { path });
  expect(reply.cut).toBe(true);
  expect(reply.body.length).toBeLessThan(2 * 1024 * 1024);
});

it('ends the provider when the agent goes, and the agent when the job is over', async () => {
  for (const ending of ['agent', 'job'] as const) {
    const begun = later<void>();
    const { lease, provider, purse } = await stage((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': waiting\n\n');
      begun.resolve();
    });
    const agent = new AbortController();
    const reply = post(lease.url, asking, { path, signal: agent.signal }).catch(() => 'aborted');
    await begun.promise;
    if (ending === 'agent') agent.abort();
    else await lease.close();
    await Promise.all([reply, provider.left]);
    await lease.close();
    expect(purse.spent().turns).toBe(1);
    expect(lease.trouble()).toBeUndefined();
  }
});

it('charges nothing for errors and for providers that are not there, and tells what they were', async () => {
  let count = 0;
  const { lease, purse } = await stage((response) => {
    count += 1;
    if (count > 1) return sse(answering)(response);
    const error = { type: 'error', error: { type: 'rate_limit_error', message: `slow down ${key} please` } };
    return json(error, 429, { 'retry-after': '7' })(response);
  });
  const reply = await post(lease.url, asking, { path });
  expect([reply.status, reply.headers['retry-after']]).toEqual([429, '7']);
  expect(lease.trouble()).toEqual({ code: 'rate_limit', message: 'slow down [redacted] please', retryAfterMs: 7000 });
  expect(purse.spent()).toEqual({});
  expect((await post(lease.url, asking, { path })).status).toBe(200);
  await lease.close();
  expect(lease.trouble()).toBeUndefined();

  const gone = await stage(() => {}, { upstream: 'http://127.0.0.1:9' });
  expect((await post(gone.lease.url, asking, { path })).status).toBe(502);
  expect([gone.lease.trouble()?.code, gone.purse.spent()]).toEqual(['network', {}]);
});

it('notes an error in the middle of a stream', async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const { lease } = await stage(sse(stream([{ type: 'message_start', message: {} }, error])));
  await post(lease.url, asking, { path });
  await lease.close();
  expect(lease.trouble()).toEqual({ code: 'overloaded', message: 'Overloaded' });
});

it('marks models whose price is not known, and holds them to their tokens', async () => {
  const { lease, purse } = await stage(sse(answering), { limits: { usd: 0.000001, tokens: 6000 } });
  const unknown = { ...asking, model: 'house-model' };
  expect((await post(lease.url, unknown, { path })).status).toBe(200);
  expect([lease.unpriced(), lease.usage().costUsd, purse.spent()]).toEqual([
    ['house-model'],
    0,
    { tokens: 320, turns: 1, unpriced: 320 },
  ]);
  expect((await post(lease.url, { ...unknown, max_tokens: 3500 }, { path })).status).toBe(402);
  const priced = await stage(sse(answering), { prices: { 'house-*': { input: 1, output: 2 } } });
  await post(priced.lease.url, unknown, { path });
  await priced.lease.close();
  expect([priced.lease.unpriced(), priced.lease.usage().costUsd]).toEqual([[], expect.closeTo((300 + 40) / 1e6, 9)]);
});

it('knows how much of an account is used', async () => {
  const headers = {
    'anthropic-ratelimit-unified-5h-utilization': '0.42',
    'anthropic-ratelimit-unified-5h-reset': '1800000000',
    'anthropic-ratelimit-unified-7d-utilization': '0.91',
    'x-ratelimit-limit-requests': '100',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': '6s',
  };
  const { lease } = await stage(json(wires.anthropic.json, 200, headers));
  expect(lease.utilization()).toBeUndefined();
  await post(lease.url, asking, { path });
  expect(lease.utilization()).toBe(0.91);
  expect(lease.windows()).toEqual([
    { window: '5h', used: 42, resetsAt: 1_800_000_000_000 },
    { window: '7d', used: 91 },
  ]);
});

it('waits for money that is set aside and comes back, instead of refusing', async () => {
  const first = later<ServerResponse>();
  const { lease, provider } = await stage(
    (response) => (provider.asked.length === 1 ? first.resolve(response) : sse(answering)(response)),
    { limits: { tokens: 7500 } },
  );
  const one = post(lease.url, asking, { path });
  const held = await first.promise;
  const two = post(lease.url, asking, { path });
  // The second is at the meter, and cannot have been sent: both do not fit at once.
  await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
  expect(provider.asked.length).toBe(1);
  await sse(answering)(held);
  expect([(await one).status, (await two).status]).toEqual([200, 200]);
  await lease.close();
  expect(lease.usage()).toMatchObject({ inputTokens: 600, outputTokens: 40, turns: 2 });
});

it('shows a failure to record what was spent', async () => {
  const { lease } = await stage(sse(answering), {
    purse: await (async () => {
      const { SharedLedger } = await import('../../../src/agents/meter/shared-ledger.ts');
      const { AllotmentPurse } = await import('../../../src/agents/meter/purse.ts');
      const { emptyLedger } = await import('../../../src/policy/budget.ts');
      const account = new SharedLedger(emptyLedger({ run: { tokens: 1e6 }, task: {}, roles: {} }), async ({ type }) => {
        if (type === 'resized') throw new Error('disk full');
      });
      await account.reserve({ id: 'job', role: 'developer', want: {}, min: {} });
      return new AllotmentPurse(account, 'job');
    })(),
  });
  expect(await post(lease.url, asking, { path }).catch(() => 'cut')).toBe('cut');
  await expect(lease.close()).rejects.toThrow('disk full');
});

it('keeps and logs neither keys nor bodies', async () => {
  const secret = 'the-body-has-this-0123456789';
  const { lease, proxy, purse, account, entries } = await stage(
    json({ type: 'error', error: { type: 'api_error', message: key } }, 500),
  );
  await post(lease.url, { ...asking, messages: [{ role: 'user', content: secret }] }, { path });
  await lease.close();
  const shown = inspect(
    [lease.trouble(), lease.usage(), lease.unpriced(), lease.windows(), proxy, purse, account.ledger(), entries],
    {
      depth: Infinity,
    },
  );
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain(key);
  const room = join(import.meta.dirname, '../../../src/agents/meter');
  const sources = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const writing = sources.filter((name) =>
    /node:fs|console\.|process\.std|debuglog/.test(readFileSync(join(room, name), 'utf8')),
  );
  expect(writing).toEqual([]);
});
