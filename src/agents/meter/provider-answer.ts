/**
 * What a provider's answer says besides its content: what went wrong, in which words and until when, and how much
 * of an account's window is used. Pure. Untrusted, so bounded; redacted by whoever keeps it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { TroubleReport } from '../../policy/trouble.ts';
import type { UsageWindow } from '../../policy/usage-threshold.ts';
import { objectFields } from './read-usage/usage-reader.ts';

const longestMessage = 500;

/** Of an answer with a status that is not a success. */
export function troubleInAnswer(status: number, headers: IncomingHttpHeaders, body: unknown): TroubleReport {
  const trouble = troubleInEvent(Array.isArray(body) ? (body as readonly unknown[])[0] : body);
  const ms = Number(headers['retry-after-ms']);
  return {
    status,
    ...trouble,
    ...(headers['retry-after-ms'] !== undefined && ms >= 0 ? { retryAfterMs: ms } : {}),
    ...(headers['retry-after'] === undefined ? {} : { retryAfter: headers['retry-after'].slice(0, 100) }),
    ...resetOf(headers, body),
  };
}

/** Of an event in a stream that began well, or of an error's body. */
export function troubleInEvent(data: unknown): TroubleReport | undefined {
  const event = objectFields(data);
  const failed =
    event['type'] === 'error'
      ? (event['error'] ?? event)
      : (event['error'] ?? objectFields(event['response'])['error']);
  if (typeof failed === 'string') return { message: failed.slice(0, longestMessage) };
  const error = objectFields(failed);
  const named = [error['code'], error['status'], error['type']].filter(
    (code): code is string => typeof code === 'string' && code.length <= 100,
  );
  const codes = [...named, ...(typeof error['code'] === 'number' ? [error['code']] : [])];
  const message = typeof error['message'] === 'string' ? error['message'].slice(0, longestMessage) : undefined;
  if (codes.length === 0 && message === undefined) return undefined;
  return { ...(codes.length === 0 ? {} : { code: codes }), ...(message === undefined ? {} : { message }) };
}

/** How much of which window of an account is used, in percent. */
export function windowsIn(headers: IncomingHttpHeaders): readonly UsageWindow[] {
  return [...unified(headers), ...codex(headers), ...remaining(headers)];
}

function resetOf(headers: IncomingHttpHeaders, body: unknown): Pick<TroubleReport, 'resetAt'> {
  const error = objectFields(objectFields(body)['error']);
  const details = Array.isArray(error['details']) ? (error['details'] as readonly unknown[]).map(objectFields) : [];
  const stated = [
    single(headers['anthropic-ratelimit-unified-reset']),
    error['resets_at'],
    details.map((each) => each['retryDelay']).find((each) => typeof each === 'string'),
  ].find((each): each is string | number => typeof each === 'number' || typeof each === 'string');
  return stated === undefined ? {} : { resetAt: typeof stated === 'string' ? stated.slice(0, 100) : stated };
}

/** Anthropic's subscriptions: a share between 0 and 1 for each window. */
function unified(headers: IncomingHttpHeaders): readonly UsageWindow[] {
  return Object.keys(headers).flatMap((name) => {
    const window = /^anthropic-ratelimit-unified-([a-z0-9_]+)-utilization$/.exec(name)?.[1];
    const used = Number(single(headers[name]));
    if (window === undefined || !(used >= 0)) return [];
    const resets = Number(single(headers[`anthropic-ratelimit-unified-${window}-reset`]));
    return [{ window, used: used * 100, ...(resets > 0 ? { resetsAt: resets * 1000 } : {}) }];
  });
}

/** OpenAI's subscriptions, as codex is told. */
function codex(headers: IncomingHttpHeaders): readonly UsageWindow[] {
  return ['primary', 'secondary'].flatMap((window) => {
    const used = Number(single(headers[`x-codex-${window}-used-percent`]) ?? Number.NaN);
    if (!(used >= 0)) return [];
    const resets = Number(single(headers[`x-codex-${window}-reset-at`]));
    return [{ window, used, ...(resets > 0 ? { resetsAt: resets * 1000 } : {}) }];
  });
}

/** Counts per window; one that is full again within a minute is no wall. */
function remaining(headers: IncomingHttpHeaders): readonly UsageWindow[] {
  return ['requests', 'tokens'].flatMap((window) => {
    const limit = Number(single(headers[`x-ratelimit-limit-${window}`]));
    const left = Number(single(headers[`x-ratelimit-remaining-${window}`]) ?? Number.NaN);
    const reset = single(headers[`x-ratelimit-reset-${window}`]) ?? '';
    if (!(limit > 0) || !(left >= 0) || /^(?:\d+(?:\.\d+)?(?:ms|s))?$/.test(reset)) return [];
    return [{ window, used: (1 - Math.min(left, limit) / limit) * 100 }];
  });
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
