/**
 * Which paths of a provider an agent may use through the meter: model requests in the agent's own protocol, which are
 * metered, and the few that cost nothing. Anything else (batches, files, an account's data) could spend or read behind
 * the budget's back, so it is not passed on. Paths are matched as they are written: no other spelling of one passes.
 * Pure.
 */
import type { WireProtocol } from './wire.ts';

export type MeterRoute =
  | { readonly kind: 'model'; readonly wire: WireProtocol; readonly model: string | undefined; readonly compact?: true }
  | { readonly kind: 'free' }
  | { readonly kind: 'closed' };

export interface Target {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

/** `wire` is the agent's own; OpenAI's two ways to ask go together. */
export function routeOf({ method, path, query }: Target, wire: WireProtocol): MeterRoute {
  const [, rest = ''] = /^(?:\/v\d{1,2}(?:alpha|beta)?\d{0,2})?(\/[\w./:@-]{1,300})$/.exec(path) ?? [];
  if (method === 'GET') return models.test(rest) && isPlain(query) ? { kind: 'free' } : { kind: 'closed' };
  if (method !== 'POST' || !queryAllowed(query)) return { kind: 'closed' };
  const family = wire.startsWith('openai') ? 'openai' : wire;
  return routes[family as keyof typeof routes](rest) ?? { kind: 'closed' };
}

const models = /^\/models(?:\/[\w.:@-]{1,200})?$/;

const routes = {
  anthropic(path: string): MeterRoute | undefined {
    if (path === '/messages') return { kind: 'model', wire: 'anthropic', model: undefined };
    return path === '/messages/count_tokens' ? { kind: 'free' } : undefined;
  },
  openai(path: string): MeterRoute | undefined {
    if (path === '/responses') return { kind: 'model', wire: 'openai-responses', model: undefined };
    if (path === '/responses/compact')
      return { kind: 'model', wire: 'openai-responses', model: undefined, compact: true };
    if (path === '/chat/completions') return { kind: 'model', wire: 'openai-chat', model: undefined };
    return path === '/responses/input_tokens' ? { kind: 'free' } : undefined;
  },
  gemini(path: string): MeterRoute | undefined {
    const [, model, verb] = /^\/models\/([\w.-]{1,200}):(\w+)$/.exec(path) ?? [];
    if (verb === 'generateContent' || verb === 'streamGenerateContent') return { kind: 'model', wire: 'gemini', model };
    return verb === 'countTokens' ? { kind: 'free' } : undefined;
  },
} as const;

/** Some parameters choose what an answer tells, or for whom it is charged. */
function queryAllowed(query: string): boolean {
  if (!isPlain(query)) return false;
  const known: Readonly<Record<string, RegExp>> = {
    alt: /^(?:sse|json)$/,
    beta: /^true$/,
    key: /^.*$/,
    'api-version': /^[\w.-]{1,40}$/,
  };
  const given = [...new URLSearchParams(query)];
  const names = given.map(([name]) => name);
  return new Set(names).size === names.length && given.every(([name, value]) => known[name]?.test(value) === true);
}

function isPlain(query: string): boolean {
  return /^(?:\?[\w.~%&=+-]{0,500})?$/.test(query);
}
