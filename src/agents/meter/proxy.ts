/**
 * The meter: a server on loopback that stands between agents and their providers. Each job has a lease with an
 * address of its own that nobody can guess; through it requests are paid from the job's purse and get the real key.
 * Nothing of a request or an answer is logged or kept. Providers are reached directly: a proxy of the user's
 * (`HTTPS_PROXY`) is not used, and who needs one points `baseUrl` at it.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveExchange } from './exchange.ts';
import { JobLease, type LeaseTerms, type MeterLease } from './lease.ts';

export interface MeteringProxy {
  readonly port: number;
  lease(terms: LeaseTerms): MeterLease;
  /** From now on it keeps no process alive by itself. */
  unref(): void;
  close(): Promise<void>;
}

export async function openMeteringProxy(): Promise<MeteringProxy> {
  const leases = new Map<string, JobLease>();
  const server = createServer({ maxHeaderSize: 64 * 1024, requestTimeout: 120_000, keepAliveTimeout: 30_000 });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const [, token = '', target = ''] = /^\/([0-9a-f]{64})(\/.*)$/.exec(request.url ?? '') ?? [];
    const lease = leases.get(token);
    // A connection that breaks is the other side's affair; without a listener it would be ours.
    request.on('error', () => {});
    response.on('error', () => {});
    if (lease === undefined) response.writeHead(404, { 'content-length': 0, connection: 'close' }).end();
    else {
      const served = serveExchange({ lease, request, response, target });
      lease.track(
        served.catch((error: unknown) => {
          response.destroy();
          throw error;
        }),
      );
    }
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    lease(terms) {
      const token = randomBytes(32).toString('hex');
      const lease = new JobLease(terms, {
        url: `http://127.0.0.1:${port}/${token}`,
        placeholder: `forge-${randomBytes(16).toString('hex')}`,
        onClose: () => leases.delete(token),
      });
      leases.set(token, lease);
      return lease;
    },
    unref: () => void server.unref(),
    async close() {
      await Promise.allSettled([...leases.values()].map((lease) => lease.close()));
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}
