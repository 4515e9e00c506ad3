/**
 * Where the boxes and lines of a dependency graph go: a column per stage, boxes of a column ordered by where what they
 * depend on stands, so that few lines cross. Pure geometry in whole pixels; the same units give the same picture.
 */

export interface GraphUnit {
  readonly id: string;
  readonly depends: readonly string[];
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly GraphBox[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphBox {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** An SVG path. */
  readonly path: string;
}

export const boxSize = { width: 190, height: 52 } as const;
const gap = { x: 70, y: 18 } as const;
const margin = 8;

export function layOutGraph(units: readonly GraphUnit[], stages: readonly (readonly string[])[]): GraphLayout {
  const depends = new Map(units.map((unit) => [unit.id, unit.depends]));
  const columns = ordered(stages, depends);
  const tallest = Math.max(0, ...columns.map((column) => column.length));
  const height = 2 * margin + tallest * boxSize.height + Math.max(0, tallest - 1) * gap.y;
  const boxes = columns.flatMap((column, at) => {
    const used = column.length * boxSize.height + (column.length - 1) * gap.y;
    const top = Math.round((height - used) / 2);
    return column.map((id, row) => ({
      id,
      x: margin + at * (boxSize.width + gap.x),
      y: top + row * (boxSize.height + gap.y),
    }));
  });
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const edges = units.flatMap(({ id: to, depends: needs }) =>
    [...new Set(needs)].flatMap((from) => {
      const [start, end] = [byId.get(from), byId.get(to)];
      return start === undefined || end === undefined ? [] : [{ from, to, path: curve(start, end) }];
    }),
  );
  const width = columns.length === 0 ? 0 : 2 * margin + columns.length * boxSize.width + (columns.length - 1) * gap.x;
  return { width, height, boxes, edges };
}

/** Each column by the mean place of what its boxes depend on; ties stay as they were. */
function ordered(
  stages: readonly (readonly string[])[],
  depends: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const place = new Map<string, number>();
  return stages.map((stage) => {
    const middle = (id: string, at: number): number => {
      const known = (depends.get(id) ?? []).flatMap((need) => place.get(need) ?? []);
      return known.length === 0 ? at : known.reduce((sum, one) => sum + one, 0) / known.length;
    };
    const column = stage
      .map((id, at) => ({ id, at, middle: middle(id, at) }))
      .sort((a, b) => a.middle - b.middle || a.at - b.at)
      .map(({ id }) => id);
    column.forEach((id, at) => place.set(id, at));
    return column;
  });
}

function curve(from: GraphBox, to: GraphBox): string {
  const x1 = from.x + boxSize.width;
  const y1 = from.y + boxSize.height / 2;
  const [x2, y2] = [to.x, to.y + boxSize.height / 2];
  const bend = Math.max(gap.x / 2, Math.round((x2 - x1) / 2));
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
