/** Requests that no client library would write: none of them reaches the provider. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import { fund, openProvider, post, wires } from './provider.ts';

const { body, path, stream } = wires.anthropic;
const text = JSON.stringify(body);

async function stage() {
  const provider = await openProvider((response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
  );
  const proxy = await openMeteringProxy();
  onTestFinished(async () => {
    await proxy.close();
    await provider.close();
  });
  const { purse } = await fund({ usd: 1 });
  return { provider, lease: proxy.lease({ wire: 'anthropic', upstream: provider.url, key: 'real-key-01234', purse }) };
}

type Writing = (place: { host: string; target: string }) => string;

it.each<[string, Writing]>([
  [
    'two lengths',
    ({ host, target }) =>
      `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  ],
  [
    'a length and pieces',
    ({ host, target }) =>
      `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
  ],
  [
    'an odd coding',
    ({ host, target }) =>
      `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  ],
  [
    'a whole address for a target',
    ({ host, target }) =>
      `POST http://${host}${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  ],
  ['a tunnel', ({ host }) => `CONNECT api.anthropic.com:443 HTTP/1.1\r\nhost: ${host}\r\n\r\n`],
  [
    'another protocol',
    ({ host, target }) =>
      `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n`,
  ],
])('%s', async (_name, write) => {
  const { provider, lease } = await stage();
  const { host, hostname, port, pathname } = new URL(lease.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1');
  });
  const ended = once(socket, 'close');
  // Half closed: whatever the answer is, the connection ends after it.
  socket.end(write({ host, target: `${pathname}${path}` }));
  await ended;
  expect(heard).not.toMatch(/^HTTP\/1\.1 2/);
  expect(provider.asked).toEqual([]);
});

it('passes on no header that could choose a price, an account or a method', async () => {
  const { provider, lease } = await stage();
  const headers = {
    'x-http-method-override': 'DELETE',
    'x-goog-user-project': 'another',
    'openai-organization': 'another',
    'openai-project': 'another',
    'x-vertex-ai-llm-request-type': 'priority',
    'x-forwarded-host': 'elsewhere',
    cookie: 'a=b',
    'content-type': 'text/plain',
    'user-agent': 'agent/1',
  };
  expect((await post(lease.url, body, { path, headers })).status).toBe(200);
  const { host: _host, connection: _connection, ...sent } = provider.asked[0]?.headers ?? {};
  expect(sent).toEqual({
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'user-agent': 'agent/1',
    'x-api-key': 'real-key-01234',
  });
});
