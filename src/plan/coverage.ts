/**
 * Which entries of a declared list cover a path, for lists and paths by the thousand: patterns are compiled once per
 * list, and a path is compared only with those whose literal beginning it shares. Lists are never changed once made, so
 * a list is known by itself. Pure.
 */
import { compilePattern, literalPath, type Pattern, patternsMeet } from './path-pattern.ts';
import { PatternIndex } from './pattern-index.ts';

export interface CoverageIndex {
  /** The earliest entry that covers the path, so that a reason can name it. */
  first(path: string): CoveringPattern | undefined;
  /** Places in the list, in no order. */
  all(path: string): readonly number[];
}

export interface CoveringPattern {
  /** Its place in the list. */
  readonly place: number;
  readonly pattern: Pattern;
}

const known = new WeakMap<readonly string[], CoverageIndex>();

export function coverageOf(declared: readonly string[]): CoverageIndex {
  const before = known.get(declared);
  if (before !== undefined) return before;
  const coverage = index(declared);
  known.set(declared, coverage);
  return coverage;
}

/** Does a declared list cover this path, as git reports it? */
export function isPathCovered(declared: readonly string[], path: string): boolean {
  return coverageOf(declared).first(path) !== undefined;
}

function index(declared: readonly string[]): CoverageIndex {
  const filed = new PatternIndex<number>();
  for (const [place, text] of declared.entries()) {
    // Blank entries cover nothing.
    if (text.trim() !== '') filed.add(compilePattern(text), place);
  }
  function* meeting(path: string): Generator<CoveringPattern, void> {
    const target = literalPath(path);
    for (const { pattern, value } of filed.above(target)) {
      if (patternsMeet(pattern, target)) yield { pattern, place: value };
    }
  }
  return {
    first: (path) => {
      let best: CoveringPattern | undefined;
      for (const one of meeting(path)) if (best === undefined || one.place < best.place) best = one;
      return best;
    },
    all: (path) => Array.from(meeting(path), ({ place }) => place),
  };
}
