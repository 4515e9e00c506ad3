/** A JavaScript file as its rules look at it: every node with what is around it, comments, calls, tests and names. Pure. */
import type { Visit } from '../../evidence/contracts/js-walk.ts';
import type { Node } from '../../evidence/weakened/js-nodes.ts';
import type { JsNames } from './js-names.ts';
import type { DeclaredTest } from './js-tests.ts';

export interface JsSource {
  /** By its name. */
  readonly isTest: boolean;
  readonly source: string;
  readonly all: readonly Visit[];
  readonly comments: readonly Node[];
  readonly calls: readonly Node[];
  readonly tests: readonly DeclaredTest[];
  readonly names: JsNames;
  readonly lineOf: (offset: number) => number;
  readonly hasComment: (node: Node) => boolean;
}

/** Those of a list in source order that lie in a node. */
export function nodesWithin(sorted: readonly Node[], { start, end }: Node): readonly Node[] {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.start ?? 0) < start) from = middle + 1;
    else to = middle;
  }
  let until = from;
  while ((sorted[until]?.end ?? Number.POSITIVE_INFINITY) <= end) until += 1;
  return sorted.slice(from, until);
}
