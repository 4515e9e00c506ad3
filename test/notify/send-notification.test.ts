/** Every channel for real: a server on loopback, real programs, a terminal that keeps what it was sent. */
import { createHmac } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Notification } from '../../src/notify/notification.ts';
import type { NotifyChannel } from '../../src/notify/notify-settings.ts';
import { sendNotification } from '../../src/notify/send-notification.ts';
import { tempDir } from '../support/temp.ts';

const message: Notification = {
  id: 'run#7',
  kind: 'question',
  run: 'run',
  title: 'Forge: Add; a login',
  text: 'It asks: \u001B]0;owned\u0007 $(touch /tmp/owned)',
  command: 'forge answer run',
};
const now = new Date('2026-03-01T12:00:00Z');

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function listen(status = 200): Promise<{ readonly origin: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function send(
  channel: NotifyChannel,
  more: { env?: Record<string, string>; terminal?: (text: string) => void; platform?: NodeJS.Platform } = {},
) {
  const { env = { PATH: process.env['PATH'] ?? '' }, terminal, platform = 'linux' } = more;
  return sendNotification(channel, message, { env, terminal, platform, now });
}

describe('a webhook', () => {
  it('gets the message signed together with the time', async () => {
    const { origin, received } = await listen();
    const channel = { webhook: { url: `${origin}/hook`, secret: 'HOOK_KEY' } };
    expect(await send(channel, { env: { HOOK_KEY: 'key' } })).toEqual({ status: 'sent' });
    const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: '' }] = received;
    expect(JSON.parse(body)).toEqual(message);
    const expected = createHmac('sha256', 'key').update(`1772366400.${body}`).digest('hex');
    expect([headers['x-forge-timestamp'], headers['x-forge-signature']]).toEqual(['1772366400', `sha256=${expected}`]);
  });

  it('is not called without its key, and its refusals are told', async () => {
    const { origin, received } = await listen(500);
    expect(await send({ webhook: { url: origin, secret: 'HOOK_KEY' } })).toEqual({
      status: 'failed',
      reason: 'the variable HOOK_KEY is not set',
    });
    expect(received).toEqual([]);
    expect(await send({ webhook: { url: origin } })).toEqual({ status: 'failed', reason: 'the server answered 500' });
  });
});

describe('ntfy', () => {
  it('gets the topic, the text and the token', async () => {
    const { origin, received } = await listen();
    expect(await send({ ntfy: { url: `${origin}/my-topic`, token: 'TOKEN' } }, { env: { TOKEN: 't' } })).toEqual({
      status: 'sent',
    });
    expect(received.map(({ url, headers, body }) => [url, headers.authorization, JSON.parse(body)])).toEqual([
      [
        '/',
        'Bearer t',
        { topic: 'my-topic', title: message.title, message: `${message.text}\nforge answer run`, priority: 4 },
      ],
    ]);
  });
});

describe('a terminal', () => {
  it.each([
    ['bell', '\u0007'],
    ['osc9', '\u001B]9;Forge: Add; a login: It asks:  ]0;owned  $(touch /tmp/owned)\u0007'],
    ['osc777', '\u001B]777;notify;Forge: Add, a login;It asks:  ]0;owned  $(touch /tmp/owned)\u0007'],
  ] as const)('gets %s, and nothing that the text smuggles in', async (terminal, expected) => {
    const written: string[] = [];
    expect(await send({ terminal }, { terminal: (text) => void written.push(text) })).toEqual({ status: 'sent' });
    expect(written).toEqual([expected]);
  });

  it('that is not there is said', async () => {
    expect(await send({ terminal: 'bell' })).toEqual({ status: 'failed', reason: 'no terminal is attached' });
  });
});

describe('programs', () => {
  function program(directory: string, name: string, text: string): void {
    writeFileSync(join(directory, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(directory, name), 0o755);
  }

  it('get the message on standard input and only the variables they are given', async () => {
    const directory = tempDir('notify');
    program(directory, 'tell', `cat > ${directory}/said; env > ${directory}/env`);
    const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}`, HOME: directory, MINE: 'yes', SECRET: 'no' };
    expect(await send({ command: ['tell'], env: ['MINE'] }, { env })).toEqual({ status: 'sent' });
    expect(JSON.parse(readFileSync(join(directory, 'said'), 'utf8'))).toEqual(message);
    const given = readFileSync(join(directory, 'env'), 'utf8');
    expect([given.includes('MINE=yes'), given.includes('SECRET')]).toEqual([true, false]);
  });

  it.each([
    ['linux', 'notify-send'],
    ['darwin', 'osascript'],
  ] as const)('of the desktop on %s get texts as arguments', async (platform, name) => {
    const directory = tempDir('notify');
    program(directory, name, `printf '%s\\n' "$@" > ${directory}/said`);
    const env = { PATH: `${directory}:${process.env['PATH'] ?? ''}`, HOME: directory };
    expect(await send({ desktop: true }, { env, platform })).toEqual({ status: 'sent' });
    expect(readFileSync(join(directory, 'said'), 'utf8')).toContain('$(touch /tmp/owned)');
    expect(existsSync('/tmp/owned')).toBe(false);
  });

  it('that fail or are missing are told', async () => {
    const directory = tempDir('notify');
    program(directory, 'bad', 'exit 3');
    const env = { PATH: directory, HOME: directory };
    expect(await send({ command: ['bad'], env: [] }, { env })).toEqual({
      status: 'failed',
      reason: 'bad exited with 3',
    });
    expect(await send({ command: ['absent'], env: [] }, { env })).toMatchObject({ status: 'failed' });
  });
});
