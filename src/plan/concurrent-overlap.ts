/**
 * Tasks that may run at the same time and write the same files. Tasks are taken in the order of the
 * graph; each is compared with those before it, and asked about their order only when their writes
 * meet. An entry is dropped from the index once a later task that covers it comes after it, for
 * whatever is ordered after the later one is ordered after both. That keeps plans of ten thousand tasks
 * linear; a hostile plan stops at a fixed number of steps and says so.
 */
import { graphOf } from './graph.ts';
import { compilePatterns, patternContains, patternsMeet } from './path-pattern.ts';
import { PatternIndex } from './pattern-index.ts';
import type { Task } from './plan.ts';
import { orderOf } from './task-order.ts';

interface ConcurrentOverlap {
  /** Places in the list of tasks: the later task, which of its writes, and up to three it meets. */
  readonly task: number;
  readonly write: number;
  readonly others: readonly { readonly task: number; readonly pattern: string }[];
}

export interface OverlapReport {
  readonly overlaps: readonly ConcurrentOverlap[];
  /** False when the search was given up: there may be more. */
  readonly complete: boolean;
}

const maxOthers = 3;
/** Comparing two patterns costs about as much as this many steps of a walk through the graph. */
const comparisonCost = 50;

/** The tasks must be free of cycles, blank paths and duplicate ids. */
export function concurrentOverlaps(tasks: readonly Task[]): OverlapReport {
  const graph = graphOf(tasks);
  const index = new PatternIndex<number>();
  const overlaps: ConcurrentOverlap[] = [];
  const budget = { steps: 30_000_000 + 1_000 * tasks.length };
  const isBefore = orderOf(graph, budget);

  for (const task of graph.order) {
    const patterns = compilePatterns(tasks[task]?.writes ?? []);
    const others = new Map<number, string>();
    let write = -1;
    for (const [place, pattern] of patterns.entries()) {
      for (const entry of index.near(pattern)) {
        budget.steps -= comparisonCost;
        if (budget.steps < 0) return { overlaps, complete: false };
        if (others.has(entry.value) || !patternsMeet(entry.pattern, pattern)) continue;
        if (!isBefore(entry.value, task)) {
          others.set(entry.value, entry.pattern.text);
          if (write === -1) write = place;
          if (others.size === maxOthers) break;
        } else if (patternContains(pattern, entry.pattern)) index.remove(entry);
      }
      if (others.size === maxOthers) break;
    }
    for (const pattern of patterns) index.add(pattern, task);
    if (budget.steps < 0) return { overlaps, complete: false };
    if (others.size > 0) {
      overlaps.push({ task, write, others: [...others].map(([other, pattern]) => ({ task: other, pattern })) });
    }
  }
  return { overlaps, complete: true };
}
