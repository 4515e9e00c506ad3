/** The dependency graph as SVG: boxes link to the row of their unit, state is said by sign and word, not by colour alone. */
import { fit, plainLine } from '../terminal-text.ts';
import { statusMarks } from '../wording.ts';
import { boxSize, layOutGraph } from './graph-layout.ts';
import { type Html, html } from './html.ts';
import type { Report } from './report.ts';

export function graphSvg({ units, stages }: Pick<Report, 'units' | 'stages'>): Html | undefined {
  if (units.length === 0) return undefined;
  const { width, height, boxes, edges } = layOutGraph(
    units.map(({ task: id, depends }) => ({ id, depends })),
    stages,
  );
  const at = new Map(units.map((unit, index) => [unit.task, { unit, index }]));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Dependency graph"><svg class="graph" xmlns="http://www.w3.org/2000/svg" role="group" aria-label="What depends on what" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow" d="M0 0 L8 4 L0 8 z"/></marker></defs>
${edges.map(({ path }) => html`<path class="edge" d="${path}" marker-end="url(#arrow)"/>\n`)}
${boxes.map(({ id, x, y }) => {
  const found = at.get(id);
  if (found === undefined) return undefined;
  const { unit, index } = found;
  const { status, title } = unit;
  return html`<a href="#unit-${index}"><title>${title} (${status})</title><rect class="box ${status}" x="${x}" y="${y}" width="${boxSize.width}" height="${boxSize.height}" rx="7"/><text class="box-name" x="${x + 12}" y="${y + 21}">${statusMarks[status]} ${fit(plainLine(id), 20)}</text><text class="box-title" x="${x + 12}" y="${y + 39}">${fit(plainLine(title.startsWith(`${id} `) ? title.slice(id.length + 1) : title), 25)}</text></a>\n`;
})}
</svg></div>`;
}
