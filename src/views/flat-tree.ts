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

export function flattenTree(root: ViewNode): FlatNode[] {
  const nodes: FlatNode[] = [];
  const add = ({ children, ...node }: ViewNode, parent: string, order: number): void => {
    const path = `${node.type} ${node.id}`;
    nodes.push({ ...node, path, parent, order });
    for (const [at, child] of children.entries()) add(child, path, at);
  };
  add(root, '', 0);
  return nodes;
}
