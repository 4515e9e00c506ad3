/**
 * Reads what a response says it used, from its events as they come or from its whole JSON. Everything in it is
 * untrusted: a count that is not one is as good as missing. A reader keeps numbers, never text.
 */
import type { TokenCounts } from '../../../policy/prices.ts';

export interface UsageReader {
  /** One event of a stream, or the whole of a response that is none. */
  take(data: unknown): void;
  /** `[DONE]`, where a wire has it. */
  done?(): void;
  /** What was said so far: the parts that are there. */
  soFar(): Partial<TokenCounts>;
  /** How often tools that run at the provider were used, where that is told. */
  uses?(): number;
  /** Whether that is the final word. */
  complete(): boolean;
}

export const noTokens: TokenCounts = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, output: 0 };

/** An object to look into, or an empty one. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** More than a hundred million tokens in one request is no count either. */
export function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1e8 ? Math.ceil(value) : undefined;
}

/** Input as most wires count it: everything together, of which some was read from or written to a cache. */
export function splitInput(all: number, read = 0, written = 0): Omit<TokenCounts, 'output'> {
  const cacheRead = Math.min(read, all);
  const cacheWrite = Math.min(written, all - cacheRead);
  return { input: all - cacheRead - cacheWrite, cacheRead, cacheWrite, cacheWriteLong: 0 };
}
