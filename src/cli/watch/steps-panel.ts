/** The steps of a run as a tree that can be folded, with the last line of each agent at work. One line is marked. */
import type { FlatNode } from '../../views/flat-tree.ts';
import { clockTime, moneyText } from '../../views/figures.ts';
import { drawSides } from '../../views/spans.ts';
import type { Key } from './key-input.ts';
import { statusLook } from './status-look.ts';
import { type Canvas, type KeyHelp, ListPlace, type View } from './view.ts';

interface Row {
  readonly node: FlatNode;
  readonly depth: number;
  readonly isFolded: boolean;
  readonly hasChildren: boolean;
}

export class StepsPanel implements View {
  readonly nodes = new Map<string, FlatNode>();
  readonly #place = new ListPlace();
  /** What the person folded or unfolded; everything else follows its state. */
  readonly #folded = new Map<string, boolean>();
  #rows: readonly Row[] | undefined;
  #marked = '';

  change({
    isWhole,
    nodes,
    removed,
  }: {
    isWhole: boolean;
    nodes: readonly FlatNode[];
    removed: readonly string[];
  }): void {
    if (isWhole) this.nodes.clear();
    for (const path of removed) this.nodes.delete(path);
    for (const node of nodes) this.nodes.set(node.path, node);
    this.#rows = undefined;
  }

  get marked(): FlatNode | undefined {
    return this.nodes.get(this.#marked);
  }

  draw(canvas: Canvas): readonly string[] {
    this.#rows ??= this.#visibleRows();
    const rows = this.#rows;
    const at = rows.findIndex(({ node }) => node.path === this.#marked);
    if (at !== -1) this.#place.marked = at;
    const { from, to } = this.#place.window(rows.length, canvas.rows);
    this.#marked = rows[this.#place.marked]?.node.path ?? '';
    return rows.slice(from, to).map((row) => this.#line(row, canvas));
  }

  keys(): readonly KeyHelp[] {
    return [
      ['Enter', 'look into it'],
      ['← →', 'fold, unfold'],
      ['d', 'its changes'],
    ];
  }

  press(key: Key): boolean {
    if (this.#place.move(key)) {
      this.#marked = this.#rows?.[this.#place.marked]?.node.path ?? '';
      return true;
    }
    const row = this.#rows?.[this.#place.marked];
    if (row === undefined) return false;
    const isFold = key.name === 'left' || key.name === 'h';
    if (!isFold && key.name !== 'right' && key.name !== 'l') return false;
    if (isFold && (row.isFolded || !row.hasChildren)) this.#marked = row.node.parent || this.#marked;
    else if (row.hasChildren) this.#folded.set(row.node.path, isFold);
    this.#rows = undefined;
    return true;
  }

  close(): void {}

  #visibleRows(): Row[] {
    const children = new Map<string, FlatNode[]>();
    for (const node of this.nodes.values()) {
      const siblings = children.get(node.parent) ?? [];
      siblings.push(node);
      children.set(node.parent, siblings);
    }
    const rows: Row[] = [];
    const visit = (node: FlatNode, depth: number): void => {
      const below = children.get(node.path) ?? [];
      const isFolded = below.length > 0 && (this.#folded.get(node.path) ?? (depth > 1 && node.status === 'done'));
      rows.push({ node, depth, isFolded, hasChildren: below.length > 0 });
      if (!isFolded) for (const child of below.sort((a, b) => a.order - b.order)) visit(child, depth + 1);
    };
    for (const root of children.get('') ?? []) visit(root, 0);
    return rows;
  }

  #line({ node, depth, isFolded, hasChildren }: Row, canvas: Canvas): string {
    const isMarked = node.path === this.#marked;
    const { sign, tone } = statusLook(node.status, canvas);
    const fold = !hasChildren ? ' ' : isFolded ? (canvas.ascii ? '+' : '▸') : canvas.ascii ? '-' : '▾';
    const indent = '  '.repeat(Math.min(depth, Math.floor(canvas.columns / 8)));
    const isOpen = node.status === 'running' && node.startedAt !== undefined;
    const worked = isOpen ? Math.max(node.elapsedMs, canvas.now - Date.parse(node.startedAt)) : node.elapsedMs;
    const cost = node.usage?.costUsd ?? 0;
    const right = `${cost > 0 && canvas.columns >= 50 ? `${moneyText(cost)} ` : ''}${worked > 0 ? clockTime(worked) : ''}`;
    return drawSides(
      [
        { text: isMarked ? (canvas.ascii ? '>' : '❯') : ' ', tone: 'bold' },
        { text: `${indent}${fold} `, tone: 'dim' },
        { text: `${sign} `, tone },
        { text: node.label, tone: isMarked ? 'bold' : node.status === 'waiting' ? 'dim' : undefined },
        { text: node.detail === '' ? '' : `  ${node.detail}`, tone: tone === 'bad' ? 'bad' : 'dim' },
      ],
      [{ text: right, tone: 'dim' }],
      canvas,
    );
  }
}
