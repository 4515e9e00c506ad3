/**
 * Which lines of a tree are shown when not all fit. In this order: finished rounds and sessions are folded
 * from the start; then older finished parts, oldest first; then the tasks of a wave; then finished, and then
 * waiting, neighbours become one line; what is left over is cut, but never what is at work. Linear in the tree.
 */
import type { NodeStatus, ViewNode } from './view-node.ts';

export type TreeGuide = 'branch' | 'last' | 'line' | 'blank';
export type TreeLine =
  | { readonly type: 'node'; readonly guides: readonly TreeGuide[]; readonly node: ViewNode }
  | { readonly type: 'more'; readonly guides: readonly TreeGuide[]; readonly text: string };

export function layOutTree(root: ViewNode, rows: number): TreeLine[] {
  const folded = new Set<ViewNode>();
  let total = count(root, folded);
  if (total > rows) {
    for (const node of foldable(root)) {
      if (total <= rows) break;
      total -= count(node, folded) - 1;
      folded.add(node);
    }
  }
  for (const level of [0, 1, 2, 3] as const) {
    const lines = linesOf(root, { folded, level });
    if (lines.length <= rows) return lines;
    if (level === 3) return cut(lines, rows);
  }
  return [];
}

interface Plan {
  readonly folded: ReadonlySet<ViewNode>;
  /** 1 hides tasks of a wave, 2 also joins finished neighbours, 3 also waiting ones. */
  readonly level: 0 | 1 | 2 | 3;
}

const finished: ReadonlySet<NodeStatus> = new Set(['done', 'failed', 'blocked', 'skipped', 'unverified']);

/** Finished work below the first level is of no more interest than its own line. */
function isFoldedAnyway(node: ViewNode): boolean {
  return finished.has(node.status) && ['round', 'agent', 'plan', 'learn', 'merge', 'check'].includes(node.kind);
}

function childrenOf(node: ViewNode, folded: ReadonlySet<ViewNode>): readonly ViewNode[] {
  return folded.has(node) || isFoldedAnyway(node) ? [] : node.children;
}

function count(node: ViewNode, folded: ReadonlySet<ViewNode>): number {
  return childrenOf(node, folded).reduce((sum, child) => sum + count(child, folded), 1);
}

/** What may be folded, oldest first; parents come after their children, so little goes before much. */
function* foldable(node: ViewNode): Generator<ViewNode> {
  for (const child of node.children) {
    yield* foldable(child);
    if (child.children.length > 0 && finished.has(child.status)) yield child;
  }
  for (const child of node.children) {
    if (child.children.length > 0 && child.status === 'waiting') yield child;
  }
}

function linesOf(root: ViewNode, plan: Plan): TreeLine[] {
  const lines: TreeLine[] = [];
  const visit = (node: ViewNode, before: readonly TreeGuide[], own: readonly TreeGuide[]): void => {
    lines.push({ type: 'node', guides: [...before, ...own], node });
    const inner: readonly TreeGuide[] = own.length === 0 ? [] : [...before, own[0] === 'last' ? 'blank' : 'line'];
    const rows = joined(childrenOf(node, plan.folded), plan);
    for (const [index, row] of rows.entries()) {
      const guide: TreeGuide = index === rows.length - 1 ? 'last' : 'branch';
      if (Array.isArray(row)) lines.push({ type: 'more', guides: [...inner, guide], text: describeRow(row) });
      else visit(row, inner, [guide]);
    }
  };
  visit(root, [], []);
  return lines;
}

/** Children as they are, or neighbours of one sort together. */
function joined(children: readonly ViewNode[], { level }: Plan): (ViewNode | ViewNode[])[] {
  const rows: (ViewNode | ViewNode[])[] = [];
  const sort = (node: ViewNode): 'finished' | 'waiting' | undefined => {
    if (level >= 2 && finished.has(node.status)) return 'finished';
    return level >= 3 && node.status === 'waiting' ? 'waiting' : undefined;
  };
  let open: { sort: string; nodes: ViewNode[] } | undefined;
  for (const child of children) {
    if (level >= 1 && child.kind === 'task' && child.children.length === 0 && hasWork(children)) continue;
    const kind = sort(child);
    if (kind !== undefined && open?.sort === kind) {
      open.nodes.push(child);
      continue;
    }
    open = kind === undefined ? undefined : { sort: kind, nodes: [child] };
    rows.push(open?.nodes ?? child);
  }
  return rows.map((row) => (Array.isArray(row) && row.length === 1 ? (row[0] as ViewNode) : row));
}

/** Tasks beside rounds only name what the rounds are about; tasks alone are the work. */
function hasWork(children: readonly ViewNode[]): boolean {
  return children.some((child) => child.kind === 'round' || child.kind === 'merge');
}

function describeRow(nodes: readonly ViewNode[]): string {
  const counts = new Map<NodeStatus, number>();
  for (const { status } of nodes) counts.set(status, (counts.get(status) ?? 0) + 1);
  return `… ${[...counts].map(([status, number]) => `${number} ${status}`).join(', ')}`;
}

/** Keeps the first line and whatever is at work, in order, and says how many lines are missing. */
function cut(lines: readonly TreeLine[], rows: number): TreeLine[] {
  const [first] = lines;
  if (first === undefined || rows <= 1) return lines.slice(0, 1);
  if (rows === 2) return [first, more(lines.length - 1)];
  const rest = lines.slice(1);
  const isBusy = (line: TreeLine): boolean => line.type === 'node' && line.node.status === 'running';
  const room = rows - 2;
  // Leaves first: what is at work deepest down says most.
  const busy = rest.filter(isBusy).sort((a, b) => b.guides.length - a.guides.length);
  const chosen = new Set([...busy, ...rest.filter((line) => !isBusy(line))].slice(0, room));
  return [first, ...rest.filter((line) => chosen.has(line)), more(rest.length - chosen.size)];
}

function more(missing: number): TreeLine {
  return { type: 'more', guides: [], text: `… ${missing} more ${missing === 1 ? 'line' : 'lines'}` };
}
