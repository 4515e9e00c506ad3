/** The timeline as SVG: who worked on what, when, and what the engine did in between. */
import { duration } from '../figures.ts';
import { fit, plainLine } from '../terminal-text.ts';
import { type Html, html } from './html.ts';
import type { Report } from './report.ts';
import type { ReportSpan } from './report-spans.ts';
import { layOutTimeline, plot } from './timeline-layout.ts';

export function timelineSvg(report: Pick<Report, 'spans' | 'startedAt' | 'endedAt'>): Html | undefined {
  const { width, height, rows, ticks } = layOutTimeline(report.spans, report);
  if (rows.length === 0) return undefined;
  const used = [...new Set(report.spans.map(shadeOf))];
  const right = plot.left + plot.width;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Timeline"><svg class="timeline" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="When what was worked on" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${ticks.map(({ x, ms }) => html`<line class="tick" x1="${x}" y1="${plot.top - 6}" x2="${x}" y2="${height}"/><text class="axis" x="${x}" y="12">${duration(ms)}</text>\n`)}
${rows.map(
  ({
    owner,
    y,
    height: tall,
    bars,
  }) => html`<text class="row-name" x="0" y="${y + 11}">${fit(plainLine(owner), 17)}</text><line class="row" x1="${plot.left}" y1="${y + tall + 3}" x2="${right}" y2="${y + tall + 3}"/>
${bars.map(({ span, x, y: top, width: wide, ms }) => html`<rect class="bar ${shadeOf(span)}" x="${x}" y="${top}" width="${wide}" height="${plot.lane - 4}" rx="2"><title>${span.key}: ${span.role}, ${duration(ms)}${span.isOpen ? ', not ended' : ''}</title></rect>\n`)}`,
)}
</svg></div>
<p class="legend">${used.map((shade) => html`<span><i class="bar ${shade}"></i>${words[shade]}</span> `)}</p>`;
}

type Shade = keyof typeof words;
const words = {
  plans: 'planning',
  writes: 'writing',
  reads: 'reviewing and testing',
  mends: 'finding causes and mending',
  learns: 'learning',
  other: 'another role',
  checks: 'checks of the engine',
  merges: 'merging',
} as const;

const shades: Readonly<Record<string, Shade>> = {
  architect: 'plans',
  planner: 'plans',
  worker: 'writes',
  developer: 'writes',
  reviewer: 'reads',
  auditor: 'reads',
  tester: 'reads',
  overseer: 'mends',
  debugger: 'mends',
  learner: 'learns',
};

function shadeOf({ kind, role }: ReportSpan): Shade {
  if (kind === 'check') return 'checks';
  if (kind === 'merge') return 'merges';
  return (Object.hasOwn(shades, role) ? shades[role] : undefined) ?? 'other';
}
