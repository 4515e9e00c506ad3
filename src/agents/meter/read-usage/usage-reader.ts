/**
 * Reads what a response says it used, from its events as they come or from its whole JSON. Everything in it is
 * untrusted: a count that is not one is as good as missing, and one that was said is never taken back by a later,
 * smaller one. A reader keeps numbers and the name of the model, never other text.
 */
import type { TokenCounts } from '../../../policy/prices.ts';
import type { KnownUse } from '../bound.ts';

export interface UsageReader {
  /** One event of a stream, or the whole of a response that is none. */
  take(data: unknown): void;
  /** `[DONE]`, where a wire has it. */
  done?(): void;
  /** What was said so far: the parts that are there, and whether that is the final word. */
  known(): KnownUse;
}

export const noTokens: TokenCounts = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, output: 0 };

/** An object to look into, or an empty one. */
export function objectFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function listItems(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as readonly unknown[]).map(objectFields) : [];
}

/** More than a hundred million tokens in one request is not a count either. */
export function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1e8 ? Math.ceil(value) : undefined;
}

/** Input as most wires count it: everything together, of which some was read from or written to a cache. */
export function splitInput(all: number, read = 0, written = 0): Omit<TokenCounts, 'output'> {
  const cacheRead = Math.min(read, all);
  const cacheWrite = Math.min(written, all - cacheRead);
  return { input: all - cacheRead - cacheWrite, cacheRead, cacheWrite, cacheWriteLong: 0 };
}

/** Of two reports about one answer the larger one, the later of two that are equal. */
export function largerReport(before: Partial<TokenCounts>, now: TokenCounts): Partial<TokenCounts> {
  const sum = (tokens: Partial<TokenCounts>) => Object.values(tokens).reduce((total, each) => total + (each ?? 0), 0);
  return sum(now) >= sum(before) ? now : before;
}

/** What a sum has that its named parts do not account for is output: some leave thinking out of the parts. */
export function outputOf(named: number, total: unknown, input: number): number {
  return Math.max(named, (countIn(total) ?? 0) - input);
}

export function modelIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 200 ? value : undefined;
}

/** Dollars, where a provider states them. */
export function dollarsIn(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1e6 ? value : undefined;
}
