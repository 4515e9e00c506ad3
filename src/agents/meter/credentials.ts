/**
 * The headers of a request on their way to the provider: only those that clients are known to need, because a header
 * can choose a price, another account or another method. The real key takes the place of whatever the agent sent, so
 * that it never enters the jail. Pure.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { WireProtocol } from './wire.ts';

export interface OutgoingRequest {
  readonly headers: OutgoingHttpHeaders;
  /** With its question mark, or empty. */
  readonly query: string;
}

/** With `key` undefined the agent's own login goes through as it is. */
export function outgoingRequest(
  incoming: { readonly headers: IncomingHttpHeaders; readonly query: string },
  wire: WireProtocol,
  key: string | undefined,
): OutgoingRequest {
  const dropped = new Set(connectionHeaders(incoming.headers));
  const headers: OutgoingHttpHeaders = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => needed.test(name) && !dropped.has(name)),
  );
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

/** Of the protocols, and what clients say about themselves and their sessions. */
const needed =
  /^(?:accept|accept-language|user-agent|content-type|authorization|x-api-key|x-goog-api-key|api-key|anthropic-version|anthropic-beta|anthropic-dangerous-direct-browser-access|openai-beta|originator|version|session[-_]id|thread[-_]id|conversation[-_]id|chatgpt-account-id|x-app|x-title|http-referer|x-client-request-id|x-goog-api-client|x-session-(?:id|affinity)|x-(?:stainless|codex|openai-internal-codex|claude-code|opencode)-[a-z0-9-]{1,60})$/;

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
