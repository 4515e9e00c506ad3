/** Boxes and arrows: what depends on what, with pan and zoom. Knows nothing of where its boxes come from. */
import dagre from '@dagrejs/dagre';
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { lookOf } from '../parts/basics.tsx';
import { visible } from '../parts/visible-text.ts';

export interface GraphNode {
  readonly task: string;
  readonly title: string;
  readonly status: string;
  readonly depends: readonly string[];
  /** What it turned out to need while it was at work. */
  readonly added?: readonly string[];
}

function needsOf({ depends, added = [] }: GraphNode): readonly string[] {
  return [...depends, ...added];
}

const box = { width: 224, height: 58 };
const [gap, margin] = [14, 12];

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly { readonly unit: GraphNode; readonly x: number; readonly y: number }[];
  readonly edges: readonly Edge[];
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly isAdded: boolean;
}

/** What depends on nothing and is waited for by nothing stands in rows below the rest. */
function layOut(units: readonly GraphNode[]): Layout {
  const known = new Set(units.map(({ task }) => task));
  const awaited = new Set(units.flatMap(needsOf));
  const isAlone = (unit: GraphNode): boolean =>
    !awaited.has(unit.task) && !needsOf(unit).some((other) => known.has(other));
  const alone = units.filter(isAlone);
  const linked = layOutLinked(units.filter((unit) => !isAlone(unit)));
  const columns = Math.min(alone.length, 4);
  const top = linked.boxes.length === 0 ? margin : linked.height;
  return {
    width: Math.max(linked.width, columns * (box.width + gap) - gap + 2 * margin),
    height: alone.length === 0 ? linked.height : top + Math.ceil(alone.length / columns) * (box.height + gap) + margin,
    boxes: [
      ...linked.boxes,
      ...alone.map((unit, at) => ({
        unit,
        x: margin + (at % columns) * (box.width + gap),
        y: top + Math.floor(at / columns) * (box.height + gap),
      })),
    ],
    edges: linked.edges,
  };
}

function layOutLinked(units: readonly GraphNode[]): Layout {
  if (units.length === 0) return { width: 0, height: 0, boxes: [], edges: [] };
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: gap, ranksep: 56, marginx: margin, marginy: margin });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(units.map(({ task }) => task));
  for (const { task } of units) graph.setNode(task, { ...box });
  for (const unit of units)
    for (const other of needsOf(unit)) if (known.has(other) && other !== unit.task) graph.setEdge(other, unit.task);
  const added = new Set(units.flatMap((unit) => (unit.added ?? []).map((other) => `${other} ${unit.task}`)));
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    boxes: units.map((unit) => {
      const { x, y } = graph.node(unit.task);
      return { unit, x: x - box.width / 2, y: y - box.height / 2 };
    }),
    edges: graph.edges().map(({ v, w }) => {
      const [from, to] = [graph.node(v), graph.node(w)];
      const inner = (graph.edge(v, w) as { points: readonly Point[] }).points.slice(1, -1);
      const start = { x: from.x + box.width / 2, y: from.y };
      const end = { x: to.x - box.width / 2 - 2, y: to.y };
      // A line to the next column needs no way around anything.
      const way = end.x - start.x < 2 * box.width ? [] : inner.filter(({ x }) => x > start.x && x < end.x);
      return { from: v, to: w, path: curve([start, ...way, end]), isAdded: added.has(`${v} ${w}`) };
    }),
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function curve(points: readonly Point[]): string {
  return points
    .map(({ x, y }, at) => {
      const before = points[at - 1];
      if (before === undefined) return `M${x} ${y}`;
      const bend = (before.x + x) / 2;
      return `C${bend} ${before.y} ${bend} ${y} ${x} ${y}`;
    })
    .join(' ');
}

const tallest = 620;

/** Arrows move the picture, plus and minus change its size. */
const keyMoves: Readonly<Record<string, number | readonly [dx: number, dy: number]>> = {
  ArrowLeft: [60, 0],
  ArrowRight: [-60, 0],
  ArrowUp: [0, 60],
  ArrowDown: [0, -60],
  '+': 1.25,
  '=': 1.25,
  '-': 0.8,
};

interface GraphCanvasProps {
  readonly units: readonly GraphNode[];
  readonly critical: ReadonlySet<string>;
  readonly chosen: string | undefined;
  readonly onChoose: (task: string) => void;
}

/** Drawn again only when something in it is new: a run at work counts its seconds. */
export const GraphCanvas = memo(Canvas);

function Canvas({ units, critical, chosen, onChoose }: GraphCanvasProps): ReactNode {
  // Where boxes are does not depend on how they stand.
  const shape = units.map((unit) => `${unit.task}:${needsOf(unit).join()}`).join(';');
  const layout = useMemo(() => layOut(units), [shape, units]);
  const isCritical = (from: string, to: string): boolean => critical.has(from) && critical.has(to);
  // The longest path lies above the others.
  const edges = [...layout.edges].sort((a, b) => Number(isCritical(a.from, a.to)) - Number(isCritical(b.from, b.to)));
  const [look, setLook] = useState({ x: 0, y: 0, scale: 1 });
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number; isMoved: boolean }>(undefined);
  const wasMoved = useRef(false);
  const zoom = (by: number): void =>
    setLook((old) => ({ ...old, scale: Math.min(2.5, Math.max(0.15, old.scale * by)) }));
  const whole = (): void => {
    const room = frame.current?.clientWidth ?? layout.width;
    const scale = Math.min(1, room / Math.max(1, layout.width), tallest / Math.max(1, layout.height));
    setLook({ x: 0, y: 0, scale });
  };
  // At first as much as can be read.
  useEffect(() => {
    const room = frame.current?.clientWidth ?? layout.width;
    setLook({ x: 0, y: 0, scale: Math.max(0.55, Math.min(1, room / Math.max(1, layout.width))) });
  }, [layout.width]);
  const pan = (dx: number, dy: number): void => setLook((old) => ({ ...old, x: old.x + dx, y: old.y + dy }));
  const onMove = (event: PointerEvent): void => {
    if (drag.current === undefined) return;
    const [dx, dy] = [event.clientX - drag.current.x, event.clientY - drag.current.y];
    if (!drag.current.isMoved && Math.hypot(dx, dy) < 4) return;
    drag.current = { x: event.clientX, y: event.clientY, isMoved: true };
    pan(dx, dy);
  };
  const onKey = (event: KeyboardEvent): void => {
    const act = keyMoves[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (typeof act === 'number') zoom(act);
    else pan(...act);
  };
  return (
    <div className="graph-frame" ref={frame} role="presentation" onKeyDown={onKey}>
      <div className="graph-tools buttons">
        <button type="button" onClick={() => zoom(1.25)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => zoom(0.8)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={whole}>
          Whole
        </button>
      </div>
      <svg
        className="graph"
        role="group"
        aria-label="Dependency graph"
        width="100%"
        height={Math.min(tallest, Math.max(120, layout.height * look.scale + 8))}
        onPointerDown={(event) => {
          drag.current = { x: event.clientX, y: event.clientY, isMoved: false };
        }}
        onPointerMove={onMove}
        onPointerUp={() => {
          // A click that ends a drag chooses nothing.
          wasMoved.current = drag.current?.isMoved === true;
          drag.current = undefined;
        }}
        onPointerLeave={() => {
          drag.current = undefined;
        }}
      >
        <defs>
          {['arrow', 'arrow-critical'].map((id) => (
            <marker
              key={id}
              id={id}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path className={id} d="M0 0 L8 4 L0 8 z" />
            </marker>
          ))}
        </defs>
        <g transform={`translate(${look.x} ${look.y}) scale(${look.scale})`}>
          {edges.map(({ from, to, path, isAdded }) => (
            <path
              key={`${from} ${to}`}
              className={`edge${isCritical(from, to) ? ' critical' : ''}${isAdded ? ' added' : ''}${chosen === from || chosen === to ? ' near' : ''}`}
              d={path}
              markerEnd={isCritical(from, to) ? 'url(#arrow-critical)' : 'url(#arrow)'}
            />
          ))}
          {layout.boxes.map(({ unit, x, y }) => {
            const { tone, sign, word } = lookOf(unit.status === 'waiting' ? 'pending' : unit.status);
            return (
              <g
                key={unit.task}
                className={`box ${tone}${critical.has(unit.task) ? ' critical' : ''}${chosen === unit.task ? ' chosen' : ''}`}
                transform={`translate(${x} ${y})`}
                role="button"
                tabIndex={0}
                data-entry=""
                onClick={() => (wasMoved.current ? undefined : onChoose(unit.task))}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' || event.key === ' ') onChoose(unit.task);
                }}
              >
                <rect width={box.width} height={box.height} rx="8" />
                <text x="12" y="23" className="box-name">
                  {sign} {short(unit.task, 16)} · {word}
                </text>
                <text x="12" y="43" className="box-title">
                  {short(unit.title.replace(`${unit.task} `, ''), 30)}
                </text>
              </g>
            );
          })}
        </g>
      </svg>
    </div>
  );
}

function short(text: string, most: number): string {
  const plain = visible(text);
  return plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`;
}
