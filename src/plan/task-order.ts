/** Whether one task comes after another, asked for single pairs of a large plan. Pure. */
import type { Graph, GraphNode } from './graph.ts';

/**
 * Does `later` depend on `earlier`, directly or not? Walks from both ends, the smaller front first, and
 * only through the stages between: dense plans meet after a few steps, sparse ones run dry on one side.
 */
export function orderOf(
  graph: Graph<GraphNode>,
  budget: { steps: number },
): (earlier: number, later: number) => boolean {
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
