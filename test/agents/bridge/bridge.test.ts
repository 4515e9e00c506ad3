/** The bridge over its real socket and its real child, with a well-behaved client and with hostile ones. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ResultVerdict } from '../../../src/agents/agent.ts';
import { type Bridge, type BridgeOptions, openBridge } from '../../../src/agents/bridge/bridge.ts';
import { createRedactor } from '../../../src/process/redact.ts';
import { connectMcp, type McpClient } from '../acp-agent/mcp-client.ts';
import { until } from '../workshop.ts';

const secret = 'correct-horse-battery';
const open: { bridge?: Bridge; client?: McpClient } = {};

afterEach(async () => {
  await open.bridge?.close();
  await open.client?.gone;
  delete open.bridge;
  delete open.client;
});

async function make(options: Partial<BridgeOptions> = {}): Promise<Bridge> {
  const redactor = createRedactor({ API_TOKEN: secret });
  const bridge = await openBridge({ resultSchema: { type: 'object' }, redactor, ...options });
  open.bridge = bridge;
  return bridge;
}

async function client({ server }: Bridge): Promise<McpClient> {
  const env = Object.entries(server.env).map(([name, value]) => ({ name, value }));
  open.client = await connectMcp({ ...server, env });
  return open.client;
}

const socketOf = ({ server }: Bridge): string => server.env['FORGE_BRIDGE_SOCKET'] ?? '';

/** What a client gets that sends these bytes, until it is hung up on or got so many lines. */
async function raw(bridge: Bridge, input: string, lines: number): Promise<readonly string[]> {
  const socket = connect(socketOf(bridge));
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => {});
  socket.write(input);
  const got = () => text.split('\n').slice(0, -1);
  await until(() => socket.closed || got().length >= lines);
  socket.destroy();
  return got();
}

describe('the bridge', () => {
  test('offers submit_result with the role’s schema, and the job’s tools', async () => {
    const resultSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const inputSchema = { type: 'object', properties: { q: { type: 'string' } } };
    const tools = [{ name: 'recall', description: 'Remembers.', inputSchema, call: () => Promise.reject(new Error()) }];
    const bridge = await make({ resultSchema, tools });
    const listed = (await client(bridge)).listed.map(({ name, inputSchema: schema, _meta }) => ({
      name,
      schema,
      _meta,
    }));
    expect(listed).toEqual([
      { name: 'submit_result', schema: resultSchema, _meta: { 'anthropic/alwaysLoad': true } },
      { name: 'recall', schema: inputSchema, _meta: undefined },
    ]);
  });

  test('answers a bad result with what is wrong, and keeps the last good one, redacted', async () => {
    const verdicts: ResultVerdict[] = [];
    const bridge = await make({
      judge: (result) =>
        (result as { n: number }).n > 0 ? { ok: true } : { ok: false, problem: 'n must be positive' },
      onSubmission: (verdict) => verdicts.push(verdict),
    });
    const agent = await client(bridge);
    expect(await agent.call('submit_result', { n: 0 })).toEqual({
      isError: true,
      text: 'Not accepted: n must be positive\nCorrect this and call submit_result again.',
    });
    expect(bridge.result()).toBeUndefined();
    for (const n of [1, 2, -1]) await agent.call('submit_result', { n, found: secret });
    expect(bridge.result()).toEqual({ value: { n: 2, found: '[redacted:API_TOKEN]' } });
    expect(verdicts.map(({ ok }) => ok)).toEqual([false, true, true, false]);
  });

  test('puts a result that is no plain object into one, and takes it out again', async () => {
    const bridge = await make({ resultSchema: { $defs: { a: { type: 'string' } }, anyOf: [{ $ref: '#/$defs/a' }] } });
    const agent = await client(bridge);
    expect(agent.listed[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { result: { anyOf: [{ $ref: '#/$defs/a' }] } },
      required: ['result'],
      additionalProperties: false,
      $defs: { a: { type: 'string' } },
    });
    await agent.call('submit_result', { result: 'yes' });
    expect(bridge.result()).toEqual({ value: 'yes' });
  });

  test('answers nobody without the token', async () => {
    const bridge = await make();
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    expect(await raw(bridge, `wrong\n${ping}`, 1)).toEqual([]);
    expect(await raw(bridge, ping, 1)).toEqual([]);
    expect(await raw(bridge, `${bridge.token}\n${ping}`, 1)).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
  });

  test('hangs up on a line without end, and lives on', async () => {
    const bridge = await make();
    expect(await raw(bridge, `${bridge.token}\n${'x'.repeat(5_000_000)}\n`, 1)).toEqual([]);
    await (await client(bridge)).call('submit_result', { alive: true });
    expect(bridge.result()).toEqual({ value: { alive: true } });
  });

  test.each(['nonsense', '[]', '{"id":{}}', '{"jsonrpc":"2.0","method":"notifications/initialized"}', '5'])(
    'ignores %s',
    async (line) => {
      const bridge = await make();
      const ping = '{"jsonrpc":"2.0","id":"p","method":"ping"}';
      const got = await raw(bridge, `${bridge.token}\n${line}\n${ping}\n`, 1);
      expect(got).toEqual(['{"jsonrpc":"2.0","id":"p","result":{}}']);
    },
  );

  test.each([
    ['{"id":1,"method":"resources/list"}', -32601],
    ['{"id":1,"method":"tools/call","params":{"name":"other"}}', -32602],
    ['{"id":1,"method":"tools/call","params":{"name":"submit_result","arguments":[]}}', -32602],
  ])('refuses %s', async (line, code) => {
    const bridge = await make();
    const [answer = ''] = await raw(bridge, `${bridge.token}\n${line}\n`, 1);
    expect(JSON.parse(answer)).toMatchObject({ id: 1, error: { code } });
  });

  test('a cancelled call is told so, and closing ends every call and every client', async () => {
    const begun: string[] = [];
    const aborted: string[] = [];
    const endless = (name: string) => ({
      name,
      description: '',
      inputSchema: {},
      call: (_args: unknown, signal: AbortSignal) =>
        new Promise<never>((_resolve, reject) => {
          begun.push(name);
          signal.addEventListener('abort', () => {
            aborted.push(name);
            reject(new Error('stopped'));
          });
        }),
    });
    const bridge = await make({ tools: [endless('first'), endless('second')] });
    const call = (id: number, name: string) => `{"id":${id},"method":"tools/call","params":{"name":"${name}"}}\n`;
    const cancel = '{"method":"notifications/cancelled","params":{"requestId":1}}\n';
    const [answer = ''] = await raw(bridge, `${bridge.token}\n${call(1, 'first')}${cancel}`, 1);
    expect(JSON.parse(answer)).toMatchObject({
      result: { isError: true, content: [{ type: 'text', text: 'stopped' }] },
    });
    const agent = await client(bridge);
    void agent.call('second', {});
    const waiting = raw(bridge, `${bridge.token}\n${call(2, 'second')}`, 1);
    await until(() => begun.length === 3);
    await bridge.close();
    expect(await waiting).toEqual([]);
    await agent.gone;
    expect(aborted).toEqual(['first', 'second', 'second']);
    expect(existsSync(dirname(socketOf(bridge)))).toBe(false);
  });
});
