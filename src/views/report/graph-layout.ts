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
/** What a line needs that passes a column on its way to a later one. */
const laneHeight = 6;
const margin = 8;

/** A box, or the lane of lines that begin at `of` and pass this column. */
interface Slot {
  readonly id: string;
  readonly of: string;
  readonly height: number;
  readonly needs: readonly string[];
}

export function layOutGraph(units: readonly GraphUnit[], stages: readonly (readonly string[])[]): GraphLayout {
  if (stages.length === 0) return { width: 0, height: 0, boxes: [], edges: [] };
  const columns = ordered(slotsOf(units, stages));
  const tall = columns.map((column) => column.reduce((sum, slot) => sum + slot.height + gap.y, -gap.y));
  const height = 2 * margin + Math.max(0, ...tall);
  const places = new Map<string, GraphBox>();
  for (const [at, column] of columns.entries()) {
    let y = Math.round((height - (tall[at] ?? 0)) / 2);
    for (const { id, height: own } of column) {
      places.set(id, { id, x: margin + at * (boxSize.width + gap.x), y });
      y += own + gap.y;
    }
  }
  const columnOf = new Map(stages.flatMap((stage, at) => stage.map((id) => [id, at] as const)));
  return {
    width: 2 * margin + columns.length * boxSize.width + (columns.length - 1) * gap.x,
    height,
    boxes: columns.flat().flatMap((slot) => (slot.id === slot.of ? (places.get(slot.id) ?? []) : [])),
    edges: edgesOf(units, places, columnOf),
  };
}

/** Every column with its boxes, and a lane for each box before it that something after it waits for. */
function slotsOf(units: readonly GraphUnit[], stages: readonly (readonly string[])[]): Slot[][] {
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const columnOf = new Map(stages.flatMap((stage, at) => stage.map((id) => [id, at] as const)));
  const reach = new Map<string, number>();
  for (const { id, depends } of units) {
    for (const need of depends) reach.set(need, Math.max(reach.get(need) ?? 0, columnOf.get(id) ?? 0));
  }
  const previous = (id: string, at: number): string => ((columnOf.get(id) ?? 0) === at - 1 ? id : lane(id, at - 1));
  return stages.map((stage, at) => {
    const passing = units.filter(({ id }) => (columnOf.get(id) ?? at) < at && (reach.get(id) ?? 0) > at);
    return [
      ...stage.map((id) => ({
        id,
        of: id,
        height: boxSize.height,
        needs: (byId.get(id)?.depends ?? []).map((need) => previous(need, at)),
      })),
      ...passing.map(({ id }) => ({ id: lane(id, at), of: id, height: laneHeight, needs: [previous(id, at)] })),
    ];
  });
}

function lane(id: string, column: number): string {
  return `${column}\n${id}`;
}

/** Each column by the mean place of what its slots come from; ties stay as they were. */
function ordered(columns: readonly (readonly Slot[])[]): readonly (readonly Slot[])[] {
  const place = new Map<string, number>();
  return columns.map((column) => {
    const middle = (slot: Slot, at: number): number => {
      const known = slot.needs.flatMap((need) => place.get(need) ?? []);
      return known.length === 0 ? at : known.reduce((sum, one) => sum + one, 0) / known.length;
    };
    const sorted = column
      .map((slot, at) => ({ slot, at, middle: middle(slot, at) }))
      .sort((a, b) => a.middle - b.middle || a.at - b.at)
      .map(({ slot }) => slot);
    for (const [at, { id }] of sorted.entries()) place.set(id, at);
    return sorted;
  });
}

function edgesOf(
  units: readonly GraphUnit[],
  places: ReadonlyMap<string, GraphBox>,
  columnOf: ReadonlyMap<string, number>,
): GraphEdge[] {
  return units.flatMap(({ id: to, depends }) =>
    [...new Set(depends)].flatMap((from) => {
      const [start, end] = [places.get(from), places.get(to)];
      if (start === undefined || end === undefined) return [];
      const [first, last] = [columnOf.get(from) ?? 0, columnOf.get(to) ?? 0];
      const between = Array.from({ length: Math.max(0, last - first - 1) }, (_, at) => first + 1 + at);
      const lanes = between.flatMap((column) => places.get(lane(from, column)) ?? []);
      return [{ from, to, path: pathOf(start, lanes, end) }];
    }),
  );
}

/** From a box's right side along its lanes to another's left side. */
function pathOf(from: GraphBox, lanes: readonly GraphBox[], to: GraphBox): string {
  let [x, y] = [from.x + boxSize.width, from.y + boxSize.height / 2];
  let path = `M${x} ${y}`;
  for (const { x: left, y: top } of lanes) {
    path += ` ${curve(x, y, left, top + laneHeight / 2)} H${left + boxSize.width}`;
    [x, y] = [left + boxSize.width, top + laneHeight / 2];
  }
  return `${path} ${curve(x, y, to.x, to.y + boxSize.height / 2)}`;
}

function curve(x1: number, y1: number, x2: number, y2: number): string {
  const bend = Math.round((x2 - x1) / 2);
  return `C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
