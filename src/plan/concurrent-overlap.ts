/**
 * Tasks that may run at the same time and write the same files. Tasks are taken in the order of the
 * graph; each is compared with those before it, and asked about their order only when their writes
 * meet. An entry is dropped from the index once a later task that covers it comes after it, for
 * whatever is ordered after the later one is ordered after both. That keeps plans of ten thousand tasks
 * linear; a hostile plan stops at a fixed number of steps and says so.
 */
import { type Graph, graphOf } from './graph.ts';
import { compilePatterns, type Pattern, patternsMeet } from './path-pattern.ts';
import { PatternIndex } from './pattern-index.ts';
import type { Task } from './plan.ts';

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
        } else if (contains(pattern, entry.pattern)) index.remove(entry);
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

function contains(outer: Pattern, inner: Pattern): boolean {
  if (outer.text === inner.text) return true;
  return outer.below && outer.prefix.every((name, place) => inner.prefix[place] === name);
}

/**
 * Does `later` depend on `earlier`, directly or not? Walks from both ends, the smaller front first, and
 * only through the stages between: dense plans meet after a few steps, sparse ones run dry on one side.
 */
function orderOf(graph: Graph<Task>, budget: { steps: number }): (earlier: number, later: number) => boolean {
  const seenBy = new Int32Array(graph.tasks.length);
  let query = 0;
  return (earlier, later) => {
    query++;
    const floor = graph.stage[earlier] ?? 0;
    const roof = graph.stage[later] ?? 0;
    // Marks of this query: positive from the later end, negative from the earlier one.
    const back = { front: [later], mark: query, edges: graph.depends };
    const forth = { front: [earlier], mark: -query, edges: graph.dependents };
    seenBy[later] = back.mark;
    seenBy[earlier] = forth.mark;
    while (back.front.length > 0 && forth.front.length > 0 && budget.steps > 0) {
      const side = back.front.length <= forth.front.length ? back : forth;
      const next: number[] = [];
      for (const place of side.front) {
        for (const neighbour of side.edges[place] ?? []) {
          budget.steps--;
          const seen = seenBy[neighbour];
          if (seen === -side.mark) return true;
          const stage = graph.stage[neighbour] ?? 0;
          if (seen === side.mark || stage <= floor || stage >= roof) continue;
          seenBy[neighbour] = side.mark;
          next.push(neighbour);
        }
      }
      side.front = next;
    }
    return false;
  };
}
