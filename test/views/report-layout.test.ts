import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stages } from '../../src/plan/graph.ts';
import { boxSize, layOutGraph } from '../../src/views/report/graph-layout.ts';
import type { ReportSpan } from '../../src/views/report/report-spans.ts';
import { layOutTimeline, plot } from '../../src/views/report/timeline-layout.ts';

/** Units that depend only on earlier ones. */
const acyclic = fc.array(fc.array(fc.nat({ max: 30 }), { maxLength: 4 }), { maxLength: 20 }).map((needs) =>
  needs.map((some, at) => ({
    id: `m${at}`,
    depends: [...new Set(some.filter((one) => one < at).map((one) => `m${one}`))],
  })),
);

describe('the dependency graph', () => {
  it('puts every box once, inside, after what it depends on, and on no other', () => {
    fc.assert(
      fc.property(acyclic, (units) => {
        const { width, height, boxes, edges } = layOutGraph(units, units.length === 0 ? [] : stages(units));
        expect(boxes.map(({ id }) => id).sort()).toEqual(units.map(({ id }) => id).sort());
        expect(edges).toHaveLength(units.reduce((sum, unit) => sum + unit.depends.length, 0));
        const byId = new Map(boxes.map((box) => [box.id, box]));
        for (const { x, y } of boxes) {
          expect(x >= 0 && x + boxSize.width <= width && y >= 0 && y + boxSize.height <= height).toBe(true);
        }
        for (const { from, to } of edges) {
          expect((byId.get(from)?.x ?? 0) + boxSize.width).toBeLessThan(byId.get(to)?.x ?? 0);
        }
        for (const [at, one] of boxes.entries()) {
          const on = boxes.slice(at + 1).filter((two) => one.x === two.x && Math.abs(one.y - two.y) < boxSize.height);
          expect(on).toEqual([]);
        }
      }),
    );
  });

  it('leads a line past the boxes between its ends', () => {
    const units = [
      { id: 'a', depends: [] },
      { id: 'b', depends: ['a'] },
      { id: 'c', depends: ['b', 'a'] },
    ];
    const { boxes, edges } = layOutGraph(units, [['a'], ['b'], ['c']]);
    const b = boxes.find(({ id }) => id === 'b');
    const level = Number(
      /C\d+ [\d.]+ \d+ [\d.]+ \d+ ([\d.]+) H/.exec(
        edges.find(({ to, from }) => to === 'c' && from === 'a')?.path ?? '',
      )?.[1],
    );
    expect(level > (b?.y ?? 0) + boxSize.height || level < (b?.y ?? 0)).toBe(true);
  });
});

describe('the timeline', () => {
  const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
  const span = fc
    .tuple(fc.constantFrom('m1', 'm2', 'final review'), fc.nat({ max: 500 }), fc.option(fc.nat({ max: 100 })))
    .map(
      ([owner, from, lasts]): ReportSpan => ({
        key: `${owner}/x`,
        owner,
        kind: 'agent',
        role: 'worker',
        startedAt: at(from),
        endedAt: lasts === null ? undefined : at(from + lasts),
        isOpen: lasts === null,
      }),
    );

  it('draws every span once, inside, without one bar over another', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 30 }), (some) => {
        const spans = some.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
        const { rows, width, height, ticks } = layOutTimeline(spans, { startedAt: at(0), endedAt: at(600) });
        const bars = rows.flatMap((row) => row.bars);
        expect(bars).toHaveLength(spans.length);
        for (const bar of bars) {
          expect(bar.x >= plot.left && bar.x + bar.width <= width && bar.y + plot.lane <= height).toBe(true);
        }
        for (const [index, one] of bars.entries()) {
          // At least two pixels are drawn for what took no time.
          const over = bars
            .slice(index + 1)
            .filter((two) => one.y === two.y && one.x < two.x - 2 && one.x + one.width > two.x + 2);
          expect(over).toEqual([]);
        }
        expect(ticks.length).toBeLessThanOrEqual(10);
      }),
    );
  });

  it('is empty where there is no time', () => {
    expect(layOutTimeline([], { startedAt: at(0), endedAt: at(1) })).toMatchObject({ rows: [], height: 0 });
    expect(layOutTimeline([], { startedAt: '', endedAt: '' })).toEqual({ width: 0, height: 0, rows: [], ticks: [] });
  });
});
