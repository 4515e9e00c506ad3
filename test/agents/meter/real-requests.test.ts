/**
 * What real clients send passes as they sent it: requests recorded from the versions that the agents' records name, with
 * their texts cut short, and those that the AI SDK makes of everything Forge's own agent may say.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelMessage } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import { loadToolkit, openModel } from '../../../src/agents/builtin/providers.ts';
import { fund, openProvider, post, wires } from './provider.ts';

interface Recorded {
  readonly wire: WireProtocol;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, unknown>>;
  }[];
}

async function stage(wire: WireProtocol, status = 200) {
  const provider = await openProvider((response) =>
    response.writeHead(status, { 'content-type': 'text/event-stream' }).end(status === 200 ? wires[wire].stream : ''),
  );
  const proxy = await openMeteringProxy();
  onTestFinished(async () => {
    await proxy.close();
    await provider.close();
  });
  const { purse } = await fund({ usd: 100 });
  return { provider, lease: proxy.lease({ wire, upstream: provider.url, key: 'real-key-0123456789', purse }) };
}

describe.each(['claude', 'codex', 'opencode', 'gemini'])('%s', (client) => {
  const file = join(import.meta.dirname, 'recorded', `${client}.json`);
  const { wire, requests } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;

  it('is passed on with its body and its headers', async () => {
    for (const { path, headers, body } of requests) {
      const { provider, lease } = await stage(wire);
      const reply = await post(lease.url, body, { path, headers });
      expect(reply.status).toBe(200);
      const [asked] = provider.asked;
      expect([asked?.url, JSON.parse(asked?.body ?? '')]).toEqual([path, body]);
      const { 'sec-fetch-mode': _browser, ...kept } = headers;
      expect(asked?.headers).toMatchObject(kept);
    }
  });
});

const image = { type: 'image' as const, image: Buffer.from('iVBORw0KGgo=', 'base64'), mediaType: 'image/png' };
const messages: ModelMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'Look.' }, image] },
  {
    role: 'assistant',
    content: [
      {
        type: 'reasoning',
        text: 'I look.',
        providerOptions: {
          anthropic: { signature: 'c2lnbmVk' },
          openai: { itemId: 'rs_1', reasoningEncryptedContent: 'c2VjcmV0' },
        },
      },
      { type: 'text', text: 'I read it.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' } },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'hello' } }],
  },
  { role: 'user', content: 'Go on.' },
];

it.each([
  ['anthropic', 'claude-sonnet-4-6', 'high'],
  ['anthropic', 'claude-opus-4-8', 'high', 'adaptive'],
  ['anthropic', 'claude-sonnet-4-6', undefined, 'disabled'],
  ['anthropic', 'claude-haiku-4-5', undefined],
  ['openai', 'gpt-5-mini', 'high'],
  ['openai', 'gpt-4o', undefined],
  ['openai-compatible', 'qwen3-coder', 'low'],
  ['openai-compatible', 'qwen3-coder:30b', undefined],
] as const)("Forge's own agent at %s with %s, effort %s", async (kind, model, effort, ...more) => {
  const wire = ({ anthropic: 'anthropic', openai: 'openai-responses', 'openai-compatible': 'openai-chat' } as const)[
    kind
  ];
  const { provider, lease } = await stage(wire, 418);
  const { ToolLoopAgent, dynamicTool, jsonSchema } = await loadToolkit();
  const account = { url: `${lease.url}/v1`, key: lease.key };
  const [thinking] = more as readonly ('adaptive' | 'disabled')[];
  const choice = { ...(effort === undefined ? {} : { effort }), ...(thinking === undefined ? {} : { thinking }) };
  const opened = await openModel({ provider: kind, model, ...choice }, account);
  const agent = new ToolLoopAgent({
    model: opened.model,
    instructions: opened.instructions('You work.'),
    providerOptions: opened.providerOptions,
    maxOutputTokens: 2000,
    maxRetries: 0,
    tools: {
      read: dynamicTool({
        description: 'Reads',
        inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
        execute: async () => 'hello',
      }),
    },
  });
  // It gets no answer: what counts is what arrived.
  const failed = agent.generate({ messages: opened.messages(messages) });
  await expect(failed).rejects.toMatchObject({ statusCode: 418 });
  expect(provider.asked.length).toBe(1);
  const sent = JSON.parse(provider.asked[0]?.body ?? '') as Record<string, unknown>;
  expect(sent).toMatchObject({ model, tools: [expect.anything()] });
  expect(sent['thinking']).toEqual(thinking === undefined ? undefined : { type: thinking });
});
