/**
 * A run's tree as a list of nodes that name their parent, for displays that are told only what changed. The order of
 * siblings is a number, so that a node that stays where it was stays as it was. Pure.
 */
import type { ViewNode } from './view-node.ts';

export interface FlatNode extends Omit<ViewNode, 'children'> {
  /** Unique in the run: a step and a task may have the same key. */
  readonly path: string;
  /** Empty for the run itself. */
  readonly parent: string;
  /** Among its siblings, from 0. */
  readonly order: number;
}

/** A node that was drawn before and stands where it stood is the same object as before. */
export function flattenTree(root: ViewNode, known: WeakMap<ViewNode, FlatNode> = new WeakMap()): FlatNode[] {
  const nodes: FlatNode[] = [];
  const add = (node: ViewNode, parent: string, order: number): void => {
    const before = known.get(node);
    const flat = before?.parent === parent && before.order === order ? before : flatten(node, parent, order);
    if (flat !== before) known.set(node, flat);
    nodes.push(flat);
    for (const [at, child] of node.children.entries()) add(child, flat.path, at);
  };
  add(root, '', 0);
  return nodes;
}

function flatten(node: ViewNode, parent: string, order: number): FlatNode {
  const { children: _, ...own } = node;
  return { ...own, path: `${node.type} ${node.id}`, parent, order };
}
