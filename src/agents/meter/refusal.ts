/**
 * Errors the meter answers with, each in the shape of the wire, so that an agent shows it and stops instead of
 * trying again: none of these statuses is retried by the agents Forge knows, and `x-should-retry` says so to
 * those that ask. Pure.
 */
import type { WireProtocol } from './wire.ts';

export interface MeterAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type RefusalKind = 'budget' | 'bad-request' | 'too-large' | 'too-many' | 'not-found' | 'unreachable';

export function refusalAnswer(wire: WireProtocol, kind: RefusalKind, message: string): MeterAnswer {
  const status = kind === 'budget' ? budgetStatus[wire] : statuses[kind];
  const retry =
    kind === 'unreachable' ? {} : kind === 'too-many' ? { 'retry-after': '5' } : { 'x-should-retry': 'false' };
  return {
    status,
    headers: { 'content-type': 'application/json', ...retry },
    body: JSON.stringify(shapes[wire](kind, message, status)),
  };
}

/** Why a provider was not reached, by the system's code. */
export function explainUnreachable(code: string | undefined): string {
  return isCertificate(code ?? '')
    ? `The provider's certificate cannot be verified (${code}).`
    : `The provider cannot be reached (${code ?? 'connection lost'}).`;
}

/** As OpenSSL and Node name what they find wrong with one. */
function isCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_/.test(code);
}

const statuses = { 'bad-request': 400, 'too-large': 413, 'too-many': 429, 'not-found': 404, unreachable: 502 } as const;

/** What means "pay first" to those who read it. */
const budgetStatus: Readonly<Record<WireProtocol, number>> = {
  anthropic: 402,
  'openai-responses': 400,
  'openai-chat': 402,
  gemini: 400,
};

const shapes: Readonly<Record<WireProtocol, (kind: RefusalKind, message: string, status: number) => unknown>> = {
  anthropic: (kind, message) => ({ type: 'error', error: { type: anthropicTypes[kind], message } }),
  'openai-responses': openaiShape,
  'openai-chat': openaiShape,
  gemini: (kind, message, code) => ({ error: { code, message, status: geminiStatuses[kind] } }),
};

const anthropicTypes: Readonly<Record<RefusalKind, string>> = {
  budget: 'billing_error',
  'bad-request': 'invalid_request_error',
  'too-large': 'request_too_large',
  'too-many': 'rate_limit_error',
  'not-found': 'not_found_error',
  unreachable: 'api_error',
};

const geminiStatuses: Readonly<Record<RefusalKind, string>> = {
  budget: 'FAILED_PRECONDITION',
  'bad-request': 'INVALID_ARGUMENT',
  'too-large': 'INVALID_ARGUMENT',
  'too-many': 'RESOURCE_EXHAUSTED',
  'not-found': 'NOT_FOUND',
  unreachable: 'UNAVAILABLE',
};

function openaiShape(kind: RefusalKind, message: string): unknown {
  const type = openaiTypes[kind];
  return { error: { message, type, code: kind === 'budget' ? type : null, param: null } };
}

const openaiTypes: Readonly<Record<RefusalKind, string>> = {
  budget: 'insufficient_quota',
  'bad-request': 'invalid_request_error',
  'too-large': 'invalid_request_error',
  'too-many': 'rate_limit_exceeded',
  'not-found': 'invalid_request_error',
  unreachable: 'server_error',
};
