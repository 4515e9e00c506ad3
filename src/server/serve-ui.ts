/**
 * Starts the dashboard and says where it is. It holds no run: runs are worked on by processes of their own, so that its
 * end ends none of them. It listens on this machine alone, unless a person insists.
 */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { ApiContext, RunWorker } from '../api/context.ts';
import { dashboardSecret } from '../api/dashboard-secret.ts';
import { userRepositories } from '../api/user-repositories.ts';
import { ForgeError } from '../errors.ts';
import { forgeVersion } from '../version.ts';
import { Admission } from './admission.ts';
import { makeApp } from './app.ts';
import { loadAssets } from './assets.ts';
import { OpenPlaces } from './places.ts';

export interface ServeOptions {
  readonly cwd: string;
  readonly env: ApiContext['env'];
  /** Who works on runs that a browser starts: they have to outlive it. */
  readonly worker: RunWorker;
  /** Serve every repository of this user. */
  readonly all: boolean;
  readonly host?: string | undefined;
  /** 0 for any that is free; without it the usual one, or any where that is taken. */
  readonly port?: number | undefined;
  readonly allowRemote?: boolean;
}

export interface RunningDashboard {
  readonly port: number;
  /** Without a token. */
  readonly address: string;
  /** An address that lets a browser in, once. */
  link(): string;
  close(): Promise<void>;
}

/** The same each time, so that an open window finds the server again. */
const usualPort = 36_743;
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);

export async function serveUi(options: ServeOptions): Promise<RunningDashboard> {
  const { cwd, env, worker, all, host = '127.0.0.1', port, allowRemote = false } = options;
  if (!loopback.has(host) && !allowRemote) throw remoteRefused(host);
  const over = new AbortController();
  const admission = new Admission(dashboardSecret(env));
  const names = new Set(
    loopback.has(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [bracketed(host), '127.0.0.1', 'localhost'],
  );
  let listening = 0;
  const isOwnHost = (asked: string): boolean => [...names].some((name) => asked === `${name}:${listening}`);
  const app = makeApp({
    admission,
    assets: loadAssets(),
    places: new OpenPlaces({ cwd, env, worker, all }),
    isOwnHost,
    about: () => ({ version: forgeVersion, all, cwd, repositories: all ? reachableRepositories(env) : [] }),
    signal: over.signal,
  });
  const answer = getRequestListener(app.fetch);
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 5000, connectionsCheckingInterval: 1000, maxHeaderSize: 32 * 1024 },
    (request, response) => void answer(request, response),
  );
  server.maxConnections = 256;
  listening = await listen(server, host, port);
  admission.port = listening;
  const address = `http://${bracketed(host)}:${listening}/`;
  return {
    port: listening,
    address,
    link: () => `${address}open?token=${admission.makeToken()}`,
    close: async () => {
      over.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Where a run can be started. */
function reachableRepositories(env: ApiContext['env']) {
  const there = userRepositories(env).filter(({ isThere }) => isThere);
  return there.map(({ id, name, root }) => ({ id, name, root }));
}

async function listen(
  server: ReturnType<typeof createServer>,
  host: string,
  port: number | undefined,
): Promise<number> {
  const tryPort = (wanted: number): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, host, () => {
        server.removeListener('error', reject);
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : wanted);
      });
    });
  try {
    return await tryPort(port ?? usualPort);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (port === undefined && (code === 'EADDRINUSE' || code === 'EACCES')) return tryPort(0);
    throw new ForgeError(
      'bad-input',
      `The dashboard cannot listen on ${host} port ${port}: ${(error as Error).message}`,
      {
        hint: 'Choose another port, or leave --port out.',
        cause: error,
      },
    );
  }
}

function remoteRefused(host: string): ForgeError {
  return new ForgeError(
    'bad-input',
    `The dashboard is not offered on ${host}: whoever reaches it could steer your runs`,
    {
      hint: `From another machine, use a tunnel: ssh -L ${usualPort}:127.0.0.1:${usualPort} <this machine>, then open http://127.0.0.1:${usualPort}/ there. To listen on ${host} all the same, without encryption, add --allow-remote.`,
    },
  );
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
