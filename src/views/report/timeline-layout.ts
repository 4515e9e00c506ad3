/**
 * Where the bars of a run's timeline go: a row per piece of work, a bar per session, check and merge, from the times of
 * facts. Bars that overlap within a row stand in lanes below each other. Pure geometry in whole pixels.
 */
import type { ReportSpan } from './report-spans.ts';

export interface TimelineLayout {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly TimelineRow[];
  readonly ticks: readonly { readonly x: number; readonly ms: number }[];
}

export interface TimelineRow {
  readonly owner: string;
  readonly y: number;
  readonly height: number;
  readonly bars: readonly TimelineBar[];
}

export interface TimelineBar {
  readonly span: ReportSpan;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly ms: number;
}

export const plot = { left: 130, width: 900, lane: 16, gap: 8, top: 24 } as const;
const leastBar = 2;

export function layOutTimeline(
  spans: readonly ReportSpan[],
  { startedAt, endedAt }: { readonly startedAt: string; readonly endedAt: string },
): TimelineLayout {
  const start = Date.parse(startedAt);
  const total = Math.max(1, Date.parse(endedAt) - start);
  if (!Number.isFinite(start) || !Number.isFinite(total)) return { width: 0, height: 0, rows: [], ticks: [] };
  const x = (ms: number): number => plot.left + Math.round((Math.min(Math.max(ms, 0), total) / total) * plot.width);
  const owners = [...new Set(spans.map((span) => span.owner))];
  let y = plot.top;
  const rows = owners.map((owner) => {
    const lanes: number[] = [];
    const bars = spans
      .filter((span) => span.owner === owner)
      .map((span): TimelineBar => {
        const from = Date.parse(span.startedAt) - start;
        const to = (span.endedAt === undefined ? start + total : Date.parse(span.endedAt)) - start;
        const free = lanes.findIndex((end) => end <= from);
        const lane = free === -1 ? lanes.length : free;
        lanes[lane] = to;
        const left = x(from);
        const width = Math.max(leastBar, x(to) - left);
        return { span, x: left, y: y + lane * plot.lane, width, ms: Math.max(0, to - from) };
      });
    const row = { owner, y, height: Math.max(1, lanes.length) * plot.lane, bars };
    y += row.height + plot.gap;
    return row;
  });
  const width = plot.left + plot.width + 12;
  return { width, height: rows.length === 0 ? 0 : y, rows, ticks: ticksOf(total).map((ms) => ({ ms, x: x(ms) })) };
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const mostTicks = 8;

/** At round times, as many as can be read. */
function ticksOf(total: number): number[] {
  const seconds = total / 1000;
  const step = steps.find((one) => seconds / one <= mostTicks) ?? Math.ceil(seconds / mostTicks);
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => at * step * 1000);
}
