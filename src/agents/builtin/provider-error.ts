/**
 * What went wrong with a model call, as data for whoever decides about it: status, the provider's own code, when to try
 * again. Pure. Never the request: it holds the whole conversation. Unknown shapes become their message and nothing more.
 */
import { messageOf } from '../../errors.ts';

export interface ProviderError {
  readonly status: number | undefined;
  /** The provider's word (`rate_limit_error`, `insufficient_quota`), a system's (`ECONNREFUSED`), or ours. */
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly message: string;
}

/** The stream ended, or broke, before the answer did. */
export const streamCut = 'stream_cut';
/** What must be sent is more than the model's window. */
export const promptTooLong = 'prompt_too_long';

/** A failure of the turn that is already told in these words. */
export class TurnFailure extends Error {
  readonly detail: ProviderError;

  constructor(detail: ProviderError) {
    super(detail.message);
    this.name = 'TurnFailure';
    this.detail = detail;
  }
}

export function turnFailure(code: string, message: string): TurnFailure {
  return new TurnFailure({ status: undefined, code, retryAfterMs: undefined, message });
}

export function providerError(error: unknown, nowMs: number): ProviderError {
  if (error instanceof TurnFailure) return error.detail;
  const cause = innermost(error);
  const status = numberIn(error, 'statusCode');
  const body = fieldIn(error, 'data') ?? parsed(fieldIn(error, 'responseBody')) ?? error;
  return {
    status,
    code: codeIn(fieldIn(body, 'error')) ?? codeIn(body) ?? systemCode(cause) ?? streamCode(error, status),
    retryAfterMs: retryAfter(fieldIn(error, 'responseHeaders'), nowMs),
    message: wordsOf(error, body).slice(0, maxMessage),
  };
}

const maxMessage = 4000;

/** `APICallError` wraps what fetch threw, which wraps what the socket did; retries wrap once more. */
function innermost(error: unknown): unknown {
  let at = error;
  for (let depth = 0; depth < 8; depth += 1) {
    const next = fieldIn(at, 'cause') ?? fieldIn(at, 'lastError');
    if (next === undefined || next === null) return at;
    at = next;
  }
  return at;
}

function codeIn(value: unknown): string | undefined {
  const code = fieldIn(value, 'code') ?? undefined;
  const type = fieldIn(value, 'type') ?? undefined;
  if (typeof code === 'string' && code !== '') return code;
  // A bare number is the status again; `error` is the envelope's own name.
  return typeof type === 'string' && type !== '' && type !== 'error' ? type : undefined;
}

function systemCode(cause: unknown): string | undefined {
  const code = fieldIn(cause, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** Words with which the packages say that an answer has no end. */
const cutWords =
  /terminated|without a finish|No output generated|aborted|premature|other side closed|Invalid JSON|JSON parsing failed/i;

function streamCode(error: unknown, status: number | undefined): string | undefined {
  return (status === undefined || status < 400) && cutWords.test(messageOf(error)) ? streamCut : undefined;
}

function retryAfter(headers: unknown, nowMs: number): number | undefined {
  const ms = Number(textIn(headers, 'retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = textIn(headers, 'retry-after');
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function wordsOf(error: unknown, body: unknown): string {
  const own = fieldIn(fieldIn(body, 'error'), 'message') ?? fieldIn(error, 'message');
  if (typeof own === 'string' && own !== '') return own;
  const raw = fieldIn(error, 'responseBody');
  if (typeof raw === 'string' && raw !== '') return raw;
  return typeof error === 'object' && error !== null && !(error instanceof Error)
    ? JSON.stringify(error)
    : messageOf(error);
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const found = fieldIn(value, name);
  return typeof found === 'number' ? found : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const found = fieldIn(value, name);
  return typeof found === 'string' ? found : undefined;
}
