/**
 * Which paths of a provider an agent may use through the meter: model requests, which are metered, and the few that
 * cost nothing. Anything else (batches, files, an account's data) could spend or read behind the budget's back, so
 * it is not passed on. Pure.
 */
import type { WireProtocol } from './wire.ts';

export type Route =
  | { readonly kind: 'model'; readonly wire: WireProtocol; readonly model: string | undefined }
  | { readonly kind: 'free' }
  | { readonly kind: 'closed' };

/** `path` is without the query; `ownLogin`: it carries the agent's own login, with which it could ask directly. */
export function routeOf(method: string, path: string, ownLogin: boolean): Route {
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\/\/|%2f|%5c|\\/i.test(path)) return { kind: 'closed' };
  if (method === 'GET') return ownLogin || /\/models(?:\/|$)/.test(path) ? { kind: 'free' } : { kind: 'closed' };
  if (method !== 'POST') return { kind: 'closed' };
  if (/\/messages\/count_tokens$|\/responses\/input_tokens$|:countTokens$/.test(path)) return { kind: 'free' };
  if (path.endsWith('/messages')) return { kind: 'model', wire: 'anthropic', model: undefined };
  if (/\/responses(?:\/compact)?$/.test(path)) return { kind: 'model', wire: 'openai-responses', model: undefined };
  if (path.endsWith('/chat/completions')) return { kind: 'model', wire: 'openai-chat', model: undefined };
  const gemini = /\/models\/([\w.-]{1,200}):(?:generateContent|streamGenerateContent)$/.exec(path);
  return gemini === null ? { kind: 'closed' } : { kind: 'model', wire: 'gemini', model: gemini[1] };
}
