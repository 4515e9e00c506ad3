/** What is charged: every place where a provider reports use, and what happens when that is more than was set aside. */
import { expect, it, onTestFinished } from 'vitest';
import { openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import { spentAmount } from '../../../src/policy/budget.ts';
import { fund, openProvider, post, wires } from './provider.ts';

async function answered(wire: WireProtocol, answer: unknown, more: object = {}, { usd = 100, status = 200 } = {}) {
  const provider = await openProvider((response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
  );
  const proxy = await openMeteringProxy();
  onTestFinished(async () => {
    await proxy.close();
    await provider.close();
  });
  const { purse, account } = await fund({ usd });
  const fees = { web_search: 0.01 };
  const lease = proxy.lease({ wire, upstream: provider.url, key: 'real-key-0123456789', purse, fees });
  const body = { ...wires[wire].body, ...more };
  const reply = await post(lease.url, body, { path: wires[wire].path });
  const send = () => post(lease.url, body, { path: wires[wire].path });
  return { reply, send, lease, purse, account };
}

const message = (usage: object) => ({ type: 'message', usage: { input_tokens: 1000, output_tokens: 100, ...usage } });
const chat = (usage: object, more: object = {}) => ({
  choices: [{ finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 100, ...usage },
  ...more,
});
const compacting = { context_management: { edits: [{ type: 'compact_20260112' }] } };
const searching = { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] };
const long = { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }] };
const plain = (1000 * 1 + 100 * 5) / 1e6;
const mini = (1000 * 0.25 + 100 * 2) / 1e6;

it.each<[string, WireProtocol, unknown, object, number]>([
  ['the message', 'anthropic', message({}), {}, plain],
  [
    'a summary that only iterations tell',
    'anthropic',
    message({
      iterations: [
        { type: 'message', input_tokens: 1000, output_tokens: 100 },
        { type: 'compaction', input_tokens: 5000, output_tokens: 300 },
      ],
    }),
    compacting,
    plain + (5000 + 300 * 5) / 1e6,
  ],
  [
    'iterations that the message does not sum up',
    'anthropic',
    message({
      iterations: [
        { type: 'message', input_tokens: 1000, output_tokens: 60 },
        { type: 'message', input_tokens: 2000, output_tokens: 40 },
      ],
    }),
    searching,
    plain + 2000 / 1e6,
  ],
  ['searches', 'anthropic', message({ server_tool_use: { web_search_requests: 2 } }), searching, plain + 0.02],
  ['a dearer region', 'anthropic', message({ inference_geo: 'us' }), {}, plain * 1.1],
  ['a longer cache', 'anthropic', message({ cache_creation_input_tokens: 2000 }), long, plain + (2000 * 2) / 1e6],
  [
    'both kinds of cache',
    'anthropic',
    message({ cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 1000 } }),
    long,
    plain + (1000 * 1.25 + 1000 * 2) / 1e6,
  ],
  ['thinking that only the total has', 'openai-chat', chat({ total_tokens: 1400 }), {}, mini + (300 * 2) / 1e6],
  ["the provider's own sum", 'openai-chat', chat({ cost: 0.5 }), {}, 0.5],
  ['haste that nobody asked for', 'openai-chat', chat({}, { service_tier: 'priority' }), {}, mini * 2.5],
  ['a dearer model that answered', 'openai-chat', chat({}, { model: 'gpt-5' }), {}, (1000 * 1.25 + 100 * 10) / 1e6],
  [
    'searches among the output',
    'openai-responses',
    {
      usage: { input_tokens: 1000, output_tokens: 100 },
      output: [{ type: 'web_search_call' }, { type: 'function_call' }],
    },
    { tools: [{ type: 'web_search' }] },
    mini + 0.01,
  ],
  [
    'thoughts and what tools put into the prompt',
    'gemini',
    {
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 900,
        toolUsePromptTokenCount: 100,
        candidatesTokenCount: 60,
        thoughtsTokenCount: 40,
      },
    },
    {},
    (1000 * 0.3 + 100 * 2.5) / 1e6,
  ],
])('is read from %s (%s)', async (...[, wire, answer, more, usd]) => {
  const { reply, lease, purse } = await answered(wire, answer, more);
  expect(reply.status).toBe(200);
  await lease.close();
  expect(purse.spent().usd).toBeCloseTo(usd, 9);
});

it('is all that was set aside when nobody says what it was, also after a timeout', async () => {
  for (const status of [200, 504, 524]) {
    const { lease, purse } = await answered('anthropic', { usage: 'none' }, {}, { status });
    await lease.close();
    expect(purse.spent().tokens).toBeGreaterThan(5000);
  }
  for (const status of [400, 429, 500, 529]) {
    const { lease, purse } = await answered('anthropic', { type: 'error' }, {}, { status });
    await lease.close();
    expect(purse.spent()).toEqual({});
  }
});

it.each<[string, WireProtocol, unknown, number]>([
  ['beside the error', 'anthropic', { type: 'error', error: { type: 'api_error' }, usage: message({}).usage }, plain],
  ['inside the error', 'openai-chat', { error: { type: 'server_error', usage: chat({}).usage } }, mini],
  [
    'with a failed response',
    'openai-responses',
    { error: {}, usage: { input_tokens: 1000, output_tokens: 100 } },
    mini,
  ],
])('is read from an error that tells it %s', async (...[, wire, answer, usd]) => {
  const { reply, lease, purse } = await answered(wire, answer, {}, { status: 500 });
  expect(reply.status).toBe(500);
  await lease.close();
  expect(purse.spent().usd).toBeCloseTo(usd, 9);
});

it('is all that was set aside where one of several answers had ended and the rest was cut', async () => {
  const chunk = `data: ${JSON.stringify(chat({ completion_tokens: 7 }))}\n\n`;
  const provider = await openProvider((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk, () => response.destroy());
  });
  const proxy = await openMeteringProxy();
  onTestFinished(async () => {
    await proxy.close();
    await provider.close();
  });
  const { purse } = await fund({ usd: 1 });
  const lease = proxy.lease({ wire: 'openai-chat', upstream: provider.url, key: 'real-key-0123456789', purse });
  await post(lease.url, { ...wires['openai-chat'].body, n: 2 }, { path: wires['openai-chat'].path });
  await lease.close();
  expect(lease.usage()).toMatchObject({ outputTokens: 2000 });
});

it('counts in full beyond the limit, ends the run, and says so', async () => {
  const greedy = message({ input_tokens: 2_000_000, output_tokens: 100 });
  const { lease, purse, account, send } = await answered('anthropic', greedy, {}, { usd: 0.5 });
  const sentence = 'The run is over its limit of $0.50, by $1.51: more was charged than had been set aside.';
  expect(lease.trouble()).toEqual({ code: 'limit_reached', message: sentence });
  const next = await send();
  expect([next.status, next.body.toString()]).toEqual([402, expect.stringContaining(sentence)]);
  await lease.close();
  expect(lease.usage()).toMatchObject({ inputTokens: 2_000_000, outputTokens: 100, turns: 1 });
  await purse.close();
  expect(spentAmount(account.ledger()).usd).toBeCloseTo(2.0005, 9);
});
