/**
 * The dependency graph as Mermaid text, which forges and editors draw. Nodes are numbered, so that no id can be a word of
 * the language, and labels hold letters and figures only: everything else is written by its number.
 */
import { fitText, plainLine } from '../terminal-text.ts';
import { statusMarks } from '../wording.ts';
import type { Report } from './report.ts';

const longestLabel = 60;

/** Nothing for a run without a plan. */
export function mermaidGraph({ units }: Pick<Report, 'units'>): string {
  const at = new Map(units.map(({ task }, index) => [task, `n${index}`]));
  const nodes = units.map(({ task, title, status }) => {
    const label = escaped(fitText(plainLine(title), longestLabel));
    return `  ${at.get(task)}["${statusMarks[status]} ${label}"]`;
  });
  const edges = units.flatMap(({ task: id, depends }) =>
    [...new Set(depends)].flatMap((need) => (at.has(need) ? [`  ${at.get(need)} --> ${at.get(id)}`] : [])),
  );
  return nodes.length === 0 ? '' : ['graph TD', ...nodes, ...edges].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,:…-]/gu, (char) => `#${char.codePointAt(0)};`);
}
