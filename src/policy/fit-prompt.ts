/**
 * The last look at a prompt before an agent gets it, whatever workflow made it: together with the role's own text it fits the
 * context of the agent that was chosen. A prompt with room is not touched. One without goes through the governor, section by
 * section, which says what it left out. Pure, and never throws.
 */
import type { Section } from './context-governor.ts';
import { renderSections } from './sections.ts';

const usualWindow = 200_000;
const tokenChars = 4;
/** Below this share the reader has room enough for work of its own. */
const roomyShare = 0.8;

export function fitPrompt(prompt: string, window = usualWindow): string {
  if (prompt.length < window * tokenChars * roomyShare) return prompt;
  const [preamble = '', ...parts] = prompt.split(/^(?=## )/m);
  const sections = parts.map(readSection);
  const [only] = sections;
  // Nothing to choose from: the beginning says who the agent is, the end what to do.
  if (only === undefined) return renderWhole([{ title: 'Your work', text: prompt, budget: prompt.length }], window);
  const left = Math.max(1, window - Math.ceil(preamble.length / tokenChars));
  return `${preamble}${renderSections(sections, { window: left })}`;
}

function readSection(part: string): Section {
  const end = part.indexOf('\n');
  const title = end === -1 ? part.slice(3) : part.slice(3, end);
  const text = end === -1 ? '' : part.slice(end + 1).trim();
  return { title, text, budget: text.length };
}

/** The governor keeps the last section whole, so a single one is cut as if another followed. */
function renderWhole(sections: readonly Section[], window: number): string {
  const rest = { title: 'Go on', text: 'Do what is said above.', budget: 100 };
  return renderSections([...sections, rest], { window });
}
