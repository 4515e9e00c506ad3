/**
 * Whether two lists of paths and globs can touch the same file. An empty list overlaps nothing. What a pattern means is
 * decided in path-pattern.ts alone. Pure.
 */
import { type Pattern, patternsMeet } from './path-pattern.ts';
import { PatternIndex } from './pattern-index.ts';

/** Patterns that several owners hold for a while: who is in the way of somebody else's? */
export class HeldPatterns<T> {
  readonly #index = new PatternIndex<T>();
  readonly #entries = new Map<T, readonly { readonly pattern: Pattern; readonly value: T }[]>();

  hold(owner: T, patterns: readonly Pattern[]): void {
    this.release(owner);
    this.#entries.set(
      owner,
      patterns.map((pattern) => this.#index.add(pattern, owner)),
    );
  }

  release(owner: T): void {
    for (const entry of this.#entries.get(owner) ?? []) this.#index.remove(entry);
    this.#entries.delete(owner);
  }

  /** One whose patterns meet these. */
  meeting(patterns: readonly Pattern[]): T | undefined {
    for (const pattern of patterns) {
      for (const entry of this.#index.near(pattern)) if (patternsMeet(entry.pattern, pattern)) return entry.value;
    }
    return undefined;
  }
}
