/**
 * The part of a prompt that changes: titled sections in the order given, as the context governor lets them through. What
 * it left out beyond a section's own budget, how full the context is, and the one hint to write things down come last.
 */
import { governContext, type GovernorOptions, type Section } from './context-governor.ts';

export type { Section } from './context-governor.ts';

export function renderSections(sections: readonly Section[], options: GovernorOptions = {}): string {
  const { sections: shown, leftOut, meter, steer } = governContext(sections, options);
  const parts = shown.map(({ title, text }) => `## ${title}\n\n${text}\n`);
  if (leftOut.length === 0 && steer === undefined) return parts.join('\n');
  const lines = [...leftOut.map((one) => `Left out: ${one}.`), meter, ...(steer === undefined ? [] : [steer])];
  return [...parts, `${lines.join('\n')}\n`].join('\n');
}
