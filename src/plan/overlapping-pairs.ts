/**
 * Which two tasks of a plan may change the same file, for a person to read. Pairs that follow from others are left out:
 * when B is built on A and C on B, and all three change a file, A and C need no line of their own.
 * Worked out once per list of tasks, with every pattern compiled once; a plan in which everything meets everything stops
 * at a fixed number of pairs and says so.
 */
import { type Graph, graphOf } from './graph.ts';
import { compilePattern, patternContains, patternsMeet } from './path-pattern.ts';
import { PatternIndex } from './pattern-index.ts';
import type { Task } from './plan.ts';
import { orderOf } from './task-order.ts';

export interface OverlappingPair {
  /** In the order the tasks are listed. */
  readonly first: string;
  readonly second: string;
  /** Paths of the first one that the second one may change too. */
  readonly paths: readonly string[];
  /** One of them waits for the other anyway. */
  readonly isOrdered: boolean;
}

export interface OverlappingPairs {
  readonly pairs: readonly OverlappingPair[];
  /** False when the search was given up: there are more. */
  readonly complete: boolean;
}

const maxPairs = 2_000;
const maxComparisons = 2_000_000;
const maxSteps = 30_000_000;
const known = new WeakMap<readonly Task[], OverlappingPairs>();

export function overlappingPairs(tasks: readonly Task[]): OverlappingPairs {
  const before = known.get(tasks);
  if (before !== undefined) return before;
  const found = findPairs(tasks);
  known.set(tasks, found);
  return found;
}

/** What a task writes, one pattern for each entry that is not blank. */
interface Written {
  readonly task: number;
  readonly write: number;
}

function findPairs(tasks: readonly Task[]): OverlappingPairs {
  const graph = graphIfSound(tasks);
  const budget = { steps: maxSteps };
  const isBefore = graph === undefined ? () => false : orderOf(graph, budget);
  const index = new PatternIndex<Written>();
  const met = new Map<string, { first: number; second: number; writes: Set<number> }>();
  let comparisons = 0;
  for (const task of graph?.order ?? tasks.keys()) {
    const patterns = (tasks[task]?.writes ?? []).map((text) => (text.trim() === '' ? undefined : compilePattern(text)));
    for (const [write, pattern] of patterns.entries()) {
      if (pattern === undefined) continue;
      for (const entry of index.near(pattern)) {
        comparisons += 1;
        if (comparisons > maxComparisons || met.size > maxPairs || budget.steps < 0) return finish(false);
        if (entry.value.task === task || !patternsMeet(entry.pattern, pattern)) continue;
        note(entry.value, { task, write });
        if (isBefore(entry.value.task, task) && patternContains(pattern, entry.pattern)) index.remove(entry);
      }
    }
    for (const [write, pattern] of patterns.entries()) {
      if (pattern !== undefined) index.add(pattern, { task, write });
    }
  }
  return finish(true);

  function note(a: Written, b: Written): void {
    const [first, second] = a.task < b.task ? [a, b] : [b, a];
    const key = `${first.task} ${second.task}`;
    const pair = met.get(key) ?? { first: first.task, second: second.task, writes: new Set() };
    pair.writes.add(first.write);
    met.set(key, pair);
  }

  function finish(isComplete: boolean): OverlappingPairs {
    const pairs = [...met.values()]
      .sort((a, b) => a.first - b.first || a.second - b.second)
      .map(({ first, second, writes }) => ({
        first: tasks[first]?.id ?? '',
        second: tasks[second]?.id ?? '',
        paths: [...writes].sort((a, b) => a - b).map((write) => tasks[first]?.writes[write] ?? ''),
        isOrdered: isBefore(first, second) || isBefore(second, first),
      }));
    return { pairs, complete: isComplete };
  }
}

/** A plan that was only proposed may still have a cycle: then nothing is ordered. */
function graphIfSound(tasks: readonly Task[]): Graph<Task> | undefined {
  try {
    return graphOf(tasks);
  } catch {
    return undefined;
  }
}
