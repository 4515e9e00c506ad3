/**
 * Whether two lists of paths and globs can touch the same file, and whether a list covers a path.
 * An empty list overlaps nothing. What a pattern means is decided in path-pattern.ts alone.
 * Callers that compare one list many times compile it once.
 */
import { compilePatterns, literalPath, type Pattern, patternsMeet } from './path-pattern.ts';

export function writesOverlap(a: readonly string[], b: readonly string[]): boolean {
  return patternSetsOverlap(compilePatterns(a), compilePatterns(b));
}

export function patternSetsOverlap(a: readonly Pattern[], b: readonly Pattern[]): boolean {
  return a.some((left) => b.some((right) => patternsMeet(left, right)));
}

/** Does a declared list cover this path, as git reports it? */
export function covers(writes: readonly string[], path: string): boolean {
  return coveringPattern(compilePatterns(writes), path) !== undefined;
}

/** The first pattern that covers the path, so that a reason can name it. */
export function coveringPattern(patterns: readonly Pattern[], path: string): Pattern | undefined {
  const target = literalPath(path);
  return patterns.find((pattern) => patternsMeet(pattern, target));
}
