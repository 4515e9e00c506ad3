/**
 * What went wrong with an agent or its provider, as one of a closed set of codes that a policy decides on. Structured
 * codes come first (of providers, agents, HTTP, JSON-RPC, the operating system), then patterns anchored at the start of
 * a line; a word somewhere in a sentence never decides. What is in none of the tables is `unknown`, which is never
 * retried. Pure: the time comes with the report.
 */
import type { Trouble } from './agent-outcome.ts';
import { resetDelay, resetIn } from './reset-time.ts';
import { codeMeaning, statusMeaning, type TroubleMeaning } from './trouble-codes.ts';
import { readTroubleText } from './trouble-text.ts';

export const troubleCodes = [
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'stream_cut',
  'authentication',
  'billing',
  'model_not_found',
  'prompt_too_long',
  'refusal',
  'limit_reached',
  'tool_missing',
  'killed',
  'hung',
  'unknown',
] as const;
export type TroubleCode = (typeof troubleCodes)[number];

export interface TroubleReport {
  /** As the provider, the agent or the operating system names it, the most specific first. */
  readonly code?: string | number | readonly (string | number)[] | undefined;
  /** Of HTTP. */
  readonly status?: number | undefined;
  readonly message?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** As in the header: seconds, a duration or a date. */
  readonly retryAfter?: string | undefined;
  /** A date, a duration, or seconds or milliseconds since the epoch. */
  readonly resetAt?: string | number | undefined;
  readonly exit?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** When it was seen, in milliseconds since the epoch: without it only relative times can be read. */
  readonly at?: number | undefined;
  /** Of clock times that name none, such as "resets at 3pm". */
  readonly zone?: string | undefined;
}

const longestMessage = 2000;

export function classifyTrouble(report: TroubleReport): Trouble & { readonly code: TroubleCode } {
  const retryAfterMs = statedDelay(report);
  const code = codeOf(report, retryAfterMs);
  const message = (report.message ?? '').slice(0, longestMessage);
  if (retryAfterMs === undefined || !passing.has(code)) return { code, message };
  return { code, message, retryAfterMs };
}

/** A code of an old journal, a script or a driver of one's own may be any string. */
export function isTroubleCode(code: string): code is TroubleCode {
  return (troubleCodes as readonly string[]).includes(code);
}

/** Trouble that goes away by itself, so that a time to come back means something. */
const passing: ReadonlySet<TroubleCode> = new Set(['rate_limit', 'overloaded', 'server', 'network', 'stream_cut']);

function codeOf(report: TroubleReport, delay: number | undefined): TroubleCode {
  const heard = readTroubleText(report.message ?? '');
  const given = report.code === undefined ? [] : [report.code].flat();
  const meanings = [
    ...given.map((code) => codeMeaning(code)),
    ...heard.codes.map((code) => codeMeaning(code)),
    ...(report.status === undefined ? [] : [statusMeaning(report.status)]),
    ...(heard.status === undefined ? [] : [statusMeaning(heard.status)]),
  ].filter((meaning) => meaning !== undefined);
  const firm = meanings.find((meaning) => meaning.firm)?.code;
  // A spent account answers 429 as a busy one does; only its words, without any time to come back, tell them apart.
  if (heard.code === 'billing') return spentOrBusy({ meanings, delay });
  return (
    (firm === 'server' && heard.code === 'prompt_too_long' ? heard.code : firm) ??
    heard.code ??
    meanings.find((meaning) => meaning.code !== 'unknown')?.code ??
    endOf(report)
  );
}

function spentOrBusy({
  meanings,
  delay,
}: {
  meanings: readonly TroubleMeaning[];
  delay: number | undefined;
}): TroubleCode {
  if (meanings.some((meaning) => meaning.code === 'billing')) return 'billing';
  const busy = meanings.some((meaning) => meaning.code === 'rate_limit' && meaning.source === 'code');
  return busy || delay !== undefined ? 'rate_limit' : 'billing';
}

/** What the way a process ended says, when nothing was said. 126 and 127 are the shell's words for "cannot start". */
function endOf({ exit, signal }: TroubleReport): TroubleCode {
  if (exit === 126 || exit === 127) return 'tool_missing';
  if (typeof signal === 'string' && signal !== '') return 'killed';
  return typeof exit === 'number' && exit > 128 ? 'killed' : 'unknown';
}

/** The first that is stated, from the most exact to the least. */
function statedDelay(report: TroubleReport): number | undefined {
  const { at, zone } = report;
  const given = report.retryAfterMs;
  if (given !== undefined && Number.isFinite(given)) return Math.max(0, given);
  return (
    resetDelay(report.retryAfter, at) ??
    resetDelay(report.resetAt, at) ??
    resetIn(report.message ?? '', { at, zone: zone ?? 'UTC' })
  );
}
