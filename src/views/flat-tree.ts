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

/** Named one by one: for tens of thousands of nodes, leaving out one property of a copy takes several times as long. */
function flatten(node: ViewNode, parent: string, order: number): FlatNode {
  const { id, type, label, kind, status, detail, elapsedMs } = node;
  const flat: Writable = { path: `${type} ${id}`, parent, order, id, type, label, kind, status, detail, elapsedMs };
  if (node.startedAt !== undefined) flat.startedAt = node.startedAt;
  if (node.endedAt !== undefined) flat.endedAt = node.endedAt;
  if (node.usage !== undefined) flat.usage = node.usage;
  if (node.figures !== undefined) flat.figures = node.figures;
  if (node.lines !== undefined) flat.lines = node.lines;
  if (node.links !== undefined) flat.links = node.links;
  if (node.commit !== undefined) flat.commit = node.commit;
  return flat;
}

type Writable = { -readonly [K in keyof FlatNode]: FlatNode[K] };
