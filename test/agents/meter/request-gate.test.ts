/** How much of the meter one job may take up: each bound, and that waiting ends in order. */
import { expect, it, onTestFinished } from 'vitest';
import { openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import { RequestGate, type RequestBounds, usualBounds } from '../../../src/agents/meter/request-gate.ts';
import { fund, later, openProvider, post, wires } from './provider.ts';

const { body, path, stream } = wires.anthropic;

function gate(bounds: Partial<RequestBounds>, now = () => 0): RequestGate {
  return new RequestGate({ ...usualBounds, ...bounds }, now);
}

it('allows so many requests in all', async () => {
  const narrow = gate({ requests: 2 });
  for (const _ of [1, 2]) expect(await narrow.enter()).toMatchObject({ ok: true });
  expect(await narrow.enter()).toEqual({
    ok: false,
    later: false,
    sentence: 'This job has made 2 requests, the most the meter allows.',
  });
});

it('allows so many in a minute, and more in the next', async () => {
  let now = 0;
  const narrow = gate({ perMinute: 2 }, () => now);
  for (const _ of [1, 2]) expect(await narrow.enter()).toMatchObject({ ok: true });
  expect(await narrow.enter()).toMatchObject({ ok: false, later: true });
  now = 60_000;
  expect(await narrow.enter()).toMatchObject({ ok: true });
});

it('lets the others wait, in order, and not too many', async () => {
  const narrow = gate({ atOnce: 1, waiting: 2 });
  const order: number[] = [];
  const first = await narrow.enter();
  const waiting = [1, 2].map(async (number) => {
    const entry = await narrow.enter();
    order.push(number);
    if (entry.ok) entry.place.leave();
  });
  expect(await narrow.enter()).toMatchObject({ ok: false, later: true });
  if (first.ok) first.place.leave();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2]);
});

it('holds so many bytes of bodies', async () => {
  const narrow = gate({ bodyBytes: 100 });
  const [one, two] = [await narrow.enter(), await narrow.enter()];
  if (!one.ok || !two.ok) return expect.fail();
  expect([one.place.claim(60), two.place.claim(60), two.place.claim(40)]).toEqual([true, false, true]);
  one.place.leave();
  one.place.leave();
  expect([two.place.claim(60), two.place.claim(1)]).toEqual([true, false]);
});

async function stage(bounds: Partial<RequestBounds>, answer: Parameters<typeof openProvider>[0]) {
  const provider = await openProvider(answer);
  const proxy = await openMeteringProxy();
  onTestFinished(async () => {
    await proxy.close();
    await provider.close();
  });
  const { purse } = await fund({ usd: 10 });
  const terms = { wire: 'anthropic', upstream: provider.url, key: 'real-key-0123456789', purse } as const;
  return { provider, purse, lease: proxy.lease({ ...terms, bounds: { ...usualBounds, ...bounds } }) };
}

it('refuses in the shape of the wire, says that it may be tried again, and goes on', async () => {
  const held = later<() => void>();
  const { lease, provider } = await stage({ atOnce: 1, waiting: 0 }, (response) => {
    held.resolve(() => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream));
  });
  const first = post(lease.url, body, { path });
  const release = await held.promise;
  const second = await post(lease.url, body, { path });
  expect([second.status, second.headers['retry-after']]).toEqual([429, '5']);
  release();
  expect((await first).status).toBe(200);
  expect(provider.asked.length).toBe(1);
});

it('ends an answer that never comes, or stops coming, and charges what it can have cost', async () => {
  for (const begin of [false, true]) {
    // Time enough for the beginning of an answer to arrive, also on a busy machine.
    const { lease, purse, provider } = await stage({ silenceMs: begin ? 3_000 : 50 }, (response) => {
      if (begin) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': waiting\n\n');
    });
    const reply = await post(lease.url, body, { path }).catch(() => undefined);
    expect(reply === undefined || reply.cut || reply.status === 502).toBe(true);
    await provider.left;
    await lease.close();
    expect(purse.spent().tokens).toBe(Buffer.byteLength(JSON.stringify(body)) + 4000 + 1000);
    expect(lease.trouble()?.code).toBe(begin ? 'stream_cut' : 'network');
  }
});

it('ends an answer without end', async () => {
  const { lease, provider } = await stage({ longestMs: 200 }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const drip = setInterval(() => response.write(': x\n\n'), 10);
    response.on('close', () => clearInterval(drip));
  });
  expect((await post(lease.url, body, { path })).cut).toBe(true);
  await provider.left;
});
