/**
 * The headers of a request on their way to the provider: what belongs to the connection stays behind, and the real
 * key takes the place of whatever the agent sent, so that it never enters the jail. Pure.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { WireProtocol } from './wire.ts';

export interface Outgoing {
  readonly headers: OutgoingHttpHeaders;
  /** With its question mark, or empty. */
  readonly query: string;
}

/** With `key` undefined the agent's own login goes through as it is. */
export function outgoing(
  incoming: { readonly headers: IncomingHttpHeaders; readonly query: string },
  wire: WireProtocol,
  key: string | undefined,
): Outgoing {
  const headers: OutgoingHttpHeaders = { ...incoming.headers };
  for (const name of [...hopByHop, ...connectionHeaders(incoming.headers)]) delete headers[name];
  // Usage is read as it passes; what is compressed could not be.
  headers['accept-encoding'] = 'identity';
  if (key === undefined) return { headers, query: incoming.query };
  const bearer = headers['authorization'] !== undefined;
  const named = keyHeaders.find((name) => headers[name] !== undefined);
  for (const name of ['authorization', 'cookie', ...keyHeaders]) delete headers[name];
  const inQuery = new URLSearchParams(incoming.query);
  const asked = inQuery.has('key');
  inQuery.delete('key');
  const query = asked ? (inQuery.size === 0 ? '' : `?${inQuery.toString()}`) : incoming.query;
  if (named !== undefined) headers[named] = key;
  else if (bearer || (!asked && wire.startsWith('openai'))) headers['authorization'] = `Bearer ${key}`;
  else headers[wire === 'gemini' ? 'x-goog-api-key' : 'x-api-key'] = key;
  return { headers, query };
}

/** What of an answer goes on to the agent. */
export function answerHeaders(incoming: IncomingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ...incoming };
  for (const name of [...hopByHop, ...connectionHeaders(incoming)]) delete headers[name];
  return headers;
}

const keyHeaders = ['x-api-key', 'x-goog-api-key', 'api-key'] as const;

const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
] as const;

function connectionHeaders(headers: IncomingHttpHeaders): readonly string[] {
  return (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
}
