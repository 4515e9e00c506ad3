/** The meter and a provider behind TLS: counted as any other, and refused when its certificate cannot be verified. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { tempDir } from '../../support/temp.ts';
import { selfSigned } from './certificate.ts';
import { openProvider, type Provider, wires } from './provider.ts';

/** Trusted certificates are read when a process starts: the meter is in one of its own. Compiled by `npm test`. */
const agent = resolve(import.meta.dirname, '../../../.build/test/agents/meter/tls-agent.js');

let provider: Provider | undefined;
afterEach(() => provider?.close());

async function ask(address: string, environment: (pem: string) => Readonly<Record<string, string>>) {
  const made = selfSigned(address);
  const pem = join(tempDir(), 'trusted.pem');
  writeFileSync(pem, made.cert);
  provider = await openProvider(
    (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(wires.anthropic.stream),
    made,
  );
  const env = { PATH: process.env['PATH'] ?? '', ...environment(pem) };
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', agent, provider.url], { env });
  return { said: JSON.parse(stdout) as Record<string, unknown>, asked: provider.asked };
}

it('counts what goes through TLS, and puts the key in', async () => {
  const { said, asked } = await ask('127.0.0.1', (pem) => ({ NODE_EXTRA_CA_CERTS: pem }));
  expect(said).toMatchObject({
    status: 200,
    answer: wires.anthropic.stream,
    usage: { inputTokens: 300, outputTokens: 20, turns: 1 },
    spent: { tokens: 320, turns: 1 },
  });
  expect(said['trouble']).toBeUndefined();
  expect(asked.map(({ headers }) => headers['x-api-key'])).toEqual(['real-key-0123456789']);
});

it.each<[string, string, (pem: string) => Readonly<Record<string, string>>, string]>([
  ['that nobody vouches for', '127.0.0.1', () => ({}), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['of another address', '127.0.0.2', (pem) => ({ NODE_EXTRA_CA_CERTS: pem }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [
    'although the environment would let it pass',
    '127.0.0.1',
    () => ({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ],
])('refuses a certificate %s: nothing is sent, nothing is paid, and it is said', async (_what, address, env, code) => {
  const { said, asked } = await ask(address, env);
  expect(said).toMatchObject({
    status: 502,
    answer: expect.stringContaining(`The provider's certificate cannot be verified (${code}).`),
    trouble: { code: 'network', message: `The provider's certificate cannot be verified (${code}).` },
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 },
    spent: {},
  });
  expect(asked).toEqual([]);
});
